#include "emulator/machine/instrumented_program.h"

#include <link.h>

#include <cstring>

namespace lbhm::emulator {
namespace {

/// The plugin's code looks us up by this name; the first object of the process is the program.
int look_at_program(dl_phdr_info* info, std::size_t, void* found) {
  static constexpr char name[] = "lbhm_emu_refill_v2";
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& segment = info->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD || (segment.p_flags & (PF_R | PF_W)) != PF_R) continue;
    // NOLINTNEXTLINE(performance-no-int-to-ptr): program headers have addresses as numbers
    const auto* const begin = reinterpret_cast<const char*>(info->dlpi_addr + segment.p_vaddr);
    if (memmem(begin, segment.p_filesz, name, sizeof name) != nullptr) *static_cast<bool*>(found) = true;
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
