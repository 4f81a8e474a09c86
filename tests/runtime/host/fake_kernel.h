// move_pages(2) of a machine with as many memory nodes as a test wants, which fails as the real one does.
#pragma once

#include <cerrno>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <vector>

#include "runtime/host/page_mover.h"

namespace lbhm::host {

/// Follows do_pages_move of mm/migrate.c: a page that is where it should be, or that cannot be taken, ends the run of
/// pages before it; if a run does not move as a whole, none of its statuses is written and the call ends. A huge page
/// moves whole; named a second time in a run it is busy, as the first has taken it (isolate_lru_page).
struct FakeKernel {
  struct Page {
    int node = no_node;
    int busy_calls = 0;  ///< so many calls do not get it; -1: none ever does
    int error = 0;       ///< what a call that wants to take it says
  };

  std::map<std::uintptr_t, Page> pages;
  std::set<std::uintptr_t> huge;  ///< their first addresses
  std::map<int, long> room;       ///< pages by node; others do not exist
  int refuses = 0;                ///< every call fails with this
  int calls_that_move = 0;
  std::size_t most_pages_a_call = 0;
  std::vector<std::uintptr_t> order;  ///< of the pages that moved
  std::mutex lock{};

  MovePagesCall call() {
    return [this](std::size_t count, const std::uintptr_t* at, const int* nodes, int* status) {
      const std::lock_guard guard(lock);
      if (refuses) return -long{refuses};
      most_pages_a_call = std::max(most_pages_a_call, count);
      if (!nodes) return ask({at, count}, status);
      ++calls_that_move;
      return move({at, count}, nodes[0], status);
    };
  }

 private:
  long ask(std::span<const std::uintptr_t> at, int* status) const {
    for (std::size_t i = 0; i < at.size(); ++i) {
      const auto found = pages.find(at[i]);
      status[i] = found == pages.end() ? -EFAULT : found->second.node == no_node ? -ENOENT : found->second.node;
    }
    return 0;
  }

  long move(std::span<const std::uintptr_t> at, int node, int* status) {
    if (!room.contains(node)) return -ENODEV;
    std::size_t start = 0;
    std::set<std::uintptr_t> isolated;
    for (std::size_t i = 0; i < at.size(); ++i) {
      const auto found = pages.find(at[i]);
      int error = found == pages.end() ? -EFAULT : -found->second.error;
      if (!error && found->second.node == no_node) error = -ENOENT;
      if (!error && found->second.node != node) {
        if (!huge.contains(block_of(at[i])) || isolated.insert(block_of(at[i])).second) continue;
        error = -EBUSY;
      }
      status[i] = error ? error : node;
      if (const long stop = run(at.subspan(start, i - start), node, status + start))
        return rest(stop, at.size() - i - 1);
      start = i + 1;
      isolated.clear();
    }
    return run(at.subspan(start), node, status + start);
  }

  static std::uintptr_t block_of(std::uintptr_t address) { return address >> 21 << 21; }

  static long rest(long stop, std::size_t pages_after) {
    return stop < 0 ? stop : stop + static_cast<long>(pages_after);
  }

  long run(std::span<const std::uintptr_t> at, int node, int* status) {
    long stayed = 0;
    for (const std::uintptr_t address : at) {
      Page& page = pages[address];
      if (page.busy_calls != 0) {
        page.busy_calls -= page.busy_calls > 0;
        ++stayed;
        continue;
      }
      const bool whole = huge.contains(block_of(address));
      const std::uintptr_t first = whole ? block_of(address) : address;
      const long count = whole ? 512 : 1;
      if (room[node] < count) return -ENOMEM;
      room[node] -= count;
      room[page.node] += count;
      for (long k = 0; k < count; ++k) pages[first + static_cast<std::uintptr_t>(k) * 4096].node = node;
      order.push_back(address);
    }
    if (stayed == 0) std::fill_n(status, at.size(), node);
    return stayed;
  }
};

}  // namespace lbhm::host
