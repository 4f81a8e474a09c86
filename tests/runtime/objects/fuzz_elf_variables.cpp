// Symbol tables of programs: any bytes give variables in order that do not overlap, or a sentence.
#include <cstring>
#include <string_view>

#include "runtime/objects/elf_variables.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::string_view file(reinterpret_cast<const char*>(data), size);
  const auto read = [file](std::uint64_t offset, std::span<char> out) {
    if (offset > file.size() || out.size() > file.size() - offset) return false;
    if (!out.empty()) std::memcpy(out.data(), file.data() + offset, out.size());
    return true;
  };
  const auto found = lbhm::large_variables(read, lbhm::Bytes(1));
  if (!found) {
    if (found.error().message().empty()) __builtin_trap();
    return 0;
  }
  std::uint64_t end = 0;
  for (const lbhm::ElfVariable& variable : *found) {
    if (variable.begin < end) __builtin_trap();
    end = variable.begin + variable.bytes.value;
  }
  return 0;
}
