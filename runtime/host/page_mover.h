// Moves pages between memory nodes, batch by batch and within a rate, and tells where they are.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "runtime/base/units.h"
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

/// Calls may come from any thread.
class Pace {
 public:
  /// `limit`: of all threads together; 0 (or less): none.
  explicit Pace(BytesPerNanosecond limit) : limit_(limit) {}

  /// Sleeps until what was taken before is paid for; bytes moved at the limit take that long.
  void wait() const;
  /// So much was moved.
  void took(Bytes bytes);

 private:
  using Clock = std::chrono::steady_clock;

  BytesPerNanosecond limit_;
  mutable std::mutex lock_;
  Clock::time_point free_at_{};
};

struct PageMoverOptions {
  std::size_t batch_pages = 4096;   ///< pages a call of move_pages
  unsigned threads = 1;             ///< that move at the same time; more than one only from about 1,000 pages each
  unsigned retries = 3;             ///< for pages that were busy
  BytesPerNanosecond rate_limit{};  ///< 0: none
  MovePagesCall call{};             ///< empty: the kernel's; tests put another one in its place
};

/// Calls may come from any thread. Nothing throws.
class PageMover {
 public:
  explicit PageMover(const PageMoverOptions& options = {});
  ~PageMover();
  PageMover(const PageMover&) = delete;
  PageMover& operator=(const PageMover&) = delete;

  /// out[i]: the node of pages[i]. `pages` and `out` have one length.
  void where(std::span<const std::uintptr_t> pages, std::span<int> out);
  /// Moves pages to one of `nodes`, the first with room, in the order given; status by page. Pages on any of `nodes`
  /// are `already` there. Pages that nobody touched yet are `unmapped`; pages that other processes map, too, are
  /// `denied`; PROT_NONE pages move where the kernel can (6.12) and else are `busy` (6.1). A node that this machine
  /// does not have or that the process may not use: `denied`.
  void move(std::span<const std::uintptr_t> pages, std::span<const int> nodes, std::span<PageStatus> out);
  /// True once the kernel refused every call (ENOSYS, EPERM): nothing can be moved here.
  bool refused() const;
  /// For the report: empty when all is well; otherwise what the kernel refused, and the remedy.
  std::string remark() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace lbhm::host
