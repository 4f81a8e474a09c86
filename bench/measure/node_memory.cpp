#include "bench/measure/node_memory.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <limits>

namespace measure {
namespace {

// From the kernel's mempolicy.h: so that libnuma is not needed.
constexpr int bind_policy = 2;        // MPOL_BIND
constexpr unsigned may_move_own = 2;  // MPOL_MF_MOVE
constexpr std::size_t most_nodes = 1024;
constexpr std::size_t small_page = 4096;

/// Status by page, for pages of this process; empty: the kernel refuses the call.
std::vector<int> call_move_pages(std::span<void*> pages, const int* nodes) {
  std::vector<int> status(pages.size(), -1);
  const long result =
      syscall(SYS_move_pages, 0, pages.size(), pages.data(), nodes, status.data(), nodes ? may_move_own : 0U);
  if (result < 0) status.clear();
  return status;
}

}  // namespace

bool bind_to_node(int node) {
  std::array<std::uint64_t, most_nodes / 64> mask{};
  if (node < 0 || static_cast<std::size_t>(node) >= most_nodes) return false;
  mask[static_cast<std::size_t>(node) / 64] = std::uint64_t{1} << (node % 64);
  // The kernel takes one bit less than it is told.
  return syscall(SYS_set_mempolicy, bind_policy, mask.data(), most_nodes + 1) == 0;
}

double share_on_node(const Lines& memory, int node) {
  constexpr std::size_t most = 1024;
  const std::size_t bytes = memory.lines().size_bytes();
  std::vector<void*> pages = pages_of(memory, std::max(small_page, bytes / most / small_page * small_page));
  return share_on_node(pages, node);
}

double share_on_node(std::span<void*> pages, int node) {
  const std::vector<int> found = call_move_pages(pages, nullptr);
  if (found.empty()) return std::numeric_limits<double>::quiet_NaN();
  return static_cast<double>(std::ranges::count(found, node)) / static_cast<double>(found.size());
}

std::vector<void*> pages_of(const Lines& memory, std::size_t step, std::size_t inside) {
  auto* const begin = reinterpret_cast<char*>(memory.lines().data());
  const std::size_t bytes = memory.lines().size_bytes();
  std::vector<void*> pages;
  const std::size_t past = reinterpret_cast<std::uintptr_t>(begin) % step;
  for (std::size_t at = past == 0 ? 0 : step - past; at + step <= bytes; at += step)
    pages.push_back(begin + at + inside);
  return pages;
}

std::size_t move_pages_to(std::span<void*> pages, std::size_t batch, int node) {
  const std::vector<int> nodes(batch, node);
  std::size_t there = 0;
  for (std::size_t at = 0; at < pages.size(); at += batch) {
    const auto part = pages.subspan(at, std::min(batch, pages.size() - at));
    there += static_cast<std::size_t>(std::ranges::count(call_move_pages(part, nodes.data()), node));
  }
  return there;
}

bool query_pages(std::span<void*> pages, std::size_t batch) {
  for (std::size_t at = 0; at < pages.size(); at += batch) {
    if (call_move_pages(pages.subspan(at, std::min(batch, pages.size() - at)), nullptr).empty()) return false;
  }
  return true;
}

}  // namespace measure
