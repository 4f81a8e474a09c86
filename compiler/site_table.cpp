#include "compiler/site_table.h"

#include "compiler/section.h"
#include "lbhm/instrumentation.h"
#include "llvm/IR/Constants.h"
#include "llvm/Support/xxhash.h"

namespace lbhm::compiler {

using namespace llvm;

static_assert(sizeof(SiteRecord) == sizeof(lbhm_emu_site));

std::uint32_t site_number(const Function& function, unsigned index) {
  std::uint64_t hash = xxh3_64bits((function.getName() + "#" + Twine(index)).str());
  return static_cast<std::uint32_t>(hash % (LBHM_EMU_SITES - 1)) + 1;
}

void add_site_table(Module& module, const std::vector<SiteRecord>& records) {
  if (records.empty()) return;
  std::vector<std::uint32_t> words;
  for (const SiteRecord& record : records) {
    words.insert(words.end(), {record.number, record.address_from, record.flags});
  }
  add_to_section(module, site_section, ConstantDataArray::get(module.getContext(), words), Align(4), "sites");
}

}  // namespace lbhm::compiler
