// The machine contract in memory, with failures as the test orders them. See README.md.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <numeric>
#include <optional>
#include <set>

#include "runtime/machine/machine.h"
#include "tests/fake/fake_execution.h"
#include "tests/fake/fake_observer.h"
#include "tests/fake/fake_samples.h"

namespace lbhm::fake {

class FakeMachine final : public Machine {
 public:
  static constexpr unsigned always = ~0U;

  struct MoveCall {
    TierId to;
    std::vector<std::uintptr_t> pages;
  };

  /// Tiers of so many pages each, the fastest first; each is twice as slow as the one before.
  explicit FakeMachine(const std::vector<std::uint64_t>& tier_pages) {
    topology_.name = "fake";
    topology_.description = "In memory, fails as told.";
    double factor = 1;
    for (const std::uint64_t pages : tier_pages) {
      topology_.tiers.push_back({.name = "tier" + std::to_string(topology_.tiers.size()),
                                 .capacity = topology_.page * pages,
                                 .latency_sequential = Nanoseconds(80 * factor),
                                 .latency_random = Nanoseconds(100 * factor),
                                 .read_bandwidth = BytesPerNanosecond(100 / factor),
                                 .write_bandwidth = BytesPerNanosecond(50 / factor)});
      factor *= 2;
    }
    used_.resize(tier_pages.size());
    default_order_.resize(tier_pages.size());
    for (std::size_t t = 0; t < tier_pages.size(); ++t) default_order_[t] = TierId(static_cast<std::uint8_t>(t));
  }
  ~FakeMachine() override {
    for (const auto& [address, memory] : reserved_) std::free(memory);
  }

  // For the test. Pages that are mapped here need no memory behind them; nothing ever looks into them.
  void map(std::uintptr_t address, std::uint64_t pages) { map_to(address, pages, no_tier); }
  /// Maps pages and puts them into a tier, full or not.
  void put(std::uintptr_t address, std::uint64_t pages, TierId tier) { map_to(address, pages, tier); }
  /// The same of pages that no object has.
  void put_unmanaged(std::uintptr_t address, std::uint64_t pages, TierId tier) {
    put(address, pages, tier);
    unmanaged_.push_back({address, topology_.page * pages});
  }
  /// They stay mapped.
  void forget_unmanaged() { unmanaged_.clear(); }
  void unmap(std::uintptr_t address, std::uint64_t pages) {
    const std::lock_guard guard(lock_);
    for (std::uint64_t i = 0; i < pages; ++i) forget(address + i * topology_.page.value);
  }
  /// Blocks of so many pages, aligned to that, may be huge pages from now on; these are.
  void join(std::uint64_t pages, std::initializer_list<std::uintptr_t> blocks) {
    unit_pages_ = pages;
    whole_.insert(blocks.begin(), blocks.end());
  }
  /// First touch: pages in no tier appear where they are preferred.
  void touch(std::uintptr_t address, std::uint64_t pages) {
    const std::lock_guard guard(lock_);
    for (std::uint64_t i = 0; i < pages; ++i) appear(address + i * topology_.page.value);
  }
  /// The next `times` attempts to move this page end in `status`.
  void fail_page(std::uintptr_t page, PageStatus status, unsigned times = always) {
    page_faults_[page] = {status, times};
  }
  /// The next `times` attempts to move any page end in `status`.
  void fail_all(PageStatus status, unsigned times = always) { fault_ = {status, times}; }
  /// Every tier answers like the first from now on; their bandwidths stay.
  void answer_alike() {
    for (Tier& tier : topology_.tiers) tier.latency_random = topology_.tiers.front().latency_random;
  }
  /// A tier answers so soon from now on.
  void set_latency(TierId tier, Nanoseconds latency) { topology_.tiers[tier.value].latency_random = latency; }
  /// All bandwidths are so many times smaller from now on.
  void divide_bandwidths(double by) {
    for (Tier& tier : topology_.tiers)
      tier.read_bandwidth = tier.read_bandwidth / by, tier.write_bandwidth = tier.write_bandwidth / by;
  }
  /// Nobody knows latencies or bandwidths from now on.
  void forget_figures() {
    for (Tier& tier : topology_.tiers)
      tier.latency_random = tier.latency_sequential = {}, tier.read_bandwidth = tier.write_bandwidth = {};
  }
  void refuse_reserve(bool refuse) { refuse_reserve_ = refuse; }
  void set_events(const EventCounts& events) { events_ = events; }
  /// The machine can count all threads' events only when the test says what they did.
  void set_all_events(const EventCounts& events) { all_events_ = events; }
  void set_accesses(std::vector<AccessCount> accesses) { accesses_ = std::move(accesses); }
  void set_remarks(std::vector<std::string> remarks) { remarks_ = std::move(remarks); }
  /// What every move between different tiers costs from now on, by bytes; 0: as the contract has it.
  void set_copy_bandwidth(BytesPerNanosecond bandwidth) { copy_bandwidth_ = bandwidth; }
  /// How busy tiers were so far; at first nobody knows.
  void set_tier_use(std::vector<TierUse> use) { use_ = std::move(use); }
  std::vector<TierUse> tier_use() override { return use_; }
  const std::vector<MoveCall>& moves() const { return moves_; }
  /// Pages that where() was asked for.
  std::uint64_t asked_where() const { return asked_where_; }
  TierId tier_of(std::uintptr_t page) {
    TierId tier;
    where({&page, 1}, {&tier, 1});
    return tier;
  }
  /// What Machine::every was asked for, in that order; the test runs it.
  struct Daemon {
    Nanoseconds interval;
    std::function<void()> duty;
  };
  const std::vector<Daemon>& daemons() const { return daemons_; }
  void run_daemons() const {
    for (const Daemon& daemon : daemons_) daemon.duty();
  }
  FakeExecution& fake_execution() { return execution_; }
  FakeSamples& fake_samples() { return samples_; }
  FakeSamples& fake_touches() { return touches_; }
  void offer_touches(AccessCount period) {
    touches_.set_period(period);
    touches_offered_ = true;
  }
  /// The machine can watch pages only when the test asks for this.
  FakeObserver& fake_observer() {
    watching_ = true;
    return observer_;
  }

  const Topology& topology() const override { return topology_; }
  Result<void*> reserve(Bytes bytes, Bytes alignment) override;
  void release(void* address, Bytes bytes) override;
  Status prefer(std::uintptr_t address, Bytes bytes, std::span<const TierId> order) override;
  Status prefer_default(std::span<const TierId> order) override;
  Status prefer_unmanaged(std::span<const TierId> order) override {
    unmanaged_order_.assign(order.begin(), order.end());
    return {};
  }
  std::vector<PageRange> unmanaged() override { return unmanaged_; }
  const std::vector<TierId>& unmanaged_order() const { return unmanaged_order_; }
  std::vector<PageRange> touched(PageRange range) override;
  void where(std::span<const std::uintptr_t> pages, std::span<TierId> out) override;
  void move(std::span<const std::uintptr_t> pages, TierId to, std::span<PageStatus> out) override;
  Nanoseconds move_time(Bytes bytes, TierId from, TierId to) const override {
    if (from == to || !(copy_bandwidth_.value > 0)) return Machine::move_time(bytes, from, to);
    return Nanoseconds(static_cast<double>(bytes.value) / copy_bandwidth_.value);
  }
  Bytes largest_unit() override { return topology_.page * unit_pages_; }
  bool moves_whole(std::uintptr_t address) override { return whole_.contains(block_of(address)); }
  Bytes room(TierId tier) override;
  Bytes peak_footprint() override { return topology_.page * peak_; }
  Status every(Nanoseconds interval, std::function<void()> duty) override {
    daemons_.push_back({interval, std::move(duty)});
    return {};
  }
  Execution& execution() override { return execution_; }
  SampleSource* samples() override { return &samples_; }
  SampleSource* touches() override { return touches_offered_ ? &touches_ : nullptr; }
  PageObserver* observer() override { return watching_ ? &observer_ : nullptr; }
  EventCounts events() override { return events_; }
  std::optional<EventCounts> all_events() override { return all_events_; }
  std::vector<AccessCount> accesses() override { return accesses_; }
  std::vector<std::string> remarks() override { return remarks_; }

 private:
  struct Page {
    TierId tier = no_tier;
    std::vector<TierId> order;  ///< preference of its own; empty: the default
  };
  struct Fault {
    PageStatus status = PageStatus::busy;
    unsigned times = 0;

    std::optional<PageStatus> strike() {
      if (times == 0) return std::nullopt;
      if (times != always) --times;
      return status;
    }
  };

  std::uint64_t page_count(Bytes bytes) const {
    return (bytes.value + topology_.page.value - 1) / topology_.page.value;
  }
  bool full(TierId tier, std::uint64_t pages = 1) const {
    return topology_.page * (used_[tier.value] + pages) > topology_.tiers[tier.value].capacity;
  }
  void map_to(std::uintptr_t address, std::uint64_t pages, TierId tier);
  void settle(Page& page, TierId tier);
  void forget(std::uintptr_t address);
  void appear(std::uintptr_t address);
  PageStatus move_page(std::uintptr_t address, TierId to);
  PageStatus move_block(std::uintptr_t block, TierId to);
  std::uintptr_t block_of(std::uintptr_t address) const {
    const std::uint64_t bytes = std::max<std::uint64_t>(1, topology_.page.value * unit_pages_);
    return address / bytes * bytes;
  }

  Topology topology_;
  std::mutex lock_;
  std::map<std::uintptr_t, Page> pages_;
  std::uint64_t unit_pages_ = 1;
  std::set<std::uintptr_t> whole_;   ///< huge pages, by their first addresses
  std::vector<std::uint64_t> used_;  ///< pages, by tier
  std::uint64_t peak_ = 0;
  std::uint64_t asked_where_ = 0;
  std::vector<TierId> default_order_, unmanaged_order_;
  std::vector<PageRange> unmanaged_;
  std::map<std::uintptr_t, void*> reserved_;
  std::map<std::uintptr_t, Fault> page_faults_;
  Fault fault_;
  bool refuse_reserve_ = false;
  BytesPerNanosecond copy_bandwidth_{};
  std::vector<TierUse> use_;
  std::vector<MoveCall> moves_;
  std::vector<Daemon> daemons_;
  EventCounts events_;
  std::optional<EventCounts> all_events_;
  std::vector<AccessCount> accesses_;
  std::vector<std::string> remarks_;
  FakeExecution execution_;
  FakeSamples samples_;
  FakeSamples touches_;
  bool touches_offered_ = false;
  FakeObserver observer_;
  bool watching_ = false;
};

}  // namespace lbhm::fake

#include "tests/fake/fake_machine_memory.h"
