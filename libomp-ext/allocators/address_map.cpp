#include "libomp-ext/allocators/address_map.h"

#include <new>
#include <unordered_map>

#include "libomp-ext/allocators/allocator_table.h"
#include "runtime/own_memory/inside.h"

namespace lbhm::allocators {
namespace {

using AddressMap = std::unordered_map<const void*, Remembered>;

/// Under map_mutex. Never destroyed: static destructors of the program still free memory. Throws std::bad_alloc.
AddressMap& address_map() {
  static constinit AddressMap* map = nullptr;
  if (map == nullptr) map = new AddressMap;
  return *map;
}

/// A handler of a signal must not come here while its thread is here. The thread that forks has the lock already.
class Turn {
 public:
  Turn() : lock_(map_mutex, std::defer_lock) {
    if (!forking_here()) lock_.lock();
  }

 private:
  Inside here_;
  std::unique_lock<std::mutex> lock_;
};

}  // namespace

bool remember(void* address, const Remembered& block) try {
  const Turn turn;
  address_map().insert_or_assign(address, block);
  if (block.kind == Remembered::Kind::runtime) any_runtime.store(true, std::memory_order_relaxed);
  return true;
} catch (const std::bad_alloc&) { return false; }

std::optional<Remembered> recall(const void* address) try {
  if (!may_be_remembered(address)) return std::nullopt;
  const Turn turn;
  const auto found = address_map().find(address);
  return found == address_map().end() ? std::nullopt : std::optional(found->second);
} catch (const std::bad_alloc&) { return std::nullopt; }  // nothing was remembered yet

void for_each_remembered(const std::function<void(const void*, const Remembered&)>& look) try {
  const Turn turn;
  for (const auto& [address, block] : address_map()) look(address, block);
} catch (const std::bad_alloc&) { return; }  // nothing was remembered yet

std::optional<Remembered> forget(const void* address, Of giver) try {
  if (!may_be_remembered(address)) return std::nullopt;
  const Turn turn;
  const auto found = address_map().find(address);
  if (found == address_map().end()) return std::nullopt;
  if ((found->second.kind == Remembered::Kind::heap) != (giver == Of::malloc)) return std::nullopt;
  const Remembered block = found->second;
  address_map().erase(found);
  return block;
} catch (const std::bad_alloc&) { return std::nullopt; }

}  // namespace lbhm::allocators
