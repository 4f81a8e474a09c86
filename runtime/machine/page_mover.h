// Moves pages between memory nodes, and tells where they are.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "runtime/machine/machine.h"
#include "runtime/machine/page_batch.h"

namespace lbhm::host {

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
