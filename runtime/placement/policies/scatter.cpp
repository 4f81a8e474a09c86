// scatter: a share of the pages in the fastest memory, chosen by chance, as if it had no limit. For training data: the
// placements that a code sample is run with (section 5.1 of the paper).
#include "runtime/placement/policies/policies.h"

namespace lbhm::policies {
namespace {

class Scatter final : public Policy {
 public:
  std::string_view name() const override { return "scatter"; }
  std::vector<TierId> first_touch_order(std::size_t tiers) const override { return slowest_first(tiers); }
  bool ignores_capacity() const override { return true; }
  bool scatters() const override { return true; }
};

}  // namespace

std::unique_ptr<Policy> make_scatter() { return std::make_unique<Scatter>(); }

}  // namespace lbhm::policies
