// first-touch: fast memory until it is full, then slower memory; nothing ever moves. What systems do by default.
#include "runtime/placement/policies/policies.h"

namespace lbhm::policies {
namespace {

class FirstTouch final : public Policy {
 public:
  std::string_view name() const override { return "first-touch"; }
  Needs needs(const Topology& machine) const override {
    return {.first_touch = fastest_first(machine), .leaves_pages = true};
  }
};

}  // namespace

std::unique_ptr<Policy> make_first_touch(const PolicyOptions&) { return std::make_unique<FirstTouch>(); }

}  // namespace lbhm::policies
