// Pages of the test's own.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <vector>

namespace lbhm {

/// Zeroed pages, without huge ones; [i] is the first byte of page i.
class MappedPages {
 public:
  explicit MappedPages(std::size_t pages) : page_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))) {
    at_ = static_cast<char*>(
        mmap(nullptr, pages * page_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    madvise(at_, pages * page_, MADV_NOHUGEPAGE);
    for (std::size_t i = 0; i < pages; ++i) all_.push_back(address(i));
  }
  ~MappedPages() { munmap(at_, all_.size() * page_); }
  MappedPages(const MappedPages&) = delete;
  MappedPages& operator=(const MappedPages&) = delete;

  volatile char& operator[](std::size_t i) const { return at_[i * page_]; }
  char* data() const { return at_; }
  std::size_t page() const { return page_; }
  std::uintptr_t address(std::size_t i) const { return reinterpret_cast<std::uintptr_t>(at_) + i * page_; }
  const std::vector<std::uintptr_t>& all() const { return all_; }
  bool has(std::uintptr_t address) const { return address - this->address(0) < all_.size() * page_; }

 private:
  std::size_t page_;
  char* at_;
  std::vector<std::uintptr_t> all_;
};

}  // namespace lbhm
