// The functions of lbhm.h, and what the lbhm command asks the library.
#include <array>
#include <charconv>
#include <cstddef>
#include <cstring>
#include <exception>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "libomp-ext/allocators/blocks.h"
#include "runtime/engine/engine.h"
#include "runtime/own_memory/inside.h"
#define LBHM_WEAK  // defined here
#include "lbhm/lbhm.h"

#define LBHM_EXPORT extern "C" __attribute__((visibility("default")))

namespace {

using lbhm::Bytes;
using lbhm::engine::ConfiguredObject;

/// A return address points behind the call.
const void* inside_call(const void* return_address) { return static_cast<const char*>(return_address) - 1; }

/// 0: the program does not say. Where nothing is placed, and of small blocks, the registry knows nothing either.
Bytes size_of(const void* address, std::uint64_t said) {
  return Bytes(said != 0 ? said : lbhm::allocators::block_size(address).value_or(0));
}

/// Of the thread's next phase; in place, for a thread-local string would take memory.
constinit thread_local std::array<char, 64> said_kind{};

/// Nothing: the list is none, and last_error() says why.
void* configure(const void* site, const std::optional<std::vector<ConfiguredObject>>& objects) {
  const std::array<char, 64> kind = std::exchange(said_kind, {});
  if (!objects) return nullptr;
  if (objects->empty()) {
    lbhm::engine::set_last_error("LB_HM_config got no objects: give it at least one");
    return nullptr;
  }
  return lbhm::engine::configure(site, *objects, kind.data());
}

/// The configured objects, or none and last_error() set. `fill` throws std::bad_alloc.
template <class Fill>
std::optional<std::vector<ConfiguredObject>> list_of(const Fill& fill) {
  const lbhm::Inside here;
  try {
    std::vector<ConfiguredObject> list;
    if (fill(list)) return list;
  } catch (const std::exception&) {
    lbhm::engine::set_last_error("there is no memory for the list of objects: correct its length, or free memory");
  }
  return std::nullopt;
}

/// False: a size is none.
bool read_list(void* const* pointers, const int* sizes, std::vector<ConfiguredObject>& list) {
  for (std::size_t i = 0; pointers[i]; ++i) {
    if (sizes[i] < -1 || sizes[i] == 0) {
      lbhm::engine::set_last_error("LB_HM_config got size " + std::to_string(sizes[i]) + " for object " +
                                   std::to_string(i) +
                                   ": give a number of bytes above 0, or -1 to ask the registry (use lbhm_config for "
                                   "2 GiB and more)");
      return false;
    }
    list.push_back({.address = pointers[i],
                    .bytes = size_of(pointers[i], sizes[i] < 0 ? 0 : static_cast<std::uint64_t>(sizes[i])),
                    .name = nullptr});
  }
  return true;
}

}  // namespace

LBHM_EXPORT void* LB_HM_config(void* objects, int* sizes) {
  if (!objects || !sizes) {
    lbhm::engine::set_last_error("LB_HM_config got a null list: give it a NULL-terminated list and its sizes");
    return nullptr;
  }
  const auto list = list_of([=](auto& out) { return read_list(static_cast<void* const*>(objects), sizes, out); });
  return configure(inside_call(__builtin_return_address(0)), list);
}

LBHM_EXPORT void* lbhm_config(const lbhm_object* objects, size_t count) {
  if (!objects && count > 0) {
    lbhm::engine::set_last_error("lbhm_config got a null list of objects: give it an array");
    return nullptr;
  }
  const auto list = list_of([=](auto& out) {
    out.reserve(count);
    for (std::size_t i = 0; i < count; ++i)
      out.push_back({.address = objects[i].address,
                     .bytes = size_of(objects[i].address, objects[i].bytes),
                     .name = objects[i].name});
    return true;
  });
  return configure(inside_call(__builtin_return_address(0)), list);
}

LBHM_EXPORT void lbhm_phase(const char* name) {
  said_kind = {};
  if (name) std::strncpy(said_kind.data(), name, said_kind.size() - 1);
}

LBHM_EXPORT void lbhm_phase_number(long long number) {
  said_kind = {};
  std::to_chars(said_kind.data(), said_kind.data() + said_kind.size() - 1, number);
}

LBHM_EXPORT void lbhm_phase_transition(const char* name) {
  said_kind = {};
  lbhm::engine::transition(inside_call(__builtin_return_address(0)), name ? std::string_view(name).substr(0, 63) : "");
}

using lbhm::engine::MemoryTraits;
static_assert(LBHM_LARGE_CAPACITY == MemoryTraits::slowest && LBHM_LOW_LATENCY == MemoryTraits::lowest_latency &&
              LBHM_HIGH_BANDWIDTH == MemoryTraits::highest_bandwidth);

LBHM_EXPORT int lbhm_move(void* object, int memory) { return lbhm::engine::move_object(object, memory) ? 0 : -1; }

LBHM_EXPORT void lbhm_task(const char* name) { lbhm::engine::work_on(name ? name : ""); }

LBHM_EXPORT void lbhm_task_number(long long number) {
  std::array<char, 24> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  lbhm::engine::work_on({digits.data(), end});
}

LBHM_EXPORT const char* lbhm_last_error(void) { return lbhm::engine::last_error(); }

LBHM_EXPORT const char* lbhm_policies_json(void) { return lbhm::engine::policies_json(); }
LBHM_EXPORT const char* lbhm_settings_json(void) { return lbhm::engine::settings_json(); }
LBHM_EXPORT const char* lbhm_machine_complaint(const char* path) { return lbhm::engine::machine_complaint(path); }
LBHM_EXPORT const char* lbhm_start_complaint(void) { return lbhm::engine::start_complaint(); }
