// fast-only: all pages in the fastest memory, as if it had no limit. The upper reference, "DRAM-only" in the paper.
#include "runtime/placement/policies/policies.h"

namespace lbhm::policies {
namespace {

class FastOnly final : public Policy {
 public:
  std::string_view name() const override { return "fast-only"; }
  std::vector<TierId> first_touch_order(std::size_t tiers) const override { return fastest_first(tiers); }
  bool ignores_capacity() const override { return true; }
};

}  // namespace

std::unique_ptr<Policy> make_fast_only() { return std::make_unique<FastOnly>(); }

}  // namespace lbhm::policies
