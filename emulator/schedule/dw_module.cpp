// liblbhm-dw.so: functions and lines by libdw. It is a library of its own, so that LB-HM runs where libdw is not
// installed.
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <unistd.h>

#include <cstdint>

#include "emulator/schedule/code_line.h"

namespace {

using lbhm::emulator::SourcePlace;

/// Unit by unit: clang writes no table of addresses (.debug_aranges), and libdw makes none before 0.191.
Dwarf_Line* line_of(Dwfl_Module* module, std::uintptr_t code) {
  Dwarf_Addr base = 0;
  for (Dwarf_Die* unit = nullptr; (unit = dwfl_module_nextcu(module, unit, &base)) != nullptr;)
    if (dwarf_haspc(unit, code - base) == 1) return dwarf_getsrc_die(unit, code - base);
  return nullptr;
}

void find(Dwfl* session, std::uintptr_t code, void (*found)(void*, const SourcePlace&), void* with) {
  if (dwfl_linux_proc_report(session, getpid()) != 0 || dwfl_report_end(session, nullptr, nullptr) != 0) return;
  Dwfl_Module* const module = dwfl_addrmodule(session, code);
  if (!module) return;
  SourcePlace place;
  place.function = dwfl_module_addrname(module, code);
  if (Dwarf_Line* const line = line_of(module, code)) {
    place.file = dwarf_linesrc(line, nullptr, nullptr);
    dwarf_lineno(line, &place.line);
  }
  found(with, place);
}

}  // namespace

extern "C" [[gnu::visibility("default")]] void lbhm_code_line_v1(std::uintptr_t code,
                                                                 void (*found)(void*, const SourcePlace&), void* with) {
  // Of this computer's files alone: the standard callback may ask servers.
  static constexpr Dwfl_Callbacks callbacks{.find_elf = dwfl_linux_proc_find_elf,
                                            .find_debuginfo = dwfl_build_id_find_debuginfo,
                                            .section_address = nullptr,
                                            .debuginfo_path = nullptr};
  if (Dwfl* const session = dwfl_begin(&callbacks)) {
    find(session, code, found, with);
    dwfl_end(session);
  }
}
