#include "libomp-ext/allocators/page_memory.h"

#include <cstdlib>
#include <cstring>

#include "libomp-ext/allocators/address_map.h"

namespace lbhm::allocators {

void* page_allocate(const Request& request, Owner owner, std::uint64_t charge) {
  void* address = nullptr;
  if (posix_memalign(&address, request.alignment, request.bytes) != 0) return nullptr;
  if (!remember(address, {Remembered::Kind::pages, owner, request.bytes, charge})) {
    std::free(address);
    return nullptr;
  }
  if (request.zeroed) std::memset(address, 0, request.bytes);
  return address;
}

void page_release(void* address) { std::free(address); }

}  // namespace lbhm::allocators
