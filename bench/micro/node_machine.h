// Memory nodes of this computer as the tiers of a machine, whatever their speed: what carrying a plan out needs.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "runtime/host/tiered_memory.h"
#include "runtime/machine/machine.h"

namespace lbhm::bench {

/// Tier i is the node nodes[i], of which all may be used. Memory is what the machine `host` has for computers with
/// several tiers; everything else is that of the host with one.
class NodeMachine final : public Machine {
 public:
  NodeMachine(const std::vector<int>& nodes, const host::PageMoverOptions& options)
      : host_(make_host_machine()), topology_(host_->topology()) {
    topology_.tiers.assign(nodes.size(), topology_.tiers[0]);
    host::TieredMemoryOptions memory{.nodes = {}, .tiers = {}, .mover = options, .ledger = {}};
    for (const int node : nodes) memory.tiers.push_back({.nodes = {node}, .tier = topology_.tiers[0]});
    std::string why;
    memory.ledger = host::Ledger::open("", "", why);
    memory_ = std::make_unique<host::TieredMemory>(std::move(memory));
  }

  const Topology& topology() const override { return topology_; }
  Result<void*> reserve(Bytes bytes, Bytes alignment) override { return memory_->reserve(bytes, alignment); }
  void release(void* address, Bytes bytes) override { memory_->release(address, bytes); }
  Status prefer(std::uintptr_t, Bytes, std::span<const TierId>) override { return {}; }
  Status prefer_default(std::span<const TierId>) override { return {}; }
  void where(std::span<const std::uintptr_t> pages, std::span<TierId> out) override { memory_->where(pages, out); }
  void move(std::span<const std::uintptr_t> pages, TierId to, std::span<PageStatus> out) override {
    memory_->move(pages, to, out);
  }
  Bytes room(TierId tier) override { return memory_->room(tier); }
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
  std::unique_ptr<Machine> host_;
  Topology topology_;
  std::unique_ptr<host::TieredMemory> memory_;
};

}  // namespace lbhm::bench
