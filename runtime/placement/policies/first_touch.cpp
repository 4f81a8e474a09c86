// first-touch: fast memory until it is full, then slower memory; nothing ever moves. What systems do by default.
#include "runtime/placement/policies/policies.h"

namespace lbhm::policies {
namespace {

class FirstTouch final : public Policy {
 public:
  std::string_view name() const override { return "first-touch"; }
  std::vector<TierId> first_touch_order(std::size_t tiers) const override { return fastest_first(tiers); }
  bool leaves_pages() const override { return true; }
};

}  // namespace

std::unique_ptr<Policy> make_first_touch() { return std::make_unique<FirstTouch>(); }

}  // namespace lbhm::policies
