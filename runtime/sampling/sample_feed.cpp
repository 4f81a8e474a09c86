#include "runtime/sampling/sample_feed.h"

#include <span>
#include <utility>

namespace lbhm {
namespace {

void add_latencies(const Topology& topology, std::span<AccessSample> samples) {
  for (AccessSample& sample : samples) {
    if (!(sample.latency.value > 0) && sample.tier.value < topology.tiers.size())
      sample.latency = topology.tiers[sample.tier.value].latency_random;
  }
}

}  // namespace

void SampleFeed::follow(Reader reader, bool on) {
  const std::lock_guard lock(mutex_);
  of(reader).on = on;
}

std::uint64_t SampleFeed::read(Reader reader, std::vector<AccessSample>& out) {
  if (!source_) return 0;
  const std::lock_guard lock(mutex_);
  Waiting& mine = of(reader);
  out.insert(out.end(), mine.samples.begin(), mine.samples.end());
  mine.samples.clear();
  const auto first = static_cast<std::ptrdiff_t>(out.size());
  const std::uint64_t lost = source_->drain(out);
  add_latencies(machine_.topology(), std::span(out).subspan(static_cast<std::size_t>(first)));
  for (Waiting& other : waiting_) {
    if (&other == &mine || !other.on) continue;
    other.lost += lost;
    if (other.samples.size() < most_kept) other.samples.insert(other.samples.end(), out.begin() + first, out.end());
  }
  return lost + std::exchange(mine.lost, 0);
}

}  // namespace lbhm
