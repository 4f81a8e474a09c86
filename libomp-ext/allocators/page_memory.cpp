#include "libomp-ext/allocators/page_memory.h"

#include <cstdlib>
#include <cstring>

#include "libomp-ext/allocators/address_map.h"

namespace lbhm::allocators {

void* page_allocate(const Request& request, Owner owner, std::uint64_t charge) {
  constexpr std::uint64_t address_space = std::uint64_t{1} << 47;  // no larger alignment can be had
  void* address = nullptr;
  if (request.alignment > address_space || request.bytes > address_space) return nullptr;
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
