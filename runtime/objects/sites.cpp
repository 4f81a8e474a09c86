// Where objects come from.
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <unwind.h>

#include <array>
#include <charconv>
#include <cstring>
#include <new>
#include <span>
#include <utility>

#include "runtime/base/fingerprint.h"
#include "runtime/objects/call_stack.h"
#include "runtime/objects/known_sites.h"
#include "runtime/objects/loaded_code.h"
#include "runtime/objects/objects.h"
#include "runtime/own_memory/own_stack.h"

namespace lbhm {
namespace {

std::uint64_t hash(std::string_view text, std::uint64_t seed = Fingerprint::of_nothing) {
  Fingerprint sum(seed);
  sum.add(text);
  return sum.value();
}

std::uint64_t hash(std::uint64_t number, std::uint64_t seed) {
  std::array<char, sizeof number> bytes;
  std::memcpy(bytes.data(), &number, sizeof number);
  return hash(std::string_view(bytes.data(), bytes.size()), seed);
}

/// 0 is "unknown".
SiteId site(std::uint64_t hash) { return {hash ? hash : 1}; }

/// The calls of the program that led here, as far as they have been looked at.
struct Walk {
  std::uint64_t hash = Fingerprint::of_nothing;
  unsigned frames = 0;
  std::array<CodePlace, deepest_site> calls{};
  unsigned named = deepest_site;  ///< the first of them that a person would look for
  CallsOnStack* on_stack = nullptr;

  /// False: there are enough.
  bool take(const Call& call, std::uintptr_t at) {
    const Code code = call.module.code;
    if (code == Code::own || code == Code::system || code == Code::nobody) return frames == 0;
    if (named == deepest_site && code != Code::language_runtime) named = frames;
    if (on_stack) note(call.address, at);
    const std::uintptr_t offset = call.address - call.module.base;
    calls[frames] = {.file = call.module.file, .offset = offset};
    hash = lbhm::hash(offset, lbhm::hash(call.module.identity, hash));
    return ++frames < deepest_site;
  }

  void note(std::uintptr_t address, std::uintptr_t at) const {
    std::uintptr_t there = 0;
    std::memcpy(&there, reinterpret_cast<const void*>(at), sizeof there);  // NOLINT(performance-no-int-to-ptr)
    on_stack->readable = on_stack->readable && there == address;
    on_stack->calls[frames] = {.at = at, .address = address};
    on_stack->count = static_cast<int>(frames + 1);
  }
};

struct SlowWalk {
  Walk walk;
  std::uint64_t gone;
};

_Unwind_Reason_Code step(_Unwind_Context* context, void* data) {
  auto& slow = *static_cast<SlowWalk*>(data);
  const auto address = static_cast<std::uintptr_t>(_Unwind_GetIP(context));
  if (address == 0) return _URC_END_OF_STACK;
  // Calls on x86-64 leave the return address below what the caller's stack pointer is then.
  const auto at = static_cast<std::uintptr_t>(_Unwind_GetCFA(context)) - sizeof(void*);
  return slow.walk.take(known_call(address, slow.gone), at) ? _URC_NO_REASON : _URC_END_OF_STACK;
}

/// The same, whichever way is taken.
[[gnu::noinline]] Walk walk_from_here(CallsOnStack* on_stack) {
  Walk walk{.on_stack = on_stack};
  StackCursor cursor(left_from(__builtin_frame_address(0)));
  while (const auto call = cursor.next())
    if (!walk.take(*call, cursor.at())) return walk;
  if (!cursor.lost()) return walk;
  if (on_stack) *on_stack = {};
  SlowWalk slow{.walk = {.on_stack = on_stack}, .gone = modules_gone()};
  _Unwind_Backtrace(step, &slow);
  return slow.walk;
}

/// The site, remembered in words when it is met for the first time. Without memory for these it is as good a site.
SiteId known(SiteId id, const auto& words) {
  if (!is_news(id)) return id;
  try {
    KnownSite site = words();
    site.id = id;
    remember(std::move(site));
  } catch (const std::bad_alloc&) { return id; }
  return id;
}

}  // namespace

std::string CodePlace::text() const {
  std::array<char, 16> digits;
  char* const end = std::to_chars(digits.begin(), digits.end(), offset, 16).ptr;
  return std::string(file.empty() ? program_invocation_short_name : file).append("+0x").append(digits.begin(), end);
}

SiteId site_of_name(std::string_view name) {
  return known(site(hash(name, hash("name "))), [&] { return KnownSite{.id = {}, .name = std::string(name)}; });
}

SiteId site_of_caller(CodePlace* place, CallsOnStack* calls) {
  const Walk walk = walk_from_here(calls);
  const CodePlace named = walk.named == deepest_site ? CodePlace() : walk.calls[walk.named];
  if (place) *place = named;
  if (walk.frames == 0) return {};
  return known(site(walk.hash), [&] {
    KnownSite found{.id = {}, .name = named.known() ? named.text() : ""};
    for (const CodePlace& call : std::span(walk.calls).first(walk.frames)) found.calls.push_back(call.text());
    return found;
  });
}

bool is_system_code(const void* code) {
  dl_find_object found{};
  if (_dl_find_object(const_cast<void*>(code), &found) != 0) return false;
  const link_map& module = *found.dlfo_link_map;
  return is_own(module.l_addr) || is_system_file(module.l_name);
}

SiteId site_of_variable(const void* address) {
  const Module module = module_of(reinterpret_cast<std::uintptr_t>(address));
  if (module.code == Code::nobody) return {};
  const CodePlace place{.file = module.file, .offset = reinterpret_cast<std::uintptr_t>(address) - module.base};
  return known(site(hash(place.offset, hash(module.identity, hash("variable ")))),
               [&] { return KnownSite{.id = {}, .name = place.text(), .variable = true}; });
}

}  // namespace lbhm
