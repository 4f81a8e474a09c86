// The part of the page map that the cores share beside the tiers of pages: physical frames, and what ends a quantum.
#include <sys/mman.h>

#include <algorithm>
#include <new>
#include <numeric>

#include "emulator/memory/page_map.h"

namespace lbhm::emulator {
namespace {

// Frames are given in blocks of 4 MiB whose order is shuffled, as Linux does for the sake of caches of this kind
// (mm/shuffle.h: SHUFFLE_ORDER). In the order of addresses no two pages of a small program would share a set.
constexpr std::uint64_t block_frames = 1024;

/// A bijection of [0, count): steps by about the golden section of it, and never by a divisor.
std::uint64_t shuffled(std::uint64_t i, std::uint64_t count) {
  auto step = static_cast<std::uint64_t>(static_cast<double>(count) * 0.6180339887498949);
  while (step > 1 && std::gcd(step, count) != 1) --step;
  return step < 2 ? i % count : i % count * step % count;
}

}  // namespace

void PageMap::make_memory_cache(const Topology& topology) {
  memory_cache_ = std::make_unique<MemoryCache>(topology.tiers[0].capacity.value >> line_bits);
  frame_count_ = std::min<std::uint64_t>(topology.tiers[1].capacity.value >> page_bits, 1u << 31);
  void* p = mmap(nullptr, maximum_page_ids * sizeof(PhysicalFrame), PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) throw std::bad_alloc();
  frames_ = static_cast<std::atomic<PhysicalFrame>*>(p);
}

void PageMap::drop_memory_cache() {
  if (frames_ != nullptr) munmap(frames_, maximum_page_ids * sizeof(PhysicalFrame));
}

void PageMap::give_frame(PageId id) {
  const std::uint64_t blocks = frame_count_ / block_frames;
  const std::uint64_t number = frames_given_++ % frame_count_;
  std::uint64_t frame = number;
  if (number / block_frames < blocks) {
    frame = shuffled(number / block_frames, blocks) * block_frames + number % block_frames;
  }
  frames_[id].store(static_cast<PhysicalFrame>(frame + 1), std::memory_order_relaxed);
}

std::optional<PhysicalFrame> PageMap::physical_frame(PageId id) const {
  const PhysicalFrame frame = frames_[id].load(std::memory_order_relaxed);
  return frame == 0 ? std::nullopt : std::optional(frame - 1);
}

std::optional<PageId> PageMap::id_of(PageNumber page) {
  const std::lock_guard guard(lock_);
  const auto found = pages_.find(page);
  return found == pages_.end() ? std::nullopt : std::optional(found->second.id);
}

void PageMap::end_quantum() {
  hand_out();
  let_go();
  llc_shares_.divide();
  if (memory_cache_) memory_cache_->merge();
  watch_.end_quantum();
  flushes_.publish();
}

}  // namespace lbhm::emulator
