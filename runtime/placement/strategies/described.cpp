// described: the fastest memory is for what the program describes, by sensitivity, pattern or group. All else begins in
// the slowest one; what is described begins as strategy traits has it.
#include "runtime/placement/strategies/strategies.h"

namespace lbhm::strategies {
namespace {

bool described(const Object& object) {
  return object.sensitivity != Sensitivity::none || object.group || object.pattern;
}

class Described final : public AllocationStrategy {
 public:
  TierId begin(const Object& object, Bytes mapped, TierId pages_begin, MachineMemory& machine) override {
    if (described(object)) return traits_->begin(object, mapped, pages_begin, machine);
    return TierId(static_cast<std::uint8_t>(machine.topology().tiers.size() - 1));
  }

 private:
  const std::unique_ptr<AllocationStrategy> traits_ = make_traits();
};

}  // namespace

std::unique_ptr<AllocationStrategy> make_described() { return std::make_unique<Described>(); }

}  // namespace lbhm::strategies
