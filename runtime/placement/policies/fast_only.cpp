// fast-only: all pages in the fastest memory, as if it had no limit. The upper reference, "DRAM-only" in the paper.
#include "runtime/placement/policies/policies.h"

namespace lbhm::policies {
namespace {

class FastOnly final : public Policy {
 public:
  std::string_view name() const override { return "fast-only"; }
  Needs needs(const Topology& machine) const override {
    return {.first_touch = fastest_first(machine), .unlimited = true};
  }
};

}  // namespace

std::unique_ptr<Policy> make_fast_only(const PolicyOptions&) { return std::make_unique<FastOnly>(); }

}  // namespace lbhm::policies
