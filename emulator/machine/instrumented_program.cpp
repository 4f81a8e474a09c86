#include "emulator/machine/instrumented_program.h"

#include <link.h>

#include <cstddef>

namespace lbhm::emulator {
namespace {

constexpr char name[] = "lbhm_emu_refill_v2";

/// As memmem, but AddressSanitizer, which keeps gaps between constants, does not look.
__attribute__((no_sanitize("address"))) bool is_in(const char* begin, std::size_t bytes) {
  for (const char* at = begin; at + sizeof name <= begin + bytes; ++at) {
    std::size_t same = 0;
    while (same < sizeof name && at[same] == name[same]) ++same;
    if (same == sizeof name) return true;
  }
  return false;
}

/// The plugin's code looks us up by this name; the first object of the process is the program.
int look_at_program(dl_phdr_info* info, std::size_t, void* found) {
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& segment = info->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD || (segment.p_flags & (PF_R | PF_W)) != PF_R) continue;
    // NOLINTNEXTLINE(performance-no-int-to-ptr): program headers have addresses as numbers
    const auto* const begin = reinterpret_cast<const char*>(info->dlpi_addr + segment.p_vaddr);
    if (is_in(begin, segment.p_filesz)) *static_cast<bool*>(found) = true;
  }
  return 1;
}

}  // namespace

bool program_is_instrumented() {
  bool found = false;
  dl_iterate_phdr(look_at_program, &found);
  return found;
}

}  // namespace lbhm::emulator
