// libFuzzer target: whatever SPE's buffer holds, parsing ends, and no address keeps its tag.
#include <cstdint>
#include <cstdlib>

#include "runtime/host/sampling/spe_packets.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::uint64_t records = 0;
  const std::span bytes(reinterpret_cast<const std::byte*>(data), size);
  const auto given_up = lbhm::sampling::parse_spe(bytes, [&](const lbhm::sampling::SpeRecord& record) {
    ++records;
    if (record.address >> 56 != 0 || (record.store && !record.memory_operation)) std::abort();
  });
  if (records + given_up > size) std::abort();
  return 0;
}
