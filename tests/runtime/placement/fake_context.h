// What a policy that acts at intervals sees, on the fake machine: objects that the test names, moves that are counted.
#pragma once

#include <utility>
#include <vector>

#include "runtime/placement/placement.h"
#include "tests/fake/fake_machine.h"

namespace lbhm {

class FakeContext final : public PolicyContext {
 public:
  explicit FakeContext(fake::FakeMachine& machine) : machine_(machine) {}

  void add(std::uintptr_t address, std::uint64_t pages, SiteId site = {}) {
    objects_.push_back({.address = address, .bytes = machine_.topology().page * pages, .name = {}, .site = site});
  }
  void remove_all() { objects_.clear(); }

  Machine& machine() override { return machine_; }
  std::vector<PlacedObject> objects() override { return objects_; }
  /// Asks the machine for every page.
  PagePlacement placement() override {
    placement_.tiers.assign(machine_.topology().tiers.size(), {});
    placement_.untouched.clear();
    for (const PlacedObject& object : objects_) {
      for (Bytes at; at < object.bytes; at += machine_.topology().page) {
        const TierId tier = machine_.tier_of(object.address + at.value);
        auto& ranges = tier == no_tier ? placement_.untouched : placement_.tiers[tier.value];
        ranges.push_back({object.address + at.value, machine_.topology().page});
      }
    }
    return placement_;
  }
  void found(std::span<const std::uintptr_t> pages) override { found_pages.emplace_back(pages.begin(), pages.end()); }
  MoveReport migrate(const MigrationPlan& plan) override {
    const Bytes page = machine_.topology().page;
    MoveReport report;
    for (const PageMove& move : plan.moves) {
      for (Bytes at; at < move.bytes; at += page) {
        const std::uintptr_t address = move.address + at.value;
        PageStatus status;
        machine_.move({&address, 1}, move.to, {&status, 1});
        (status == PageStatus::moved ? report.moved : report.failed) += page;
      }
    }
    return report;
  }

  std::vector<std::vector<std::uintptr_t>> found_pages;  ///< by scan

 private:
  fake::FakeMachine& machine_;
  std::vector<PlacedObject> objects_;
  PagePlacement placement_;
};

}  // namespace lbhm
