// libFuzzer target: whatever is in the file, the reader returns a tensor within its own bounds or an InputError.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>

#include "apps/common/mini_app.h"
#include "apps/tensor/coo.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::istringstream stream(std::string(reinterpret_cast<const char*>(data), size));
  try {
    const tensor::Entries entries = tensor::read_tns(stream, "fuzz.tns");
    if (entries.coordinates.size() != entries.order() * entries.nonzeros()) std::abort();
    for (std::size_t i = 0; i < entries.coordinates.size(); ++i) {
      if (entries.coordinates[i] >= entries.shape[i % entries.order()]) std::abort();
    }
  } catch (const apps::InputError&) {  // NOLINT(bugprone-empty-catch): the expected answer to most inputs
  }
  return 0;
}
