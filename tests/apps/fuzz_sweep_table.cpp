// libFuzzer target: whatever is in the file, the reader returns sweeps within its own bounds or an InputError.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>

#include "apps/common/mini_app.h"
#include "apps/dmrg/sweep_table.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::istringstream stream(std::string(reinterpret_cast<const char*>(data), size));
  try {
    for (const dmrg::Sweep& sweep : dmrg::read_sweep_table(stream, "fuzz.txt")) {
      const dmrg::Truncation& truncation = sweep.truncation;
      if (truncation.min_dimension > truncation.max_dimension || truncation.max_dimension > dmrg::max_dimension ||
          !(truncation.cutoff >= 0 && truncation.cutoff < 1) || sweep.iterations < 1) {
        std::abort();
      }
    }
  } catch (const apps::InputError&) {  // NOLINT(bugprone-empty-catch): the expected answer to most inputs
  }
  return 0;
}
