// Samples that the test puts in; some of them may get lost, as in a sampling buffer that overflows.
#pragma once

#include <algorithm>
#include <tuple>
#include <vector>

#include "runtime/machine/machine.h"

namespace lbhm::fake {

class FakeSamples final : public SampleSource {
 public:
  // For the test.
  void set_period(AccessCount period) override { period_ = period; }
  void add(const AccessSample& sample) { waiting_.push_back(sample); }
  /// The next drain loses the last `n` samples.
  void lose(std::uint64_t n) { to_lose_ = n; }
  void be_of(SampleOf of) { of_ = of; }

  AccessCount period() const override { return period_; }
  SampleOf of() const override { return of_; }
  std::uint64_t drain(std::vector<AccessSample>& out) override {
    const std::uint64_t lost = std::min<std::uint64_t>(to_lose_, waiting_.size());
    to_lose_ = 0;
    waiting_.resize(waiting_.size() - lost);
    std::sort(waiting_.begin(), waiting_.end(), [](const AccessSample& a, const AccessSample& b) {
      return std::tie(a.lane, a.time, a.address) < std::tie(b.lane, b.time, b.address);
    });
    out.insert(out.end(), waiting_.begin(), waiting_.end());
    waiting_.clear();
    return lost;
  }

 private:
  AccessCount period_{1};
  SampleOf of_ = SampleOf::misses;
  std::vector<AccessSample> waiting_;
  std::uint64_t to_lose_ = 0;
};

}  // namespace lbhm::fake
