// One batch of pages, and what move_pages(2) makes of it.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "runtime/machine/machine.h"

namespace lbhm::host {

/// move_pages(2) on pages of this process: where they are if `nodes` is null, else moves pages[i] to nodes[i].
/// status[i]: a node, or a negative error number, or as it was where the kernel stopped early. Result: a negative error
/// number, 0, or (since 4.17) the number of pages that stayed, those after the one at which it stopped included.
using MovePagesCall =
    std::function<long(std::size_t count, const std::uintptr_t* pages, const int* nodes, int* status)>;

/// No memory node: the page is not there.
inline constexpr int no_node = -1;

/// The kernel.
MovePagesCall move_pages_call();

/// Used by one thread at a time; keeps its memory for the next batch. Functions throw std::bad_alloc only.
class PageBatch {
 public:
  PageBatch(const MovePagesCall& call, unsigned retries) : call_(call), retries_(retries) {}

  /// As PageMover::where. Returns what the call did.
  long where(std::span<const std::uintptr_t> pages, std::span<int> out);
  /// As PageMover::move. Returns the error number that the kernel refused a whole call with, or 0.
  long move(std::span<const std::uintptr_t> pages, std::span<const int> nodes, std::span<PageStatus> out);

 private:
  /// Pages that are in the tier are done, pages without contents too; the others are to do.
  void sort_out(std::span<const std::uintptr_t> pages, std::span<const int> nodes, std::span<PageStatus> out);
  /// Of those for which the kernel knows no page, keeps the ones with contents.
  void keep_present(std::span<const std::uintptr_t> pages, std::span<PageStatus> out);
  /// Moves what is to do to this node until all are there or `retries_` calls in a row changed nothing. What may fit on
  /// another node is to do afterwards.
  long push(std::span<const std::uintptr_t> pages, int node, std::span<PageStatus> out);
  /// One call for all that is to do. Fills status_.
  long ask(std::span<const std::uintptr_t> pages, int node);
  /// Takes the answers of a call. False if nothing is done that was to do before.
  bool settle(long result, std::span<PageStatus> out);

  const MovePagesCall& call_;
  unsigned retries_;
  std::vector<std::uint32_t> to_do_;  ///< indices into the batch
  std::vector<std::uint32_t> absent_;
  // Of to_do_, in its order:
  std::vector<std::uintptr_t> asked_;
  std::vector<int> target_;
  std::vector<int> status_;
};

}  // namespace lbhm::host
