// Accessed bits where the kernel shows none: a page that is still armed was not accessed.
#include <vector>

#include "runtime/sampling/accessed_bits.h"
#include "runtime/sampling/hint_faults.h"
#include "runtime/sampling/pagemap.h"

namespace lbhm::sampling {
namespace {

class FaultingBits final : public AccessedBits {
 public:
  FaultingBits(const std::string& root, FaultGate& gate) : pagemap_(root), gate_(gate) {}

  void scan(std::span<const std::uintptr_t> pages, std::span<bool> out, bool clear) override {
    HintFaults::of_process().untouched(pages, Armed::for_accessed_bit, out);
    std::vector<std::uint64_t> entries(pages.size());
    pagemap_.read(pages, entries);
    for (std::size_t i = 0; i < pages.size(); ++i) out[i] = !out[i] && Pagemap::present(entries[i]);
    if (!clear) return;
    std::vector<std::uintptr_t> accessed;
    for (std::size_t i = 0; i < pages.size(); ++i) {
      if (out[i]) accessed.push_back(pages[i]);
    }
    gate_.arm(accessed, Armed::for_accessed_bit);
  }

 private:
  Pagemap pagemap_;
  FaultGate& gate_;
};

}  // namespace

std::unique_ptr<AccessedBits> faulting_bits(const std::string& root, FaultGate& gate) {
  return std::make_unique<FaultingBits>(root, gate);
}

}  // namespace lbhm::sampling
