// Pages whose translations the cores have to forget: the pages of a move, for example.
//
// The core that flushes pays for it at once. The others notice when the quantum has ended, whenever in real time that
// is, and pay for one interrupt a batch; for a batch that fell out by itself nobody pays anything.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <span>

#include "emulator/base/private_memory.h"
#include "emulator/memory/preferences.h"

namespace lbhm::emulator {

class TlbFlushes {
 public:
  struct Batch {
    std::uint64_t core = 0;           ///< who asked for it
    bool everything = false;          ///< more pages than are worth naming
    bool interrupts = true;           ///< false: nobody asked the others, the translations fell out by themselves
    PrivateVector<PageNumber> pages;  ///< if not everything
  };
  /// Linux flushes the whole TLB for more pages than these (tlb_single_page_flush_ceiling of arch/x86/mm/tlb.c).
  static constexpr std::size_t most_single_pages = 33;

  void add(std::uint64_t core, std::span<const PageNumber> pages) {
    const std::lock_guard guard(lock_);
    add({.core = core, .pages = {}}, pages, most_single_pages);
  }

  /// Pages whose translations would have been replaced by now; above `most` a whole TLB is full of them.
  void fell_out(std::uint64_t core, std::span<const PageNumber> pages, std::size_t most) {
    const std::lock_guard guard(lock_);
    add({.core = core, .interrupts = false, .pages = {}}, pages, most);
  }

  /// The quantum is over.
  void publish() {
    const std::lock_guard guard(lock_);
    for (Batch& batch : pending_) published_.push_back(std::move(batch));
    count_.fetch_add(pending_.size(), std::memory_order_release);
    pending_.clear();
    while (published_.size() > remembered) published_.pop_front();
  }

  /// Published so far.
  std::uint64_t count() const { return count_.load(std::memory_order_acquire); }

  /// Calls `visit` with every batch since `seen`, which then counts them. False if some are forgotten already.
  template <class Visit>
  bool since(std::uint64_t& seen, Visit visit) {
    const std::lock_guard guard(lock_);
    const std::uint64_t all = count_.load(std::memory_order_relaxed);
    const std::uint64_t missed = all - std::exchange(seen, all);
    const std::size_t known = missed < published_.size() ? missed : published_.size();
    for (std::size_t i = published_.size() - known; i < published_.size(); ++i) visit(published_[i]);
    return known == missed;
  }

 private:
  static constexpr std::size_t remembered = 4096;

  void add(Batch batch, std::span<const PageNumber> pages, std::size_t most) {
    batch.everything = pages.size() > most;
    if (!batch.everything) batch.pages.assign(pages.begin(), pages.end());
    pending_.push_back(std::move(batch));
  }

  std::mutex lock_;
  PrivateVector<Batch> pending_;
  PrivateDeque<Batch> published_;
  std::atomic<std::uint64_t> count_{0};
};

}  // namespace lbhm::emulator
