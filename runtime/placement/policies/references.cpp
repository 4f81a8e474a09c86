// What others are held against: nothing moves, and nothing is decided.
#include "runtime/placement/policies/tier_orders.h"

namespace lbhm::policies {
namespace {

/// slow-only: all pages in the slowest memory. The lower reference, "PM-only" in section 7 of the paper.
class SlowOnly final : public Policy {
 public:
  std::string_view name() const override { return "slow-only"; }
  Needs needs(const Topology& machine) const override {
    return {.first_touch = slowest_first(machine), .leaves_pages = true};
  }
};

/// fast-only: all pages in the fastest memory, as if it had no limit. The upper reference, "DRAM-only" in the paper.
class FastOnly final : public Policy {
 public:
  std::string_view name() const override { return "fast-only"; }
  Needs needs(const Topology& machine) const override {
    return {.first_touch = fastest_first(machine), .unlimited = true};
  }
};

/// first-touch: fast memory until it is full, then slower memory; nothing ever moves. What systems do by default.
class FirstTouch final : public Policy {
 public:
  std::string_view name() const override { return "first-touch"; }
  Needs needs(const Topology& machine) const override {
    return {.first_touch = fastest_first(machine), .leaves_pages = true};
  }
};

/// scatter: a share of the pages in the fastest memory, chosen by chance, as if it had no limit. For training data: the
/// placements that a code sample is run with (section 5.1 of the paper).
class Scatter final : public Policy {
 public:
  std::string_view name() const override { return "scatter"; }
  Needs needs(const Topology& machine) const override {
    return {.first_touch = slowest_first(machine), .unlimited = true, .scatter = true};
  }
};

/// memory-mode: the hardware keeps the fastest memory as a cache of lines in front of the next one, and nobody places
/// anything. Optane's Memory Mode: DRAM as a direct-mapped write-back cache of 64-byte lines over physical addresses
/// (Hildebrand et al., ISPASS 2021). The cache itself is the emulator's (memory_cache.h). "Memory Mode" in section 7 of
/// Merchandiser.
class MemoryMode final : public Policy {
 public:
  std::string_view name() const override { return "memory-mode"; }
  Needs needs(const Topology& machine) const override {
    return {.first_touch = fastest_first(machine), .memory_mode = true, .leaves_pages = true};
  }
};

}  // namespace

std::unique_ptr<Policy> make_slow_only(const PolicyOptions&) { return std::make_unique<SlowOnly>(); }
std::unique_ptr<Policy> make_fast_only(const PolicyOptions&) { return std::make_unique<FastOnly>(); }
std::unique_ptr<Policy> make_first_touch(const PolicyOptions&) { return std::make_unique<FirstTouch>(); }
std::unique_ptr<Policy> make_scatter(const PolicyOptions&) { return std::make_unique<Scatter>(); }
std::unique_ptr<Policy> make_memory_mode(const PolicyOptions&) { return std::make_unique<MemoryMode>(); }

}  // namespace lbhm::policies
