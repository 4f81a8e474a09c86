#include "runtime/machine/page_mover.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

#include "runtime/machine/pace.h"
#include "runtime/machine/quiet_thread.h"

namespace lbhm::host {

struct PageMover::State {
  explicit State(const PageMoverOptions& wanted) : options(wanted), pace(wanted.rate_limit) {
    options.batch_pages = std::max<std::size_t>(options.batch_pages, 1);
    options.threads = std::max(options.threads, 1u);
    if (!options.call) options.call = move_pages_call();
  }

  void note(long result) {
    if (result < 0) {
      error.store(static_cast<int>(-result), std::memory_order_relaxed);
      failed.fetch_add(1, std::memory_order_relaxed);
    }
    if (result == -ENOSYS || result == -EPERM) {
      refused.store(true, std::memory_order_relaxed);
    } else if (result >= 0) {
      worked.store(true, std::memory_order_relaxed);
    }
  }
  bool nothing_works() const {
    return refused.load(std::memory_order_relaxed) && !worked.load(std::memory_order_relaxed);
  }

  PageMoverOptions options;
  Pace pace;
  Bytes page{static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE))};
  std::atomic<bool> worked{false};
  std::atomic<bool> refused{false};
  std::atomic<int> error{0};             ///< of the last call that failed as a whole
  std::atomic<std::uint64_t> failed{0};  ///< such calls
};

namespace {

/// A helper has to copy for a while before it has paid for its start (tens of microseconds; a page takes about one).
constexpr std::size_t least_pages_a_helper = 1024;

/// Pages a batch: as asked for, and fewer if helpers would have nothing to do otherwise.
std::size_t batch_of(std::size_t count, const PageMoverOptions& options, unsigned threads) {
  const std::size_t share = (count + threads - 1) / threads;
  return std::min(options.batch_pages, std::max(share, least_pages_a_helper));
}

/// Calls work(batch, first, last) for all batches of `count` pages, in their order, on `threads` threads at most.
template <class Work>
void in_batches(std::size_t count, const PageMoverOptions& options, unsigned threads, const Work& work) {
  const std::size_t size = batch_of(count, options, threads);
  std::atomic<std::size_t> next{0};
  const auto serve = [&] {
    try {
      PageBatch batch(options.call, options.retries);
      for (std::size_t first; (first = next.fetch_add(size)) < count;)
        work(batch, first, std::min(count, first + size));
      // NOLINTNEXTLINE(bugprone-empty-catch): no memory for our own lists, so the pages stay where they are
    } catch (const std::bad_alloc&) {}
  };
  std::vector<std::jthread> helpers;
  try {
    while ((helpers.size() + 1) * size < count && helpers.size() + 1 < threads) helpers.push_back(quiet_thread(serve));
    // NOLINTNEXTLINE(bugprone-empty-catch): no more threads to be had, so those that are there do it all
  } catch (const std::exception&) {}
  serve();
}

Bytes copied(std::span<const PageStatus> status, Bytes page) {
  return page * static_cast<std::uint64_t>(std::ranges::count(status, PageStatus::moved));
}

}  // namespace

PageMover::PageMover(const PageMoverOptions& options) : state_(std::make_unique<State>(options)) {}
PageMover::~PageMover() = default;

void PageMover::where(std::span<const std::uintptr_t> pages, std::span<int> out) {
  std::ranges::fill(out, no_node);
  State& state = *state_;
  if (state.nothing_works()) return;
  // A question costs less than a thread.
  in_batches(pages.size(), state.options, 1, [&](PageBatch& batch, std::size_t first, std::size_t last) {
    state.note(batch.where(pages.subspan(first, last - first), out.subspan(first, last - first)));
  });
}

void PageMover::move(std::span<const std::uintptr_t> pages, std::span<const int> nodes, std::span<PageStatus> out) {
  State& state = *state_;
  std::ranges::fill(out, state.nothing_works() ? PageStatus::denied : PageStatus::busy);
  if (state.nothing_works()) return;
  const auto move_some = [&](PageBatch& batch, std::size_t first, std::size_t last) {
    const auto statuses = out.subspan(first, last - first);
    state.pace.wait();
    state.note(batch.move(pages.subspan(first, last - first), nodes, statuses));
    state.pace.took(copied(statuses, state.page));
  };
  in_batches(pages.size(), state.options, state.options.threads, move_some);
}

bool PageMover::refused() const { return state_->nothing_works(); }

std::string PageMover::remark() const {
  const State& state = *state_;
  const std::string error = std::strerror(state.error.load(std::memory_order_relaxed));
  if (state.nothing_works())
    return "move_pages is refused by the kernel (" + error +
           "): no page moves; allow it (in containers: the capability SYS_NICE or a seccomp profile with it)";
  if (const std::uint64_t failed = state.failed.load(std::memory_order_relaxed); failed > 0)
    return "move_pages failed in " + std::to_string(failed) + " calls (" + error +
           "): their pages stayed where they are; free memory if there is too little, and allow the nodes of all "
           "tiers to the process (cpuset)";
  return "";
}

}  // namespace lbhm::host
