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
  move_waiting(mine, out);
  const std::size_t first = out.size();
  const std::uint64_t lost = drain(out);
  for (Waiting& other : waiting_) {
    if (&other != &mine) add(std::span(out).subspan(first), lost, other);
  }
  return lost + std::exchange(mine.lost, 0);
}

void SampleFeed::read_along(Reader reader, std::vector<AccessSample>& out) {
  const std::lock_guard lock(mutex_);
  move_waiting(of(reader), out);
}

void SampleFeed::move_waiting(Waiting& from, std::vector<AccessSample>& out) {
  out.insert(out.end(), from.samples.begin(), from.samples.end());
  from.samples.clear();
}

/// Returns how many were lost.
std::uint64_t SampleFeed::drain(std::vector<AccessSample>& out) {
  const std::size_t first = out.size();
  const std::uint64_t lost = source_->drain(out);
  const std::span fresh = std::span(out).subspan(first);
  add_latencies(machine_.topology(), fresh);
  const double weight = weight_.load();
  for (AccessSample& sample : fresh) sample.weight = weight;
  return lost;
}

void SampleFeed::add(std::span<const AccessSample> samples, std::uint64_t lost, Waiting& to) const {
  if (!to.on) return;
  to.lost += lost;
  if (to.samples.size() < keeps_)
    to.samples.insert(to.samples.end(), samples.begin(), samples.end());
  else
    to.lost += samples.size();
}

void SampleFeed::change_period(AccessCount period) {
  if (!source_) return;
  const std::lock_guard lock(mutex_);
  const AccessCount before = source_->period();
  if (!(before.value > 0) || !(period.value > 0)) return;
  std::vector<AccessSample> taken;
  const std::uint64_t lost = drain(taken);
  for (Waiting& reader : waiting_) add(taken, lost, reader);
  source_->set_period(period);
  weight_ = weight_.load() * (period / before);
}

}  // namespace lbhm
