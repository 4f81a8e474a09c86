#include "runtime/placement/memtis_daemon.h"

#include <algorithm>

#include "runtime/placement/flow.h"
#include "runtime/placement/scaled.h"

namespace lbhm::placement {

bool MemtisDaemon::wake_up(PolicyContext& context) {
  Machine& machine = context.machine();
  SampleSource* const source = machine.samples();
  if (source == nullptr) return false;
  const Nanoseconds now = machine.execution().now();
  const Bytes footprint = machine.peak_footprint();
  if (now - last_ < scaled(HotPages::wake_up, HotPages::published_footprint, footprint) * pace_) return false;
  elapsed_ = now - last_;
  last_ = now;
  samples_.clear();
  context.samples(samples_);
  pages_.update(context, samples_, pace_);
  return true;
}

MigrationPlan MemtisDaemon::exchange(Bytes page) {
  MigrationPlan plan;
  std::uint64_t room = demote_cold(pages_.hot_in_slow(), page, plan);
  for (unsigned bin = PageCounters::bins; bin-- > pages_.threshold().hot();) {
    for (const PageBins::Page& candidate : pages_.slow().bins[bin]) {
      if (room == 0) return plan;
      add_move(plan, candidate.address, page, TierId(0));
      --room;
    }
  }
  return plan;
}

std::uint64_t MemtisDaemon::demote_cold(std::uint64_t wanted, Bytes page, MigrationPlan& plan) {
  const std::uint64_t free = pages_.free_pages();
  std::uint64_t left = 0;  // to demote
  if (wanted > 0 || free < pages_.low()) left = wanted + pages_.high() - std::min(free, wanted + pages_.high());
  const std::uint64_t asked = left;
  const auto demote = [&](unsigned first, unsigned last) {
    for (unsigned bin = first; bin < last; ++bin) {
      const auto& cold = pages_.fast().bins[bin];
      const std::size_t going = std::min<std::size_t>(left, cold.size());
      for (std::size_t i = 0; i < going; ++i) add_move(plan, cold[i].address, page, TierId(1));
      left -= going;
    }
  };
  const unsigned hot = pages_.threshold().hot();
  const unsigned warm = pages_.threshold().warm();
  demote(0, warm);
  if (asked - left < std::min(wanted, asked)) demote(warm, hot);
  const std::uint64_t demoted = asked - left;
  return free + demoted > pages_.high() ? free + demoted - pages_.high() : 0;
}

}  // namespace lbhm::placement
