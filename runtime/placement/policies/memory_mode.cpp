// memory-mode: the hardware keeps the fastest memory as a cache of lines in front of the next one, and nobody places
// anything. Optane's Memory Mode: DRAM as a direct-mapped write-back cache of 64-byte lines over physical addresses
// (Hildebrand et al., ISPASS 2021). The cache itself is the emulator's (memory_cache.h). "Memory Mode" in section 7 of
// Merchandiser.
#include "runtime/placement/policies/policies.h"

namespace lbhm::policies {
namespace {

class MemoryMode final : public Policy {
 public:
  std::string_view name() const override { return "memory-mode"; }
  Needs needs(const Topology& machine) const override {
    return {.first_touch = fastest_first(machine), .memory_mode = true, .leaves_pages = true};
  }
};

}  // namespace

std::unique_ptr<Policy> make_memory_mode(const PolicyOptions&) { return std::make_unique<MemoryMode>(); }

}  // namespace lbhm::policies
