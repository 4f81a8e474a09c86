// libFuzzer target: whatever is in a placement file, the parser returns runs that lie within their objects, or a
// complaint.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "runtime/placement/placement_file.h"

namespace {

void check(const lbhm::PlacementScript& script, const lbhm::ScriptedRun& run) {
  const auto object = script.objects.find(run.object);
  if (object == script.objects.end() || run.pages == 0 || run.tier.value >= 2) std::abort();
  if ((run.first + run.pages) * script.page.value > object->second.bytes.value) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto script = lbhm::parse_placement(text, 2, lbhm::Bytes(4096));
  if (!script) return script.error().code() == lbhm::StatusCode::malformed ? 0 : (std::abort(), 0);
  for (const lbhm::ScriptedRun& run : script->births) check(*script, run);
  for (const auto& [call, runs] : script->moves)
    for (const lbhm::ScriptedRun& run : runs) check(*script, run);
  return 0;
}
