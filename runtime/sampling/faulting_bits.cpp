// Accessed bits where the kernel shows none: a page that is still armed was not accessed.
#include <vector>

#include "runtime/sampling/accessed_bits.h"
#include "runtime/sampling/hint_faults.h"
#include "runtime/sampling/pagemap.h"

namespace lbhm::sampling {
namespace {

class FaultingBits final : public AccessedBits {
 public:
  FaultingBits(std::string root, LaneId (*lane)()) : pagemap_(root), root_(std::move(root)), lane_(lane) {}

  bool scan(std::span<const std::uintptr_t> pages, std::span<bool> out, bool clear) override {
    HintFaults& faults = HintFaults::of_process();
    faults.untouched(pages, Armed::for_accessed_bit, out);
    std::vector<std::uint64_t> entries(pages.size());
    pagemap_.read(pages, entries);
    for (std::size_t i = 0; i < pages.size(); ++i) out[i] = !out[i] && Pagemap::present(entries[i]);
    if (!clear) return true;
    std::vector<std::uintptr_t> accessed;
    for (std::size_t i = 0; i < pages.size(); ++i) {
      if (out[i]) accessed.push_back(pages[i]);
    }
    return faults.arm(accessed, Armed::for_accessed_bit, lane_, root_) == accessed.size();
  }

 private:
  Pagemap pagemap_;
  std::string root_;
  LaneId (*lane_)();
};

}  // namespace

std::unique_ptr<AccessedBits> faulting_bits(const std::string& root, LaneId (*lane)()) {
  return std::make_unique<FaultingBits>(root, lane);
}

}  // namespace lbhm::sampling
