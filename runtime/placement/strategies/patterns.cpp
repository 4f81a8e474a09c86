// patterns: as traits, and where no sensitivity is said the pattern hint stands for it. Random accesses wait for the
// latency; streams, strides and stencils, which a prefetcher follows, for the bandwidth.
#include "runtime/placement/strategies/strategies.h"

namespace lbhm::strategies {
namespace {

class Patterns final : public AllocationStrategy {
 public:
  TierId begin(const Object& object, Bytes mapped, TierId pages_begin, MachineMemory& machine) override {
    if (!object.pattern || object.sensitivity != Sensitivity::none)
      return traits_->begin(object, mapped, pages_begin, machine);
    Object as_said = object;
    as_said.sensitivity = is_random(*object.pattern) ? Sensitivity::latency : Sensitivity::bandwidth;
    return traits_->begin(as_said, mapped, pages_begin, machine);
  }

 private:
  const std::unique_ptr<AllocationStrategy> traits_ = make_traits();
};

}  // namespace

std::unique_ptr<AllocationStrategy> make_patterns() { return std::make_unique<Patterns>(); }

}  // namespace lbhm::strategies
