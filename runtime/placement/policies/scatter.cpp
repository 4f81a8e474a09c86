// scatter: a share of the pages in the fastest memory, chosen by chance, as if it had no limit. For training data: the
// placements that a code sample is run with (section 5.1 of the paper).
#include "runtime/placement/policies/policies.h"

namespace lbhm::policies {
namespace {

class Scatter final : public Policy {
 public:
  std::string_view name() const override { return "scatter"; }
  Needs needs(const Topology& machine) const override {
    return {.first_touch = slowest_first(machine), .unlimited = true, .scatter = true};
  }
};

}  // namespace

std::unique_ptr<Policy> make_scatter(const PolicyOptions&) { return std::make_unique<Scatter>(); }

}  // namespace lbhm::policies
