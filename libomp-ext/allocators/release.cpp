#include "libomp-ext/allocators/address_map.h"
#include "libomp-ext/allocators/allocate.h"
#include "libomp-ext/allocators/allocator_table.h"
#include "libomp-ext/allocators/block.h"
#include "libomp-ext/allocators/managed_memory.h"
#include "libomp-ext/allocators/page_memory.h"
#include "libomp-ext/allocators/plain_memory.h"
#include "libomp-ext/allocators/target_memory.h"

namespace lbhm::allocators {
namespace {

void give_back(Owner owner, std::uint64_t charge) {
  if (Allocator* allocator = find_allocator(owner)) allocator->pool.give_back(charge);
}

void release_remembered(void* address, const Remembered& block) {
  give_back(block.owner, block.charge);
  switch (block.kind) {
    case Remembered::Kind::managed:
      return managed_release(address, block.bytes);
    case Remembered::Kind::pages:
      return page_release(address);
    case Remembered::Kind::target:
      return target_release(address, block.target);
  }
}

}  // namespace

void release(void* address) {
  if (address == nullptr) return;
  if (may_be_remembered(address)) [[unlikely]] {
    if (const auto block = forget(address)) return release_remembered(address, *block);
  }
  BlockHeader* header = find_header(address);
  if (header == nullptr) [[unlikely]] {
    say_limited(
        Sentence::format("omp_free: %p did not come from omp_alloc, or was freed before; it is left alone", address));
    return;
  }
  give_back(header->owner(), pool_charge(header->bytes, header->alignment()));
  plain_release(header, address);
}

}  // namespace lbhm::allocators
