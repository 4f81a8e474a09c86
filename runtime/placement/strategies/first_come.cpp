// first-come: descriptions decide nothing. Objects begin as pages do, while there is room (H2M's baseline).
#include "runtime/placement/strategies/strategies.h"

namespace lbhm::strategies {
namespace {

class FirstCome final : public AllocationStrategy {
 public:
  TierId begin(const Object&, Bytes, TierId, MachineMemory&) override { return no_tier; }
};

}  // namespace

std::unique_ptr<AllocationStrategy> make_first_come() { return std::make_unique<FirstCome>(); }

}  // namespace lbhm::strategies
