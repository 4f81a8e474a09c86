// libFuzzer target: whatever is in a table of stencils (lbhm.alpha/1), the parser returns rows that the model can work
// with, or a complaint.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "runtime/knowledge/input_files.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto table = lbhm::parse_stencils(text, "optane");
  if (!table) return table.error().code() == lbhm::StatusCode::malformed ? 0 : (std::abort(), 0);
  for (const lbhm::StencilRow& row : table->rows) {
    if (row.dimensions > 3 || !std::isfinite(row.accesses_per_element) || row.accesses_per_element < 0) std::abort();
  }
  return 0;
}
