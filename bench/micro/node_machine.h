// Memory nodes of this computer as the tiers of a machine: no more than carrying a plan out needs.
#pragma once

#include <sys/mman.h>

#include <memory>
#include <utility>
#include <vector>

#include "lbhm/machine.h"
#include "runtime/machine/page_mover.h"

namespace lbhm::bench {

/// Tier i is the node nodes[i]. Everything but pages is the host's.
class NodeMachine final : public Machine {
 public:
  NodeMachine(std::vector<int> nodes, const host::PageMoverOptions& options)
      : nodes_(std::move(nodes)), host_(make_host_machine()), topology_(host_->topology()), mover_(options) {
    topology_.tiers.assign(nodes_.size(), topology_.tiers[0]);
  }

  const Topology& topology() const override { return topology_; }
  Result<void*> reserve(Bytes bytes, Bytes alignment) override { return host_->reserve(bytes, alignment); }
  void release(void* address, Bytes bytes) override { host_->release(address, bytes); }
  Status prefer(std::uintptr_t, Bytes, std::span<const TierId>) override { return {}; }
  Status prefer_default(std::span<const TierId>) override { return {}; }
  void where(std::span<const std::uintptr_t> pages, std::span<TierId> out) override {
    for (TierId& tier : out) tier = no_tier;
    std::vector<int> at(pages.size());
    mover_.where(pages, at);
    for (std::size_t i = 0; i < at.size(); ++i)
      for (std::size_t tier = 0; tier < nodes_.size(); ++tier)
        if (nodes_[tier] == at[i]) out[i] = TierId(static_cast<std::uint8_t>(tier));
  }
  void move(std::span<const std::uintptr_t> pages, TierId to, std::span<PageStatus> out) override {
    mover_.move(pages, std::span(nodes_).subspan(to.value, 1), out);
  }
  Bytes room(TierId tier) override { return topology_.tiers[tier.value].capacity; }
  Bytes peak_footprint() override { return host_->peak_footprint(); }
  Execution& execution() override { return host_->execution(); }
  SampleSource* samples() override { return nullptr; }
  Status every(Nanoseconds interval, std::function<void()> duty) override {
    return host_->every(interval, std::move(duty));
  }
  EventCounts events() override { return host_->events(); }
  std::vector<AccessCount> accesses() override { return {}; }
  std::vector<std::string> remarks() override { return {}; }

 private:
  std::vector<int> nodes_;
  std::unique_ptr<Machine> host_;
  Topology topology_;
  host::PageMover mover_;
};

}  // namespace lbhm::bench
