// The kernel's calls for memory nodes, as they are.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace facts {

constexpr std::size_t page_bytes = 4096;
constexpr int fast = 0, slow = 1;  ///< the nodes of the machine of vm/qemu.py

/// Private, untouched, writable pages; unmapped when it goes.
class Pages {
 public:
  explicit Pages(std::size_t count, int extra_flags = 0);
  ~Pages();
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;

  char* at(std::size_t page) const { return begin_ + page * page_bytes; }
  std::size_t count() const { return count_; }
  std::size_t bytes() const { return count_ * page_bytes; }
  void touch() const;   ///< writes its number to each page
  bool intact() const;  ///< each page holds its number
  std::vector<void*> addresses() const;
  std::vector<int> nodes() const;  ///< of each page, or -errno

 private:
  char* begin_;
  std::size_t count_;
};

/// A child process that maps the same pages until it ends.
class OtherOwner {
 public:
  explicit OtherOwner(const Pages& pages);
  ~OtherOwner();
  OtherOwner(const OtherOwner&) = delete;
  OtherOwner& operator=(const OtherOwner&) = delete;
  /// Ends it. True if it found each page intact.
  bool finish();

 private:
  int child_;
  int wake_ = -1;  ///< the child ends when this is closed
};

/// The node of each page of a range, or -errno where there is none.
std::vector<int> nodes_of(const void* address, std::size_t bytes);
/// mbind with this mode (MPOL_*) for these nodes: 0 or -errno.
int bind(const Pages& pages, int mode, std::vector<int> nodes, unsigned flags = 0);
constexpr int not_written = 1000;
/// move_pages of this process. Returns its result, or -errno; status by page, not_written where the kernel left it.
long move(const std::vector<void*>& pages, int node, std::vector<int>& status, int flags = 2 /* MPOL_MF_MOVE */);
/// The content of a small file without its line end; "" if there is none.
std::string text(const std::string& path);
/// Writes a setting of the kernel; false: it refused.
bool set(const std::string& path, const std::string& value);
/// Leaves about so much of a node; huge pages fill the rest, to be quick.
std::unique_ptr<Pages> fill(int node, long left_kib);
/// Leaves about 40 MiB of slow memory, half of which is the kernel's reserve.
/// Fast memory must not be filled like that: the kernel's own memory fits there alone, as the other node is for movable
/// pages, and it kills a process as soon as it finds none for itself.
std::unique_ptr<Pages> fill_slow_memory();
/// Kilobytes that a node has free.
long free_kib(int node);
/// Kilobytes of huge pages in the mappings of this process that hold a part of the range.
long huge_kib(const void* address, std::size_t bytes);
/// The kernel's setting for huge pages: always, madvise or never (as it chooses itself on machines as small as this).
inline const std::string huge_pages = "/sys/kernel/mm/transparent_hugepage/enabled";

}  // namespace facts
