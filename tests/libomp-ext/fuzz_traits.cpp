// libFuzzer: any trait list either gives an allocator that keeps its promises or a null one; nothing crashes.
// Built with -DLBHM_FUZZ=ON; run: fuzz-traits -max_total_time=60 -close_fd_mask=2
// (without the many lines about bad lists)
#include <omp.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "lbhm/omp_traits.h"

namespace {

const char name[] = "name";

/// Two bytes choose the key, eight the value; pointers must be real, and aborting is not a crash.
std::vector<omp_alloctrait_t> read_list(const std::uint8_t* data, std::size_t size) {
  std::vector<omp_alloctrait_t> list;
  for (; size >= 10; data += 10, size -= 10) {
    std::uint32_t key = data[0] % 16;
    if (data[1] % 2 == 1) key += LBHM_ATK_FIRST;
    std::uint64_t value = 0;
    std::memcpy(&value, data + 2, data[1] % 4 < 2 ? 1 : 8);
    if (key == LBHM_ATK_NAME && value != 0) value = reinterpret_cast<std::uintptr_t>(name);
    if (key == omp_atk_fallback && value == omp_atv_abort_fb) value = omp_atv_null_fb;
    if (key == omp_atk_alignment && value > 1 << 20) value %= 4096;
    list.push_back(lbhm_trait(key, value));
  }
  return list;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  auto list = read_list(data + 1, size - 1);
  const auto space = static_cast<omp_memspace_handle_t>(data[0] % 8);
  const auto allocator = omp_init_allocator(space, static_cast<int>(list.size()), list.data());
  if (allocator == omp_null_allocator) return 0;
  std::size_t alignment = 16;
  for (const auto& trait : list) {
    if (lbhm_trait_key(&trait) == omp_atk_alignment) alignment = trait.value;
    // What falls back on memory of a device is the runtime's, which aligns to pointers.
    const bool runtimes = lbhm_trait_key(&trait) == omp_atk_fb_data && trait.value >= llvm_omp_target_host_mem_alloc &&
                          trait.value <= llvm_omp_target_device_mem_alloc;
    if (runtimes) alignment = sizeof(void*);
  }
  for (const std::size_t bytes : {1, 100, 5000, 100000}) {
    auto* block = static_cast<char*>(omp_calloc(1, bytes, allocator));
    if (block == nullptr) continue;
    const bool aligned = alignment == 0 || reinterpret_cast<std::uintptr_t>(block) % alignment == 0;
    if (!aligned || block[bytes - 1] != 0) std::abort();
    std::memset(block, 1, bytes);
    omp_free(block, omp_null_allocator);
  }
  omp_destroy_allocator(allocator);
  return 0;
}
