#include "libomp-ext/allocators/address_map.h"

#include <mutex>
#include <new>
#include <unordered_map>

namespace lbhm::allocators {
namespace {

struct AddressMap {
  std::mutex mutex;
  std::unordered_map<const void*, Remembered> blocks;
};

/// Never destroyed: static destructors of the program still free memory.
AddressMap& address_map() {
  static auto* map = new AddressMap;
  return *map;
}

}  // namespace

bool remember(void* address, const Remembered& block) try {
  AddressMap& map = address_map();
  const std::scoped_lock lock(map.mutex);
  map.blocks.insert_or_assign(address, block);
  if (block.kind == Remembered::Kind::target) any_target.store(true, std::memory_order_relaxed);
  return true;
} catch (const std::bad_alloc&) { return false; }

std::optional<Remembered> recall(const void* address) {
  if (!may_be_remembered(address)) return std::nullopt;
  AddressMap& map = address_map();
  const std::scoped_lock lock(map.mutex);
  const auto found = map.blocks.find(address);
  return found == map.blocks.end() ? std::nullopt : std::optional(found->second);
}

std::optional<Remembered> forget(const void* address) {
  if (!may_be_remembered(address)) return std::nullopt;
  AddressMap& map = address_map();
  const std::scoped_lock lock(map.mutex);
  const auto found = map.blocks.find(address);
  if (found == map.blocks.end()) return std::nullopt;
  const Remembered block = found->second;
  map.blocks.erase(found);
  return block;
}

}  // namespace lbhm::allocators
