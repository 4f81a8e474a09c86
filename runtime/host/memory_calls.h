// What is asked of the kernel about memory: mappings for objects, on which nodes new pages appear, where pages are and
// how they move. By libnuma (numaif.h), whose calls give 0 here (move_pages: also the number of pages that it did not
// move) or an error number as a negative value, and never set errno.
//
// libnuma is opened when it is needed, not linked: a login node without libnuma1 has one memory and starts programs as
// before, and libnuma's constructor, which reads /proc and allocates, stays out of processes that place nothing.
// Node numbers and sizes are read by memory_nodes.cpp and capacity.cpp, not by numa_node_size64: they need more than
// libnuma tells (bandwidths, kinds, what the file cache holds), and tests have them in folders of their own.
#pragma once

#include <numaif.h>
#include <array>
#include <cerrno>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "runtime/base/status.h"
#include "runtime/base/units.h"

namespace lbhm::host {

inline constexpr int policy_weighted_interleave = 6;  ///< since Linux 6.9; numaif.h does not know it yet

/// Nodes that a call can name. The kernel's own limit on x86-64 and arm64 (CONFIG_NODES_SHIFT=10).
inline constexpr std::size_t most_nodes = 1024;

/// Nodes as the kernel takes them: one bit each. numa.h's nodemask_t has 128 of them on x86-64, and its bitmask lies in
/// memory of malloc.
class NodeMask {
 public:
  NodeMask() = default;
  explicit NodeMask(std::span<const int> nodes) {
    for (const int node : nodes) set(node);
  }

  void set(int node) {
    if (node >= 0 && static_cast<std::size_t>(node) < most_nodes) word(node) |= bit(node);
  }
  bool has(int node) const {
    return node >= 0 && static_cast<std::size_t>(node) < most_nodes &&
           (words_[static_cast<std::size_t>(node) / bits] & bit(node)) != 0;
  }
  bool operator==(const NodeMask&) const = default;
  const unsigned long* words() const { return words_.data(); }
  unsigned long* words() { return words_.data(); }
  /// What the kernel calls maxnode: it takes one bit fewer than it is told.
  static constexpr unsigned long limit = most_nodes + 1;

 private:
  static constexpr std::size_t bits = sizeof(unsigned long) * CHAR_BIT;
  static unsigned long bit(int node) { return 1ul << (static_cast<std::size_t>(node) % bits); }
  unsigned long& word(int node) { return words_[static_cast<std::size_t>(node) / bits]; }

  std::array<unsigned long, most_nodes / bits> words_{};
};

/// Opens libnuma, once. Errors: unavailable, with the package to install. Every call below gives -ENOSYS then.
Status open_libnuma();

/// `errno` of the program is not ours to change.
class KeepErrno {
 public:
  KeepErrno() : before_(errno) {}
  ~KeepErrno() { errno = before_; }
  KeepErrno(const KeepErrno&) = delete;
  KeepErrno& operator=(const KeepErrno&) = delete;

 private:
  int before_;
};

/// Pages of [address, address + bytes) that are touched from now on follow `policy` (MPOL_*) over `nodes`; `address` is
/// page-aligned. No nodes: as MPOL_DEFAULT and MPOL_LOCAL want it. `flags`: MPOL_MF_*.
long bind_memory(std::uintptr_t address, std::size_t bytes, int policy, const NodeMask* nodes, unsigned flags = 0);

/// The nodes that the calling thread may have memory of (cpusets).
long allowed_nodes(NodeMask& nodes);

/// The policy of the page at `address`, and its nodes.
long policy_at(std::uintptr_t address, int& policy, NodeMask& nodes);

/// move_pages(2) for this process. Null `nodes`: only asks where the pages are. `status`: by page, a node or a negative
/// error number. Pages that other processes map too are moved only with MPOL_MF_MOVE_ALL.
long move_pages(std::size_t count, void* const* pages, const int* nodes, int* status, int flags = MPOL_MF_MOVE);

/// The node of the processor that the calling thread runs on; 0 if the kernel does not say.
int node_of_this_thread();

/// What transparent huge pages are on x86-64 and on arm64 with pages of 4 KiB.
inline constexpr Bytes huge_page = MiB(2);

/// Zeroed private memory of whole pages, aligned to a power of two, behind `front` bytes more of it; `flags` of mmap(2)
/// besides. Null: there is none.
void* map_aligned(Bytes bytes, Bytes page, Bytes alignment, int flags = 0, Bytes front = {});

/// How many of the pages, from the first one on, follow each other without a gap. There is one at least.
inline std::size_t run_length(std::span<const std::uintptr_t> pages, std::uint64_t page_bytes) {
  std::size_t length = 1;
  while (length < pages.size() && pages[length] == pages[length - 1] + page_bytes) ++length;
  return length;
}

/// out[i]: pages[i] has contents, in memory or on their way (swapped out, or being migrated by the kernel). Linux 6.1
/// answers -ENOENT for pages that are there but PROT_NONE (6.12 moves them), and every kernel does for a moment while
/// it moves a page itself: both differ from a page that nobody has touched. All false without /proc/self/pagemap
/// (Documentation/admin-guide/mm/pagemap.rst). `pages` and `out` have one length; neighbours are asked together.
void have_contents(std::span<const std::uintptr_t> pages, std::span<bool> out);

/// How pages of a tier lie on its nodes.
enum class Spread : std::uint8_t {
  nearest,     ///< on the node nearest to the thread that touches them; on other tiers when all nodes are full
  bind,        ///< the same, but never on another tier: a program that wants more is killed by the kernel
  interleave,  ///< by turns
  weighted,    ///< by turns, in the ratio of the kernel's weights (since 6.9), else as interleave
};
std::optional<Spread> parse_spread(std::string_view text);

/// Pages of [address, address + bytes), both page-aligned, that are touched from now on appear on `nodes`. Kernels that
/// do not know a policy get the nearest that they know. Errors: unavailable (the kernel refuses), not_found (no such
/// memory), no_memory (too many separate ranges).
Status place_on(std::uintptr_t address, Bytes bytes, std::span<const int> nodes, Spread spread);

}  // namespace lbhm::host
