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

  void add(std::uintptr_t address, std::uint64_t pages) {
    objects_.push_back({.address = address, .bytes = machine_.topology().page * pages, .name = {}});
  }
  void remove_all() { objects_.clear(); }

  Machine& machine() override { return machine_; }
  std::vector<PlacedObject> objects() override { return objects_; }
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
};

}  // namespace lbhm
