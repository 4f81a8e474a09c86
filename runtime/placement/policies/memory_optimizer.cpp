// memory-optimizer: Intel's daemon sys-refs (github.com/intel/memory-optimizer, the baseline of Merchandiser's section
// 7). Pages are ranked by how many of the scans of their accessed bits found them accessed; every period the hottest
// slow pages go up and the coldest fast pages down, one for one (optimizer_scans.h).
//
// Later versions than the one followed (a5 or soon after) promote, once fast memory holds its share, only pages that
// every scan found; this one is the stronger. Which version Merchandiser ran (commit 3832466) is not known. The
// template's settings are what its authors ship to show what the daemon brings (16 times as much moves in a second as
// the note suggests). Differences: one process, huge pages and threads of the daemon are not needed; it never ends
// (exit_on_converged). Anti-thrashing as the note has it: hotter pages only.
#include "runtime/placement/policies/tier_orders.h"
#include "runtime/placement/scans/optimizer_scans.h"

namespace lbhm::policies {
namespace {

using namespace placement;

class MemoryOptimizer final : public Policy {
 public:
  explicit MemoryOptimizer(const PolicyOptions& options) : scans_(options.pace) {}
  std::string_view name() const override { return "memory-optimizer"; }
  Needs needs(const Topology& machine) const override {
    return {.first_touch = fastest_first(machine), .interval = daemon_interval, .observer = true};
  }

  void on_interval(PolicyContext& context) override {
    if (scans_.scan(context, bits_)) context.migrate(scans_.exchange(context.machine()));
  }

 private:
  OptimizerScans scans_;
  AllBits bits_;
};

}  // namespace

std::unique_ptr<Policy> make_memory_optimizer(const PolicyOptions& options) {
  return std::make_unique<MemoryOptimizer>(options);
}

}  // namespace lbhm::policies
