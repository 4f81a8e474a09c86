// The kernel's calls on memory policies and pages, by system call: liblbhm.so needs no libnuma. Each gives 0
// (move_pages: also the number of pages that it did not move) or an error number as a negative value, and never sets
// errno.
#pragma once

#include <linux/mempolicy.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <bitset>
#include <cerrno>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <span>

namespace lbhm::host {

// Policies that the headers may not know yet (numbers of the kernel's user interface, linux/mempolicy.h).
inline constexpr int policy_bind = MPOL_BIND;
inline constexpr int policy_interleave = MPOL_INTERLEAVE;
inline constexpr int policy_preferred_many = 5;       ///< since 5.15
inline constexpr int policy_weighted_interleave = 6;  ///< since 6.9

/// Nodes that a call can name. The kernel's own limit on x86-64 and arm64 (CONFIG_NODES_SHIFT=10).
inline constexpr std::size_t most_nodes = 1024;

/// Nodes as the kernel takes them: one bit each.
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

inline long negative_errno(long result) { return result < 0 ? -static_cast<long>(errno) : result; }

/// Pages of [address, address + bytes) that are touched from now on follow `policy` (MPOL_*) over `nodes`; `address` is
/// page-aligned. No nodes: as MPOL_DEFAULT and MPOL_LOCAL want it. `flags`: MPOL_MF_*.
inline long bind_memory(std::uintptr_t address, std::size_t bytes, int policy, const NodeMask* nodes,
                        unsigned flags = 0) {
  const KeepErrno keep;
  return negative_errno(
      syscall(SYS_mbind, address, bytes, policy, nodes ? nodes->words() : nullptr, nodes ? NodeMask::limit : 0, flags));
}

/// The nodes that the calling thread may have memory of (cpusets).
inline long allowed_nodes(NodeMask& nodes) {
  const KeepErrno keep;
  return negative_errno(syscall(SYS_get_mempolicy, nullptr, nodes.words(), most_nodes, nullptr,
                                static_cast<unsigned long>(MPOL_F_MEMS_ALLOWED)));
}

/// The policy of the page at `address`, and its nodes.
inline long policy_at(std::uintptr_t address, int& policy, NodeMask& nodes) {
  const KeepErrno keep;
  return negative_errno(
      syscall(SYS_get_mempolicy, &policy, nodes.words(), most_nodes, address, static_cast<unsigned long>(MPOL_F_ADDR)));
}

/// move_pages(2) for this process. Null `nodes`: only asks where the pages are. `status`: by page, a node or a negative
/// error number. Pages that other processes map too are moved only with MPOL_MF_MOVE_ALL.
inline long move_pages(std::size_t count, void* const* pages, const int* nodes, int* status, int flags = MPOL_MF_MOVE) {
  const KeepErrno keep;
  return negative_errno(syscall(SYS_move_pages, 0, count, pages, nodes, status, flags));
}

/// The node of the processor that the calling thread runs on; 0 if the kernel does not say.
inline int node_of_this_thread() {
  const KeepErrno keep;
  unsigned cpu = 0;
  unsigned node = 0;
  return syscall(SYS_getcpu, &cpu, &node, nullptr) == 0 ? static_cast<int>(node) : 0;
}

}  // namespace lbhm::host
