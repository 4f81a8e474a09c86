#include "runtime/migration/failure.h"

#include <sstream>

namespace lbhm::migration {
namespace {

std::string why(PageStatus status, unsigned tries) {
  switch (status) {
    case PageStatus::full:
      return "the tier is full and nothing outside the plan could leave it; allow more of it (LBHM_FAST_CAPACITY) or "
             "manage fewer objects";
    case PageStatus::busy:
      return "the page was busy in " + std::to_string(tries) +
             " tries; plan when no I/O is under way on it, or unpin it";
    case PageStatus::denied:
      return "the system does not permit it; run with the right to move pages (CAP_SYS_NICE, or a container profile "
             "that allows move_pages)";
    case PageStatus::unmapped:
      return "no memory is mapped there; give LB_HM_config only objects that are still allocated";
    default:
      return "the machine gave no reason; please report this as a bug of LB-HM";
  }
}

}  // namespace

std::string failure_sentence(const Topology& topology, std::uintptr_t page, TierId to, PageStatus status,
                             unsigned tries) {
  std::ostringstream text;
  text << "page 0x" << std::hex << page << std::dec << " could not move to tier " << unsigned{to.value};
  if (to.value < topology.tiers.size()) {
    text << " (" << topology.tiers[to.value].name << "): " << why(status, tries);
  } else {
    text << ": machine '" << topology.name << "' has only " << topology.tiers.size()
         << "; the policy must name one of them";
  }
  text << ".";
  return text.str();
}

}  // namespace lbhm::migration
