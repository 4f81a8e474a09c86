#include "runtime/machine/page_batch.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <memory>
#include <thread>

#include "runtime/machine/memory_calls.h"
#include "runtime/machine/page_mover.h"
#include "runtime/machine/page_presence.h"

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

}  // namespace lbhm::host
