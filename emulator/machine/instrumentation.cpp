// Where instrumented programs enter: lbhm/instrumentation.h.
#include "lbhm/instrumentation.h"

#include <algorithm>
#include <utility>

#include "emulator/core/unseen_code.h"
#include "emulator/machine/emulated_machine.h"
#include "emulator/machine/thread_state.h"
#include "emulator/parts/load_times.h"
#include "runtime/own_memory/inside.h"

using lbhm::emulator::Context;
using lbhm::emulator::EmulatedMachine;
using lbhm::emulator::ThreadState;

namespace {

/// A module's first call in a thread; `code` lies in the module.
void introduce(EmulatedMachine& machine, lbhm_emu_thread* program, const void* code) {
  machine.note_instrumented();
  EmulatedMachine::code_comes();
  lbhm::emulator::note_instrumented_code(code);
  machine.guard([&] {
    if (ThreadState* thread = ThreadState::current()) thread->add_context(machine, program);
  });
  if (program->owner == nullptr) lbhm::emulator::use_sink(*program);
}

void count_unseen(const lbhm_emu_thread& program) {
  if (program.next > program.sink)
    EmulatedMachine::count_unseen(static_cast<std::uint64_t>(program.next - program.sink));
}

/// The plugin's code calls us by way of a function of the module that keeps nine registers, and maybe some room. Its
/// own return address lies behind them, `above` ours; only told to people, so a guess does no harm.
const void* caller_of(const void* code, const void* const* above) {
  const std::uintptr_t object = lbhm::emulator::object_of(code);
  for (const void* const* word = above + 9; word != above + 13; ++word)
    if (lbhm::emulator::object_of(*word) == object) return *word;
  return code;
}

/// `code`: where the module called us from.
void refill(lbhm_emu_thread* program, const void* code, const void* const* stack) {
  EmulatedMachine* machine = EmulatedMachine::current();
  if (machine == nullptr) {
    if (program->owner != nullptr) return static_cast<Context*>(program->owner)->make_room();
    count_unseen(*program);
    return lbhm::emulator::use_sink(*program);
  }
  if (program->owner == nullptr) {
    count_unseen(*program);
    if (lbhm::inside()) return lbhm::emulator::use_sink(*program);
    const lbhm::Inside here;
    return introduce(*machine, program, code);
  }
  auto* context = static_cast<Context*>(program->owner);
  // A handler of the program has interrupted us: its accesses count as far as the buffer goes.
  if (lbhm::inside()) return context->make_room();
  const lbhm::Inside here;
  context->thread->note_place(caller_of(code, stack));
  context->thread->execute(*machine, *context);
}

/// The program looks whether another thread has told it something.
void note_look(lbhm_emu_thread* program, const void* address) {
  auto* context = static_cast<Context*>(program->owner);
  if (context == nullptr) return;
  const bool again = context->looked_at == address && program->next == context->buffer;
  context->in_vain = again ? context->in_vain + 1 : 0;
  context->looked_at = address;
  context->looking = true;
}

/// How often it has looked there before, in a loop that does nothing else.
unsigned looks_in_vain(const lbhm_emu_thread* program) {
  constexpr unsigned few = 8;
  auto* context = static_cast<Context*>(program->owner);
  if (context == nullptr) return 0;
  if (!context->looking) context->looked_at = nullptr;
  return std::exchange(context->looking, false) && context->in_vain > few ? context->in_vain - few : 0;
}

/// A loop that waits looks again after a time that is short against that for which it has waited. Each look is a turn:
/// to emulate every one of them would take minutes.
lbhm::Nanoseconds time_between_looks(unsigned looks) { return lbhm::Nanoseconds(std::min(4.0 * looks, 400.0)); }

}  // namespace

#define LBHM_ENTRY __attribute__((visibility("default")))

extern "C" {

LBHM_ENTRY void lbhm_emu_module_v2(const lbhm_emu_site* first, const lbhm_emu_site* last) {
  lbhm::emulator::SiteTable::of_process().add(first, last);
  const lbhm::Inside here;
  EmulatedMachine::code_comes();
}

LBHM_ENTRY void lbhm_emu_refill_v2(lbhm_emu_thread* program) {
  refill(program, __builtin_return_address(0), static_cast<const void* const*>(__builtin_frame_address(0)) + 2);
}

LBHM_ENTRY void lbhm_emu_range_v2(lbhm_emu_thread* program, const void* address, uint64_t bytes, uint64_t flags) {
  if (bytes == 0) {
    if ((flags & LBHM_EMU_LOOK) != 0) note_look(program, address);
    return;
  }
  const std::uint64_t line = std::uint64_t{1} << lbhm::emulator::line_bits;
  const std::uint64_t first = reinterpret_cast<std::uintptr_t>(address) & LBHM_EMU_ADDRESS_MASK;
  const std::uint64_t last = first + bytes;
  for (std::uint64_t at = first; at < last; at = (at & ~(line - 1)) + line) {
    if (program->next >= program->limit) {
      refill(program, __builtin_return_address(0), static_cast<const void* const*>(__builtin_frame_address(0)) + 2);
      if (program->owner == nullptr) return;  // nobody listens
    }
    *program->next++ = at | flags;
  }
}

LBHM_ENTRY void lbhm_emu_order_v2(lbhm_emu_thread* program) {
  EmulatedMachine* machine = EmulatedMachine::current();
  if (machine == nullptr || lbhm::inside()) return;
  if (program->owner == nullptr) lbhm_emu_refill_v2(program);
  const lbhm::Inside here;
  const unsigned looks = looks_in_vain(program);
  if (looks > 0) machine->execution().pass(time_between_looks(looks));
  machine->execution().atomic_begin(looks == 0);
}

LBHM_ENTRY void lbhm_emu_order_end_v2(lbhm_emu_thread* /*program*/) {
  EmulatedMachine* machine = EmulatedMachine::current();
  if (machine == nullptr || lbhm::inside()) return;
  const lbhm::Inside here;
  machine->execution().ordered_end();
}
}
