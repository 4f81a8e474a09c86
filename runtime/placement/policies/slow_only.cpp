// slow-only: all pages in the slowest memory. The lower reference, "PM-only" in section 7 of the paper.
#include "runtime/placement/policies/policies.h"

namespace lbhm::policies {
namespace {

class SlowOnly final : public Policy {
 public:
  std::string_view name() const override { return "slow-only"; }
  std::vector<TierId> first_touch_order(std::size_t tiers) const override { return slowest_first(tiers); }
  bool leaves_pages() const override { return true; }
};

}  // namespace

std::unique_ptr<Policy> make_slow_only() { return std::make_unique<SlowOnly>(); }

}  // namespace lbhm::policies
