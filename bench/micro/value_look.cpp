// What a look of policy lbhm takes on this computer: nanoseconds a sample, an offer and an object, medians of
// many looks, on the fake machine of the tests. Prints JSON by pages of the program.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <random>
#include <span>
#include <vector>

#include "runtime/placement/value/lane_prices.h"
#include "runtime/placement/value/page_market.h"
#include "runtime/placement/value/sample_worth.h"
#include "tests/runtime/placement/fake_context.h"

namespace {

using namespace lbhm;

constexpr std::uint64_t page = 4096;
constexpr std::uint32_t lanes = 12;
constexpr std::size_t samples = 200, looks = 400, objects = 100;
constexpr Nanoseconds interval{100'000}, horizon{800'000};

double nanoseconds_of(auto&& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count();
}

double median(std::vector<double> times) {
  std::ranges::nth_element(times, times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2));
  return times[times.size() / 2];
}

/// A program of objects of equal size, a quarter of them in fast memory.
class Looks {
 public:
  explicit Looks(std::uint64_t pages)
      : pages_(pages), each_(pages / objects), machine_({pages / 4, pages * 2}), context_(machine_) {
    for (std::uint64_t i = 0; i < objects; ++i) {
      context_.add(address_of(i * each_), each_, SiteId{i % 10});
      machine_.put(address_of(i * each_), each_, tier_of(i * each_));
    }
    residents_.follow(context_, pages / 4, 1, 0);
  }

  void run() {
    for (std::size_t look = 0; look < looks; ++look) {
      of_objects_.push_back(nanoseconds_of([&] { values_.follow(residents_.extents()); }) / objects);
      const std::vector<AccessSample> taken = draw(interval * static_cast<double>(look));
      of_samples_.push_back(nanoseconds_of([&] { weigh(taken, look); }) / samples);
      std::uint64_t offers = 0;
      const double time = nanoseconds_of([&] { offers = trade(); });
      of_offers_.push_back(time / static_cast<double>(offers));
    }
  }
  void print() const {
    std::printf("\"%u\": {\"sample\": %.0f, \"offer\": %.0f, \"object\": %.0f}", static_cast<unsigned>(pages_),
                median(of_samples_), median(of_offers_), median(of_objects_));
  }

 private:
  /// An unused page lies between two objects.
  std::uintptr_t address_of(std::uint64_t number) const { return (number + number / each_ + 1) * page; }
  TierId tier_of(std::uint64_t number) const { return TierId(number / each_ % 4 == 0 ? 0 : 1); }

  std::vector<AccessSample> draw(Nanoseconds begin) {
    std::vector<AccessSample> taken;
    for (std::size_t i = 0; i < samples; ++i) {
      const std::uint64_t number = std::min(chance_() % pages_, chance_() % pages_);  // some are hotter
      taken.push_back({.address = address_of(number),
                       .lane = LaneId(static_cast<std::uint32_t>(i % lanes)),
                       .tier = tier_of(number),
                       .latency = Nanoseconds(200),
                       .time = begin + interval * (static_cast<double>(i) / samples)});
    }
    return taken;
  }
  void weigh(std::span<const AccessSample> taken, std::size_t look) {
    prices_.look(taken, RunningRegion{}, false, interval * static_cast<double>(look + 1), interval, interval);
    worth_.begin(machine_.topology(), Nanoseconds(1), 0.5);
    for (const AccessSample& sample : taken) {
      const double worth = worth_.of(sample, 1000, values_.object_of(sample.address), prices_.price(sample.lane));
      if (residents_.find(sample.address)) values_.add(sample.address, worth, 0, sample.lane);
    }
  }
  std::uint64_t trade() {
    constexpr double exchange = 400;
    values_.look(interval, horizon, exchange / 2, {{LaneId(0), 0.5}});
    const RangeMap<bool> chosen;
    placement::PageMarket market(values_, residents_, chosen,
                                 {.exchange = exchange, .horizon = horizon, .account = 1e9});
    market.trade(machine_);
    return market.looks();
  }

  std::uint64_t pages_, each_;
  fake::FakeMachine machine_;
  FakeContext context_;
  placement::Residents residents_;
  placement::PageValues values_;
  placement::LanePrices prices_;
  placement::SampleWorth worth_;
  std::mt19937_64 chance_{1};
  std::vector<double> of_samples_, of_offers_, of_objects_;
};

}  // namespace

int main() {
  std::printf("{");
  for (const std::uint64_t pages : {6'000u, 60'000u}) {
    if (pages > 6'000) std::printf(", ");
    Looks program(pages);
    program.run();
    program.print();
  }
  std::printf("}\n");
}
