// libFuzzer target: whatever is in the file, the reader returns a matrix within its own bounds or an InputError.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>

#include "apps/common/mini_app.h"
#include "apps/spgemm/matrices.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::istringstream stream(std::string(reinterpret_cast<const char*>(data), size));
  try {
    const spgemm::Triples matrix = spgemm::read_matrix_market(stream, "fuzz.mtx");
    for (const spgemm::Triple& entry : matrix.entries) {
      if (entry.row >= matrix.rows || entry.column >= matrix.columns) std::abort();
    }
  } catch (const apps::InputError&) {  // NOLINT(bugprone-empty-catch): the expected answer to most inputs
  }
  return 0;
}
