// Door of runtime/pages: where managed pages are, kept from question to question.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "runtime/base/range_map.h"
#include "runtime/machine/machine.h"
#include "runtime/objects/objects.h"
#include "runtime/pages/page_placement.h"

namespace lbhm {

/// Asks the machine only for what may have changed: pages of new objects, pages that nobody had touched, and pages that
/// were to be moved. Moved ones are asked for one by one. Touched ones lie as threads came by: for a plan it asks for
/// one in `looked_at`, and on to the borders where two of them differ, and takes what lies between two that are alike
/// to be like them. Who asks for single pages gets no such guess. In real time the kernel moves pages, too, and
/// programs give them back: there each call also looks at some others, in turn. So a call costs what changed, and not
/// what there is. Any thread may call any of it.
class PageTracker {
 public:
  /// In real time each call looks at so many pages in turn. where() looks at no more pages than it is asked for; of
  /// many it looks at one in `turn_around` at least, so that after so many questions for all pages it has seen each.
  static constexpr std::uint64_t looked_after = 4096, turn_around = 64;
  /// Linux' own unit of neighbourhood: fault_around_bytes (mm/memory.c, since 3.15).
  static constexpr Bytes looked_at = KiB(64);
  /// Runs of moved pages that are remembered between two calls; after more all pages are asked for: some policies move
  /// for ever, and nobody asks where.
  static constexpr std::size_t most_moved = 65'536;

  explicit PageTracker(Machine& machine)
      : machine_(machine),
        page_(machine.topology().page),
        stride_of_neighbours_(std::max<std::uint64_t>(1, looked_at.value / page_.value)) {}

  /// Where the pages of all migratable objects are now.
  PagePlacement placement(const ObjectRegistry& objects);
  /// The tier of each of these pages, given by their first bytes (no_tier: not touched yet). Those of migratable
  /// objects are asked for once, and when they may have moved; untouched ones and those of no such object each time.
  /// Quickest if they come by address. `pages` and `out` have one length.
  void where(const ObjectRegistry& objects, std::span<const std::uintptr_t> pages, std::span<TierId> out);
  /// By tier, as of the last placement(): room for managed pages, which is what is free and what they hold already.
  std::vector<Bytes> rooms() const;
  /// Pages that the machine was asked to move.
  void moved(std::span<const std::uintptr_t> pages);
  /// Pages that the machine was asked for so far.
  std::uint64_t asked() const { return asked_.load(std::memory_order_relaxed); }

 private:
  /// Neighbouring pages of an object in one tier, or untouched (no_tier).
  struct Run {
    std::uint64_t first = 0;
    std::uint64_t pages = 0;
    TierId tier = no_tier;
    bool guessed = false;  ///< not asked for one by one
    bool like(const Run& other) const { return tier == other.tier && guessed == other.guessed; }
    bool operator==(const Run&) const = default;
  };
  struct Located {
    std::uintptr_t page = 0;
    TierId tier;
  };
  struct Pages {
    ObjectId id;
    std::uint64_t count = 0;
    std::vector<Run> runs{};  ///< by page; together they are all pages
    std::uint64_t untouched = 0;
  };
  using Ranges = std::vector<PageRange>;

  void follow(const ObjectRegistry& objects);
  std::unique_lock<std::mutex> turn();
  void catch_up(const ObjectRegistry& objects);
  Ranges take_moved();
  template <class Use>
  void replace(Pages& object, std::span<const Run> runs, Use answer);
  void look(std::uintptr_t address, Run pages, std::uint64_t stride, std::vector<Run>& found);
  void ask(std::uintptr_t address, Pages& object, std::span<const Run> doubtful, std::uint64_t stride);
  void ask_untouched();
  void ask_one_by_one(Ranges doubted);
  void look_after(std::uint64_t pages);
  void note(std::vector<Located> answers);
  void recall(std::span<const std::uintptr_t> pages, std::span<TierId> out) const;
  void flatten();

  Machine& machine_;
  const Bytes page_;
  const std::uint64_t stride_of_neighbours_;      // pages from one that is asked for to the next
  std::uint64_t version_ = ~std::uint64_t{0};     // of the registry
  RangeMap<Pages> objects_;                       // whole pages
  mutable std::mutex asking_;                     // whoever asks has it; guards all else but the next three
  std::mutex mutex_;                              // guards the next two
  Ranges moved_;                                  // in the order of the moves
  bool all_doubtful_ = false;                     // moved_ does not say what was moved
  std::uint64_t stride_ = stride_of_neighbours_;  // of the next plan: pages from one that is asked for to the next
  std::uintptr_t next_to_look_at_ = 0;
  bool changed_ = true;
  PagePlacement placement_;
  std::vector<Bytes> held_;  // by tier
  std::atomic<std::uint64_t> asked_{0};
};

}  // namespace lbhm
