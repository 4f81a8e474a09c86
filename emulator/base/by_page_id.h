// A table by page: nearly all of it is never touched, and costs addresses alone.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "emulator/base/private_memory.h"

namespace lbhm::emulator {

/// Number of a page in the order in which the page map met it; never used twice.
using PageId = std::uint32_t;
inline constexpr PageId maximum_page_ids = 1u << 28;  // 1 TiB of memory touched in the life of the program

/// Zeros at first. Throws std::bad_alloc.
template <class T>
class ByPageId {
 public:
  ByPageId() : first_(static_cast<std::atomic<T>*>(map_zeroed(bytes))) {}
  ~ByPageId() {
    give_back(0, kept_);
    give_back(last, bytes);
  }
  ByPageId(const ByPageId&) = delete;
  ByPageId& operator=(const ByPageId&) = delete;

  std::atomic<T>& operator[](PageId id) const { return first_[id]; }

  /// From here on only ids below `end` are asked for, and those of the last page of the table. Not beside itself.
  void keep(PageId end) {
    const std::size_t kept = (end * sizeof(T) + page - 1) / page * page;
    if (kept >= kept_) return;
    give_back(kept, kept_);
    kept_ = kept;
  }

 private:
  static constexpr std::size_t page = 64 << 10;  // or smaller
  static constexpr std::size_t bytes = maximum_page_ids * sizeof(std::atomic<T>);
  static constexpr std::size_t last = bytes - page;

  void give_back(std::size_t begin, std::size_t end) {
    if (begin < end) unmap(reinterpret_cast<std::byte*>(first_) + begin, end - begin);
  }

  std::atomic<T>* first_;
  std::size_t kept_ = last;  ///< so many bytes are mapped, and the last page
};

}  // namespace lbhm::emulator
