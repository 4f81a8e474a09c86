// merchandiser: the paper's policy. Budgets by Algorithm 1, pages by heat and goal. Pages appear in slow memory: the
// inputs of Algorithm 1 are the times and events of each task in slow memory alone (lines 1 and 2), so the base
// instance runs there, and fast memory is for what the plan names.
#include "runtime/placement/policies/policies.h"

namespace lbhm::policies {
namespace {

constexpr TierId fast{0};

class Merchandiser final : public Policy {
 public:
  std::string_view name() const override { return "merchandiser"; }
  std::vector<TierId> first_touch_order(std::size_t tiers) const override { return slowest_first(tiers); }
  bool uses_forecast() const override { return true; }

  Decision decide(const ScopeForecast& scope) override {
    Decision decision;
    decision.budget = merchandiser_budget(scope.tasks, scope.page, scope.fast_capacity);
    decision.plan = select_pages(scope, decision.budget, fast);
    return decision;
  }
};

}  // namespace

std::unique_ptr<Policy> make_merchandiser() { return std::make_unique<Merchandiser>(); }

}  // namespace lbhm::policies
