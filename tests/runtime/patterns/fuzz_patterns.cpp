// libFuzzer target: whatever is in a module's text or a patterns file, the parser returns patterns that the model can
// work with, or a complaint.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "runtime/patterns/module_text.h"

namespace {

void check(const lbhm::patterns::ModulePatterns& module) {
  if (module.id >> 44 != 0) std::abort();
  for (const auto& [number, base] : module.bases) {
    if (number >> 20 != 0 || !std::isfinite(base.frequency)) std::abort();
    for (const lbhm::AccessPattern& access : base.accesses) {
      if (!std::isfinite(access.weight) || access.weight < 0) std::abort();
      if (access.kind > lbhm::PatternKind::unknown) std::abort();
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto module = lbhm::patterns::read_module(text)) check(*module);
  if (const auto modules = lbhm::patterns::read_file(text))
    for (const auto& module : *modules) check(module);
  return 0;
}
