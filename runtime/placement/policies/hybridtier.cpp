// hybridtier: HybridTier (Song, Yang, Wang, Zhao, Liu, Pekhimenko: "HybridTier: an Adaptive and Lightweight CXL-Memory
// Tiering System", ASPLOS '25, arXiv:2312.04789). Looked up: the abstract, and the authors' runtime for 4 KiB pages
// (kevins981/hybridtier-asplos25-artifact, tiering_runtime/hybridtier.cpp), which all steps and figures are of.
//
// Sampled loads are counted by page, in two sketches (page_sketch.h): one that forgets slowly (frequency) and one that
// forgets soon (momentum). After each batch of samples those of its pages come to fast memory that are hot in either.
// When fast memory is filled to the allocation watermark, a walk through the program's pages demotes until the demotion
// watermark is free: pages that are neither frequent nor have momentum; frequent ones without momentum get a second
// chance, and go if no sample has come a minute later.
//
// Numbers of samples and times scale with the footprint, for which HybridTier's largest graph stands; when frequencies
// are halved depends on the pages of fast memory, as published. LBHM_PACE leaves both sketches alone: what they forget
// belongs to their sizes. Pages are known to the sketches by the order in which they appeared, not by addresses, so
// that runs repeat.
//
// With more than two tiers hot pages of any slower one come to tier 0, and what leaves goes to the next with room.
//
// Not here: huge pages. Monitor mode, in which sampling is off while little is promoted, and the lower threshold of
// frequency on the way there. Sampling periods by tier: the machine's is fixed. The runtime's own processor time is not
// charged, as that of memtis.
#include <cmath>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <vector>

#include "runtime/placement/daemons/daemon.h"
#include "runtime/placement/daemons/page_sketch.h"
#include "runtime/placement/policies/tier_orders.h"

namespace lbhm::policies {
namespace {

using namespace placement;

class HybridTier final : public Policy {
 public:
  explicit HybridTier(const PolicyOptions& options) : pace_(options.pace) {}
  std::string_view name() const override { return "hybridtier"; }
  Needs needs(const Topology& machine) const override {
    return {.first_touch = fastest_first(machine), .interval = daemon_interval, .samples = true};
  }

  void on_interval(PolicyContext& context) override {
    Machine& machine = context.machine();
    const Topology& topology = machine.topology();
    const Nanoseconds now = machine.execution().now();
    if (machine.samples() == nullptr || topology.tiers.size() < 2 || !alarm_.rings(now)) return;
    context.samples(samples_);
    std::erase_if(samples_, [](const AccessSample& sample) { return sample.write || sample.tier == no_tier; });
    scale_ = pace_ * (machine.peak_footprint() / published_footprint);
    const auto batch = std::max<std::size_t>(1, static_cast<std::size_t>(std::llround(batch_samples * scale_)));
    if (samples_.size() < batch) return;
    if (!frequency_) {
      const double pages = topology.tiers[0].capacity / topology.page;
      frequency_ = std::make_unique<PageSketch>(pages, 1, pages * aging_by_page);
      momentum_ = std::make_unique<PageSketch>(pages, momentum_share, momentum_aging * scale_ / pace_);
    }
    look(context);
    promote(context, batch);
    demote(context, now);
  }

 private:
  static constexpr TierId fast{0};

  /// Assumption: of its workloads the one whose size can be told. run_gap.sh: -g 31 -k 4, a graph of 2^31 vertices with
  /// 2^34 neighbours of 4 bytes and 2^31 offsets of 8.
  static constexpr Bytes published_footprint{std::uint64_t{85'900'000'000}};

  static constexpr double batch_samples = 100'000;        // SAMPLE_BATCH_SIZE
  static constexpr unsigned hot_frequency = 5;            // initial_hot_thresh
  static constexpr unsigned hot_momentum = 3;             // momentum_thresh
  static constexpr double aging_by_page = 16 * 10;        // SAMPLE_SIZE: samples by page of fast memory
  static constexpr double momentum_share = 0.01;          // of the counters, for the sketch of momentum
  static constexpr double momentum_aging = 1.1e6;         // samples
  static constexpr double demotion_watermark = 0.05;      // DEMOTE_WMARK, of fast memory
  static constexpr double allocation_watermark = 0.0125;  // ALLOC_WMARK
  static constexpr Nanoseconds second_chance{60e9};       // until a frequent page is looked at again
  static constexpr double second_chances = 10'000;        // pages that wait for it at most
  // Where more is demoted in a second, a second's rest follows (demotion_throttle_secs), until it is less than little.
  static constexpr BytesPerNanosecond much{100 * 0x1p20 / 1e9};
  static constexpr BytesPerNanosecond little{10 * 0x1p20 / 1e9};
  static constexpr Nanoseconds rest{1e9};

  struct Sketched {
    std::uint64_t key = 0;  // in the sketches; 0: not yet
  };
  using Pages = ProgramPages<Sketched>;

  void look(PolicyContext& context) {
    pages_.refresh(context);
    for (Pages::Page& page : pages_.all())
      if (page.tier != no_tier && page.state.key == 0) page.state.key = ++keys_;
  }

  /// All complete batches. Candidates come in the order of the pages (in move_pages it is by chance) while there is
  /// room.
  void promote(PolicyContext& context, std::size_t batch) {
    std::set<Pages::Page*> hot;  // in the order of the pages, as they lie in one array
    std::size_t at = 0;
    for (; at + batch <= samples_.size(); at += batch) {
      std::map<Pages::Page*, unsigned> counts;
      const std::uint64_t bytes = context.machine().topology().page.value;
      for (const AccessSample& sample : std::span(samples_).subspan(at, batch)) {
        Pages::Page* const page = pages_.find(sample.address / bytes * bytes);
        if (page != nullptr && page->state.key != 0) ++counts[page];
      }
      for (const auto& [page, count] : counts) {
        const bool frequent = frequency_->add(page->state.key, count) >= hot_frequency;
        const bool moving = momentum_->add(page->state.key, count) >= hot_momentum;
        if ((frequent || moving) && page->tier != fast) hot.insert(page);
      }
    }
    samples_.erase(samples_.begin(), samples_.begin() + static_cast<std::ptrdiff_t>(at));
    std::vector<Pages::Page*> pages(hot.begin(), hot.end());
    const std::size_t room = context.machine().room(fast).value / context.machine().topology().page.value;
    if (pages.size() > room) pages.resize(room);
    move(context, pages, true);
  }

  void demote(PolicyContext& context, Nanoseconds now) {
    Machine& machine = context.machine();
    if (pages_below_watermark(machine, fast, allocation_watermark) == 0) return;
    if (!waiting_.empty() && now - looked_again_ > second_chance * scale_) {
      move(context, chances_lost(), false);
      looked_again_ = now;
    }
    const std::size_t wanted = pages_below_watermark(machine, fast, demotion_watermark);
    const std::vector<Pages::Page*> cold = coldest(wanted);
    move(context, cold, false);

    const Bytes bytes = machine.topology().page * cold.size();
    const BytesPerNanosecond rate(static_cast<double>(bytes.value) / std::max(1.0, (now - demoted_).value));
    if (rate > much) throttled_ = true;
    if (rate < little) throttled_ = false;
    demoted_ = now;
    if (throttled_) alarm_.set(now + rest * scale_);
  }

  /// The walk goes on where the last one ended, and begins anew after the last page.
  std::vector<Pages::Page*> coldest(std::size_t wanted) {
    std::vector<Pages::Page*> cold;
    const std::span<Pages::Page> all = pages_.all();
    for (; next_ < all.size() && cold.size() < wanted; ++next_) {
      Pages::Page& page = all[next_];
      if (page.tier != fast || momentum_->count(page.state.key) > 0) continue;
      const unsigned frequency = frequency_->count(page.state.key);
      if (frequency < hot_frequency)
        cold.push_back(&page);
      else if (static_cast<double>(waiting_.size()) < second_chances * scale_)
        waiting_.push_back({page.address, without_one_of_most(page.state.key, frequency)});
    }
    if (next_ >= all.size()) next_ = 0;
    return cold;
  }

  /// A counter that is full cannot show a further sample.
  unsigned without_one_of_most(std::uint64_t key, unsigned frequency) {
    if (frequency < PageSketch::most) return frequency;
    frequency_->take_one(key);
    return frequency - 1;
  }

  std::vector<Pages::Page*> chances_lost() {
    std::vector<Pages::Page*> lost;
    for (const Waiting& waiting : waiting_) {
      Pages::Page* const page = pages_.find(waiting.address);
      if (page != nullptr && page->tier == fast && frequency_->count(page->state.key) == waiting.frequency)
        lost.push_back(page);
    }
    waiting_.clear();
    return lost;
  }

  void move(PolicyContext& context, const std::vector<Pages::Page*>& pages, bool up) {
    MigrationPlan plan;
    TierBelow below(context.machine(), fast);
    std::vector<std::uintptr_t> addresses;
    for (const Pages::Page* const page : pages) {
      add_move(plan, page->address, context.machine().topology().page, up ? fast : below.next());
      addresses.push_back(page->address);
    }
    context.migrate(plan);
    std::vector<TierId> tiers(pages.size());
    context.where(addresses, tiers);
    for (std::size_t i = 0; i < pages.size(); ++i) pages[i]->tier = tiers[i];
  }

  struct Waiting {
    std::uintptr_t address;
    unsigned frequency;
  };

  double pace_;
  double scale_ = 0;
  Alarm alarm_;
  std::vector<AccessSample> samples_;
  Pages pages_;
  std::uint64_t keys_ = 0;
  std::unique_ptr<PageSketch> frequency_, momentum_;
  std::size_t next_ = 0;          // page that the walk goes on with
  std::vector<Waiting> waiting_;  // for a second chance
  Nanoseconds looked_again_, demoted_;
  bool throttled_ = false;
};

}  // namespace

std::unique_ptr<Policy> make_hybridtier(const PolicyOptions& options) { return std::make_unique<HybridTier>(options); }

}  // namespace lbhm::policies
