// What modules call that were built with the plugin of interface 1: they run on, unseen, and a remark says so.
#include "emulator/machine/emulated_machine.h"
#include "lbhm/instrumentation.h"

using lbhm::emulator::EmulatedMachine;

namespace {

/// A thread of a module of interface 1 (an older plugin) began like this.
struct OldThread {
  uint64_t* next;
  uint64_t* limit;
  uint64_t sums[5];
  void* owner;
  uint64_t sink[LBHM_EMU_SINK];
};

}  // namespace

#define LBHM_ENTRY __attribute__((visibility("default")))

extern "C" {

LBHM_ENTRY void lbhm_emu_refill_v1(OldThread* program);
LBHM_ENTRY void lbhm_emu_range_v1(OldThread* program, const void* address, uint64_t bytes, uint64_t flags);

LBHM_ENTRY void lbhm_emu_refill_v1(OldThread* program) {
  EmulatedMachine::note_old_module();
  program->next = program->sink;
  program->limit = program->sink + 1;
}

LBHM_ENTRY void lbhm_emu_range_v1(OldThread* program, const void* /*address*/, uint64_t /*bytes*/, uint64_t /*flags*/) {
  lbhm_emu_refill_v1(program);
}
}
