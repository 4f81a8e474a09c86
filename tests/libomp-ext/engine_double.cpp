#include "engine_double.h"

#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <utility>

#include "runtime/engine/engine.h"

namespace lbhm {
namespace {

struct State {
  std::mutex mutex;
  std::map<const void*, std::uint64_t> objects;
  engine_double::LastObject last;
  bool refuse = false;
  int tier_of_blocks = -1;
  std::map<const void*, std::uint64_t> blocks;
};

State& state() {
  static auto* made = new State;
  return *made;
}

thread_local std::string error;

}  // namespace

namespace engine {

namespace {
constexpr std::uint64_t managed_minimum = 4096;  // default of the setting
}

void start() {}

void* allocate_object(Bytes bytes, Bytes alignment, const MemoryTraits& traits) {
  const std::scoped_lock lock(state().mutex);
  state().last = {bytes.value,  alignment.value,    traits.migratable, traits.tier_hint,
                  traits.exact, traits.sensitivity, traits.group,      traits.name ? traits.name : ""};
  void* address = nullptr;
  if (state().refuse || bytes.value < managed_minimum || posix_memalign(&address, alignment.value, bytes.value) != 0)
    return nullptr;
  std::memset(address, 0, bytes.value);
  state().objects[address] = bytes.value;
  return address;
}

void* allocate_heap_object(Bytes bytes, Bytes alignment, const void*, bool) {
  return allocate_object(bytes, alignment, {.managed = true});
}

void keeps_own_allocator(const char*) {}
Bytes arena_minimum() { return Bytes(UINT64_MAX); }
void when_lanes_rest(void (*)()) {}
std::uint32_t team_size() { return 1; }
SiteId site_of_small_blocks(const void*, CallsOnStack&) { return {}; }
void* allocate_arena(Bytes, SiteId) { return nullptr; }
Bytes heap_minimum() { return Bytes(64 << 10); }
Bytes mapping_minimum() { return Bytes(UINT64_MAX); }
void follow_modules() {}
void modules_change() {}
bool has_tiers() {
  const std::scoped_lock lock(state().mutex);
  return !state().refuse;
}
LaneName lane_name() { return nullptr; }

void* allocate_block(Bytes bytes, int hint) {
  const std::scoped_lock lock(state().mutex);
  if (hint != state().tier_of_blocks) return nullptr;
  void* const block = std::malloc(bytes.value);
  state().blocks[block] = bytes.value;
  return block;
}

void release_block(void* block, Bytes bytes) {
  const std::scoped_lock lock(state().mutex);
  const auto found = state().blocks.find(block);
  if (found == state().blocks.end() || found->second != bytes.value) std::abort();
  state().blocks.erase(found);
  std::free(block);
}

bool release_object(void* address) {
  const std::scoped_lock lock(state().mutex);
  if (state().objects.erase(address) == 0) return false;
  std::free(address);
  return true;
}

bool release_heap_object(void* address) { return release_object(address); }

Bytes object_bytes(const void* address) {
  const std::scoped_lock lock(state().mutex);
  const auto found = state().objects.find(address);
  return found == state().objects.end() ? Bytes(0) : Bytes(found->second);
}

const char* last_error() { return error.c_str(); }
void set_last_error(std::string_view sentence) { error = sentence; }

}  // namespace engine

namespace engine_double {

LastObject last_object() {
  const std::scoped_lock lock(state().mutex);
  return state().last;
}

std::size_t live_objects() {
  const std::scoped_lock lock(state().mutex);
  return state().objects.size();
}

void blocks_in_tier(int tier) {
  const std::scoped_lock lock(state().mutex);
  state().tier_of_blocks = tier;
}

std::size_t live_blocks() {
  const std::scoped_lock lock(state().mutex);
  return state().blocks.size();
}

void refuse_objects(bool refuse) {
  const std::scoped_lock lock(state().mutex);
  state().refuse = refuse;
}

}  // namespace engine_double
}  // namespace lbhm
