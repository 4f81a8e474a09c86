// libFuzzer target: in any sequence of OpenMP's allocator functions blocks keep their contents, are aligned as asked
// for and zeroed where that was asked for, and sizes that no memory has give null. A call is four bytes: what, with
// which allocator, how many bytes (0 to 65535, from the last two, of which the second is also the value that is
// written).
#include <omp.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>
#include <vector>

#include "lbhm/omp_traits.h"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

struct Block {
  unsigned char* address;
  std::size_t bytes;
  unsigned char value;

  void check(std::size_t until) const {
    require(std::all_of(address, address + until, [this](unsigned char byte) { return byte == value; }));
  }
};

struct Call {
  unsigned what;
  omp_allocator_handle_t allocator;
  std::size_t bytes;
  unsigned char value;
};

class Program {
 public:
  ~Program() {
    for (const Block& block : blocks_) {
      block.check(block.bytes);
      omp_free(block.address, omp_null_allocator);
    }
    for (std::size_t i = predefined; i < allocators_.size(); ++i) omp_destroy_allocator(allocators_[i]);
  }

  void call(std::span<const std::uint8_t, 4> bytes) {
    const Call call{.what = bytes[0] % 8u,
                    .allocator = allocators_[bytes[1] % allocators_.size()],
                    .bytes = bytes[2] | static_cast<std::size_t>(bytes[3]) << 8,
                    .value = bytes[3]};
    if (call.what < 4) return allocate(call);
    if (call.what == 4) return make_allocator(call);
    if (call.what == 5) return ask_too_much(call);
    if (blocks_.empty()) return;
    const std::size_t which = call.value % blocks_.size();
    call.what == 6 ? release(which) : reallocate(which, call);
  }

 private:
  static constexpr std::size_t predefined = 9;
  static constexpr std::size_t most_blocks = 40, most_allocators = 20;

  static void* memory_for(const Call& call, std::size_t alignment) {
    if (call.what == 0) return omp_alloc(call.bytes, call.allocator);
    if (call.what == 1) return omp_aligned_alloc(alignment, call.bytes, call.allocator);
    if (call.what == 2) return omp_calloc(call.bytes, 1, call.allocator);
    return omp_aligned_calloc(alignment, 1, call.bytes, call.allocator);
  }

  void allocate(const Call& call) {
    const std::size_t alignment = call.what % 2 == 1 ? std::size_t{1} << (call.value % 15) : 1;
    auto* address = static_cast<unsigned char*>(memory_for(call, alignment));
    if (address == nullptr) return;
    require(reinterpret_cast<std::uintptr_t>(address) % alignment == 0);
    if (call.what >= 2) Block{address, call.bytes, 0}.check(call.bytes);
    std::memset(address, call.value, call.bytes);
    blocks_.push_back({address, call.bytes, call.value});
    if (blocks_.size() > most_blocks) release(0);
  }

  void release(std::size_t which) {
    blocks_[which].check(blocks_[which].bytes);
    omp_free(blocks_[which].address, omp_null_allocator);
    blocks_.erase(blocks_.begin() + static_cast<std::ptrdiff_t>(which));
  }

  void reallocate(std::size_t which, const Call& call) {
    Block& block = blocks_[which];
    auto* address =
        static_cast<unsigned char*>(omp_realloc(block.address, call.bytes, call.allocator, omp_null_allocator));
    if (call.bytes == 0) {
      blocks_.erase(blocks_.begin() + static_cast<std::ptrdiff_t>(which));
    } else if (address == nullptr) {
      block.check(block.bytes);
    } else {
      Block{address, call.bytes, block.value}.check(std::min(call.bytes, block.bytes));
      std::memset(address, block.value, call.bytes);
      block = {address, call.bytes, block.value};
    }
  }

  void make_allocator(const Call& call) {
    if (allocators_.size() >= most_allocators) return;
    std::vector<omp_alloctrait_t> traits;
    if (call.value & 1) traits.push_back(lbhm_managed(true));
    if (call.value & 2) traits.push_back({omp_atk_alignment, omp_uintptr_t{1} << (call.bytes % 14)});
    if (call.value & 4) traits.push_back({omp_atk_pool_size, call.bytes * 4});
    if (call.value & 8)
      traits.push_back(
          {omp_atk_fallback, static_cast<omp_uintptr_t>(call.value & 16 ? omp_atv_null_fb : omp_atv_default_mem_fb)});
    const auto space = static_cast<omp_memspace_handle_t>(call.bytes % 5);
    const auto made = omp_init_allocator(space, static_cast<int>(traits.size()), traits.data());
    if (made != omp_null_allocator) allocators_.push_back(made);
  }

  static void ask_too_much(const Call& call) {
    require(omp_calloc(SIZE_MAX / 2 + call.bytes, 4, call.allocator) == nullptr);
    require(omp_alloc(SIZE_MAX - call.bytes, call.allocator) == nullptr);
    require(omp_aligned_alloc(call.bytes | 3, 10, call.allocator) == nullptr);  // no power of two
  }

  std::vector<Block> blocks_;
  std::vector<omp_allocator_handle_t> allocators_{omp_null_allocator,   omp_default_mem_alloc, omp_large_cap_mem_alloc,
                                                  omp_const_mem_alloc,  omp_high_bw_mem_alloc, omp_low_lat_mem_alloc,
                                                  omp_cgroup_mem_alloc, omp_pteam_mem_alloc,   omp_thread_mem_alloc};
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Program program;
  for (; size >= 4; data += 4, size -= 4) program.call(std::span<const std::uint8_t, 4>(data, 4));
  return 0;
}
