#include "runtime/host/page_mover.h"

#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <memory>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

#include "runtime/host/machine_threads.h"
#include "runtime/host/memory_calls.h"

namespace lbhm::host {
namespace {

/// The kernel leaves the status of pages alone that it did not come to. No error number, and no node.
constexpr int not_asked = INT_MIN;

/// What a page's negative status says (move_pages(2), ERRORS; "Page states in the status array").
PageStatus meaning(int status) {
  switch (-status) {
    case EBUSY:  // pinned, or isolated by somebody else
    case EAGAIN:
    case EIO:  // dirty and not to be written back now
      return PageStatus::busy;
    case ENOMEM:
      return PageStatus::full;
    case EACCES:  // other processes map it, too
    case EPERM:
    case EINVAL:  // its file system cannot move it
      return PageStatus::denied;
    default:  // ENOENT: no contents; EFAULT: no mapping, or the zero page
      return PageStatus::unmapped;
  }
}

/// Another call may find the page otherwise.
bool may_change(int status) { return status == not_asked || status == -ENOENT || meaning(status) == PageStatus::busy; }

/// No sleep is longer, whatever the limit: the machine ends when its threads do.
constexpr std::chrono::duration<double, std::nano> longest = std::chrono::seconds(1);

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

MovePagesCall move_pages_call() {
  return [](std::size_t count, const std::uintptr_t* pages, const int* nodes, int* status) {
    return move_pages(count, reinterpret_cast<void* const*>(pages), nodes, status);
  };
}

long PageBatch::where(std::span<const std::uintptr_t> pages, std::span<int> out) {
  const long result = call_(pages.size(), pages.data(), nullptr, out.data());
  for (int& node : out) {
    if (result < 0 || node < 0) node = no_node;
  }
  return result;
}

long PageBatch::move(std::span<const std::uintptr_t> pages, std::span<const int> nodes, std::span<PageStatus> out) {
  std::ranges::fill(out, PageStatus::denied);
  status_.assign(pages.size(), not_asked);
  // Only this tells pages that move from pages that are there. It also keeps pages that are there out of the calls that
  // move: each such page would make the kernel begin a batch of its own (mm/migrate.c, do_pages_move).
  if (const long result = call_(pages.size(), pages.data(), nullptr, status_.data()); result < 0) return result;
  sort_out(pages, nodes, out);
  long refused = 0;
  for (const int node : nodes) {
    if (to_do_.empty()) break;
    refused = push(pages, node, out);
  }
  return refused;
}

void PageBatch::sort_out(std::span<const std::uintptr_t> pages, std::span<const int> nodes, std::span<PageStatus> out) {
  to_do_.clear();
  absent_.clear();
  for (std::uint32_t i = 0; i < pages.size(); ++i) {
    if (std::ranges::find(nodes, status_[i]) != nodes.end()) {
      out[i] = PageStatus::already;
    } else if (status_[i] >= 0) {
      to_do_.push_back(i);
    } else {
      out[i] = meaning(status_[i]);
      if (status_[i] == -ENOENT) absent_.push_back(i);
    }
  }
  keep_present(pages, out);
}

void PageBatch::keep_present(std::span<const std::uintptr_t> pages, std::span<PageStatus> out) {
  if (absent_.empty()) return;
  asked_.clear();
  for (const std::uint32_t i : absent_) asked_.push_back(pages[i]);
  const auto present = std::make_unique<bool[]>(absent_.size());
  have_contents(asked_, {present.get(), absent_.size()});
  for (std::size_t k = 0; k < absent_.size(); ++k) {
    if (!present[k]) continue;
    out[absent_[k]] = PageStatus::busy;
    to_do_.push_back(absent_[k]);
  }
  std::ranges::sort(to_do_);
}

long PageBatch::ask(std::span<const std::uintptr_t> pages, int node) {
  asked_.clear();
  for (const std::uint32_t i : to_do_) asked_.push_back(pages[i]);
  target_.assign(to_do_.size(), node);
  status_.assign(to_do_.size(), not_asked);
  const long result = call_(asked_.size(), asked_.data(), target_.data(), status_.data());
  // Where it stopped early, pages may have arrived of which it said nothing.
  if ((result > 0 || result == -ENOMEM) && std::ranges::find(status_, not_asked) != status_.end()) {
    target_.assign(to_do_.size(), not_asked);
    if (call_(asked_.size(), asked_.data(), nullptr, target_.data()) < 0) return result;
    for (std::size_t k = 0; k < status_.size(); ++k) {
      if (status_[k] == not_asked && target_[k] == node) status_[k] = node;
    }
  }
  return result;
}

bool PageBatch::settle(long result, std::span<PageStatus> out) {
  const std::size_t before = to_do_.size();
  std::size_t kept = 0;
  for (std::size_t k = 0; k < before; ++k) {
    const std::uint32_t i = to_do_[k];
    if (status_[k] >= 0) {
      out[i] = PageStatus::moved;
      continue;
    }
    // A page that was there a moment ago and is not to be found now is on its way, too.
    out[i] = may_change(status_[k]) ? PageStatus::busy : meaning(status_[k]);
    if (status_[k] == not_asked && result == -ENOMEM) out[i] = PageStatus::full;
    if (out[i] == PageStatus::busy || out[i] == PageStatus::full) to_do_[kept++] = i;
  }
  to_do_.resize(kept);
  return kept < before;
}

long PageBatch::push(std::span<const std::uintptr_t> pages, int node, std::span<PageStatus> out) {
  for (unsigned idle = 0; !to_do_.empty() && idle <= retries_;) {
    if (idle > 0) std::this_thread::yield();
    const long result = ask(pages, node);
    if (result < 0 && result != -ENOMEM && result != -EINTR) return result;
    idle = settle(result, out) ? 0 : idle + 1;
    if (result == -ENOMEM) break;
  }
  // Those that are busy here are busy on the way to any other node.
  std::erase_if(to_do_, [&](std::uint32_t i) { return out[i] != PageStatus::full; });
  return 0;
}

void Pace::wait() const {
  if (!(limit_.value > 0)) return;
  Clock::time_point free_at;
  {
    const std::lock_guard guard(lock_);
    free_at = free_at_;
  }
  std::this_thread::sleep_until(free_at);
}

void Pace::took(Bytes bytes) {
  if (!(limit_.value > 0)) return;
  const auto cost = std::min(longest, std::chrono::duration<double, std::nano>(double(bytes.value) / limit_.value));
  const std::lock_guard guard(lock_);
  free_at_ = std::max(free_at_, Clock::now()) + std::chrono::duration_cast<Clock::duration>(cost);
}

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
