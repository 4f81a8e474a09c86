#include "emulator/machine/thread_state.h"

#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <span>

#include "emulator/base/process.h"
#include "emulator/machine/emulated_machine.h"

namespace lbhm::emulator {
namespace {

thread_local ThreadState* state = nullptr;
thread_local bool ended = false;
thread_local Picoseconds clock_of_ended = 0;

bool is_initial_thread() { return syscall(SYS_gettid) == getpid(); }

Work sums_of(const lbhm_emu_thread& program) {
  return {.instructions = program.instructions,
          .slots = program.slots,
          .chain = program.chain,
          .additions = program.additions,
          .units = program.units,
          .vectors = program.vectors,
          .branches = program.branches,
          .mispredictions = program.mispredictions};
}

/// Its destructor runs when the thread ends.
struct ThreadEnd {
  bool armed = false;
  ~ThreadEnd() {
    if (!armed || in_child()) return;  // a child has timers of its own under the numbers of ours
    ended = true;
    state->close();
    delete state;
    state = nullptr;
  }
};
thread_local ThreadEnd thread_end;

/// pthread_exit in main: glibc destroys no thread-local objects then, only the values of keys. What the thread did
/// counts; its state is still asked for at the process's end.
void watch_end_of_initial_thread(ThreadState* initial) {
  pthread_key_t key;
  const auto at_end = [](void* thread) {
    EmulatedMachine* machine = EmulatedMachine::current();
    if (machine != nullptr) static_cast<ThreadState*>(thread)->flush(*machine);
  };
  if (pthread_key_create(&key, at_end) == 0) pthread_setspecific(key, initial);
}

}  // namespace

void use_sink(lbhm_emu_thread& program) {
  program.next = program.sink;
  program.limit = program.sink + 1;
}

void Context::make_room() {
  program->next = buffer;
  program->limit = buffer + capacity;
}

Work Context::take_work() {
  const Work before = seen;
  seen = sums_of(*program);
  return {.instructions = seen.instructions - before.instructions,
          .slots = seen.slots - before.slots,
          .chain = seen.chain - before.chain,
          .additions = seen.additions - before.additions,
          .units = seen.units - before.units,
          .vectors = seen.vectors - before.vectors,
          .branches = seen.branches - before.branches,
          .mispredictions = seen.mispredictions - before.mispredictions};
}

ThreadState* ThreadState::current() {
  if (state == nullptr && !ended) {
    state = new ThreadState;
    // The first thread keeps its state until the process ends: the report is written after its thread-locals are gone.
    thread_end.armed = !is_initial_thread();
    if (!thread_end.armed) watch_end_of_initial_thread(state);
  }
  return state;
}

Picoseconds ThreadState::clock_at_end() { return clock_of_ended; }

void ThreadState::pass_at_end(Picoseconds duration) {
  if (ended) clock_of_ended += duration;
}

Core* ThreadState::known_core(const EmulatedMachine& machine) const {
  return machine_ == machine.serial() ? core_.get() : nullptr;
}

Core& ThreadState::core(EmulatedMachine& machine) {
  if (known_core(machine) == nullptr) bind(machine, machine.cores().outside());
  return *core_;
}

void ThreadState::bind(EmulatedMachine& machine, Core& core) {
  for (Context* context : contexts_) {
    if (machine_ == machine.serial()) break;
    context->take_work();  // left over from an earlier machine
    context->make_room();
  }
  if (machine_ != machine.serial()) timer_.start();
  machine_ = machine.serial();
  if (core_.get() != &core) core_ = core.shared_from_this();
  if (counts_loads_) count_loads();
  core.member().thread.store(static_cast<int>(syscall(SYS_gettid)), std::memory_order_relaxed);
}

void ThreadState::count_loads() {
  counts_loads_ = true;
  core_->model().count_loads();
}

void ThreadState::add_context(EmulatedMachine& machine, lbhm_emu_thread* program) {
  core(machine);
  contexts_.reserve(contexts_.size() + 1);
  auto* context = new Context;
  context->program = program;
  context->thread = this;
  if (program->next != nullptr) context->seen = sums_of(*program);  // it ran before there was a machine
  contexts_.push_back(context);
  program->owner = context;
  context->make_room();
}

void ThreadState::execute(EmulatedMachine& machine, Context& context) {
  machine.guard([&] {
    Core& here = core(machine);
    const std::span<const std::uint64_t> entries(context.buffer, context.program->next);
    const Work work = context.take_work();
    if (machine.given_up() || (entries.empty() && work.instructions == 0 && work.slots == 0 && work.chain == 0)) return;
    here.execute(work, entries, machine.measuring());
  });
  context.make_room();
}

void ThreadState::flush(EmulatedMachine& machine) {
  for (Context* context : contexts_) execute(machine, *context);
}

void ThreadState::close() {
  EmulatedMachine* machine = EmulatedMachine::current();
  const bool alive = machine != nullptr && core_ != nullptr && machine_ == machine->serial();
  // A lane whose region is over has nothing left to say; going on would make the others wait for a dead thread.
  if (alive && core_->member().state != MemberState::away) flush(*machine);
  if (alive) {
    clock_of_ended = core_->model().clock();
    machine->guard([&] {
      core_->retire();
      machine->cores().retire(*core_);
    });
  }
  for (Context* context : contexts_) {
    context->program->owner = nullptr;
    use_sink(*context->program);
    delete context;
  }
  contexts_.clear();
}

}  // namespace lbhm::emulator
