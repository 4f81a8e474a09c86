// slow-only: all pages in the slowest memory. The lower reference, "PM-only" in section 7 of the paper.
#include "runtime/placement/policies/policies.h"

namespace lbhm::policies {
namespace {

class SlowOnly final : public Policy {
 public:
  std::string_view name() const override { return "slow-only"; }
  Needs needs(const Topology& machine) const override {
    return {.first_touch = slowest_first(machine), .leaves_pages = true};
  }
};

}  // namespace

std::unique_ptr<Policy> make_slow_only(const PolicyOptions&) { return std::make_unique<SlowOnly>(); }

}  // namespace lbhm::policies
