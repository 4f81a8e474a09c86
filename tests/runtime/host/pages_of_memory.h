// Memory of the test itself, page by page.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <vector>

namespace lbhm::host {

/// `count` neighbouring pages; huge pages are off, so that each is a page of its own. Unmapped at the end.
class PagesOfMemory {
 public:
  explicit PagesOfMemory(std::size_t count, int flags = MAP_PRIVATE | MAP_ANONYMOUS)
      : size_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))),
        count_(count),
        memory_(mmap(nullptr, count * size_, PROT_READ | PROT_WRITE, flags, -1, 0)) {
    madvise(memory_, count_ * size_, MADV_NOHUGEPAGE);
  }
  ~PagesOfMemory() { munmap(memory_, count_ * size_); }
  PagesOfMemory(const PagesOfMemory&) = delete;
  PagesOfMemory& operator=(const PagesOfMemory&) = delete;

  bool mapped() const { return memory_ != MAP_FAILED; }
  char* at(std::size_t page) const { return static_cast<char*>(memory_) + page * size_; }
  std::size_t page_bytes() const { return size_; }
  /// Writes to pages first to last - 1.
  void touch(std::size_t first, std::size_t last) const { std::memset(at(first), 1, (last - first) * size_); }
  std::vector<std::uintptr_t> addresses() const {
    std::vector<std::uintptr_t> all;
    for (std::size_t i = 0; i < count_; ++i) all.push_back(reinterpret_cast<std::uintptr_t>(at(i)));
    return all;
  }

 private:
  std::size_t size_;
  std::size_t count_;
  void* memory_;
};

}  // namespace lbhm::host
