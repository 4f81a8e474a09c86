// Threads of the program's own in virtual time: one begins at the clock of who creates it, and who joins it goes on at
// the clock at which it ended, or at its own. OpenMP's threads have their edges in forks and joins.
#include <pthread.h>
#include <sys/syscall.h>
#include <threads.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <new>

#include "libomp-ext/virtual/clock/deadlines.h"
#include "libomp-ext/virtual/order/edges.h"
#include "libomp-ext/virtual/tasks/scheduler.h"
#include "runtime/engine/engine.h"
#include "runtime/interpose/real_function.h"

namespace {

using lbhm::Nanoseconds;
using lbhm::real::RealFunction;
using namespace lbhm::openmp;
namespace engine = lbhm::engine;

using Start = void*(void*);
using StartC11 = int(void*);
constinit RealFunction<int(pthread_t*, const pthread_attr_t*, Start*, void*)> real_create("pthread_create");
constinit RealFunction<int(pthread_t, void**)> real_join("pthread_join"), real_tryjoin("pthread_tryjoin_np");
constinit RealFunction<int(pthread_t, void**, const timespec*)> real_timedjoin("pthread_timedjoin_np");
constinit RealFunction<int(pthread_t, void**, clockid_t, const timespec*)> real_clockjoin("pthread_clockjoin_np");
constinit RealFunction<int(thrd_t*, StartC11*, void*)> real_thrd_create("thrd_create");
constinit RealFunction<int(thrd_t, int*)> real_thrd_join("thrd_join");

[[gnu::constructor]] void find_threads() {
  lbhm::real::find_all(real_create, real_join, real_tryjoin, real_timedjoin, real_clockjoin, real_thrd_create,
                       real_thrd_join);
}

/// The end of a thread, as an edge. Threads lie at even addresses.
EdgeName end_of(std::uint64_t thread) { return thread | 1; }

/// When the thread ends: behind the destructors of its thread-local objects, for the clock is asked once more. A key,
/// as a thread_local object of ours would move the program's variables on the thread's stack.
pthread_key_t key_of_end() {
  static const pthread_key_t made = [] {
    pthread_key_t fresh{};
    pthread_key_create(&fresh, [](void*) { brings(end_of(pthread_self())); });
    return fresh;
  }();
  return made;
}

/// What a thread takes along.
template <class Function>
struct Beginning {
  Function* start;
  void* argument;
  Nanoseconds clock;
};

template <class Function>
Beginning<Function> take_beginning(void* passed) {
  auto* memory = static_cast<Beginning<Function>*>(passed);
  const Beginning<Function> beginning = *memory;
  lbhm::tasks::private_memory().deallocate(memory, sizeof(*memory), alignof(Beginning<Function>));
  forget(end_of(pthread_self()));
  pthread_setspecific(key_of_end(), &real_create);  // anything but null
  not_before(beginning.clock);
  return beginning;
}

// Their return addresses stand for the program's (virtual_clock.cpp).
#define LBHM_THREAD_START __attribute__((section("lbhm_starts"), noinline))

LBHM_THREAD_START void* begin_thread(void* passed) {
  const auto beginning = take_beginning<Start>(passed);
  void* const result = beginning.start(beginning.argument);
  asm volatile("");  // no jump: this is where it returns to
  return result;
}

LBHM_THREAD_START int begin_thread_c11(void* passed) {
  const auto beginning = take_beginning<StartC11>(passed);
  const int result = beginning.start(beginning.argument);
  asm volatile("");
  return result;
}

/// OpenMP's threads are told by the runtime, and LB-HM's own are none.
bool is_program_thread(const void* caller) {
  return engine::keeps_virtual_time() && lbhm::clock::speaks_for_program(caller);
}

/// `begin`: what is called in the new thread, with what was passed.
template <class Function, class Create>
int create(Function* begin, Function* start, void* argument, const void* caller, Create real) try {
  if (!is_program_thread(caller)) return real(start, argument);
  threads_begin();
  void* memory = lbhm::tasks::private_memory().allocate(sizeof(Beginning<Function>), alignof(Beginning<Function>));
  auto* passed = new (memory) Beginning<Function>{start, argument, clock_here()};
  const int result = real(begin, passed);
  if (result != 0) lbhm::tasks::private_memory().deallocate(memory, sizeof(*passed), alignof(Beginning<Function>));
  return result;
} catch (const std::bad_alloc&) { return real(start, argument); }

/// Thread-local data lie on the stack of their thread, and instrumented code has 8 KiB of them: a little stack gets
/// more, if it is not memory that the program has for it.
const pthread_attr_t* with_room(const pthread_attr_t* asked, pthread_attr_t& roomier) {
  constexpr std::size_t little = 64 << 10, more = 16 << 10;
  void* begin = nullptr;
  std::size_t bytes = 0;
  if (!asked || !engine::keeps_virtual_time() || pthread_attr_getstack(asked, &begin, &bytes) != 0) return asked;
  const bool programs =
      reinterpret_cast<std::uintptr_t>(begin) + bytes != 0;  // of others glibc says that they end at 0
  if (programs || bytes == 0 || bytes >= little) return asked;
  roomier = *asked;
  return pthread_attr_setstacksize(&roomier, bytes + more) == 0 ? &roomier : asked;
}

/// The next thread may have the same name.
int joined(int result, std::uint64_t thread) {
  if (result != 0) return result;
  got(end_of(thread));
  forget(end_of(thread));
  return 0;
}

/// Whether a thread ends in time is a question of its clock: one that sleeps ends at once in real time, and one that
/// computes late.
template <class Join>
int join_until(pthread_t thread, clockid_t clock, const timespec* deadline, const void* caller, Join real) {
  using namespace lbhm::clock;
  const auto left = left_until(clock, deadline, speaks_for_program(caller));
  if (!left) return joined(real(deadline), thread);
  const auto ends_late = [latest = clock_here() + Nanoseconds(static_cast<double>(*left)), thread] {
    const auto end = brought(end_of(thread));
    return end && *end > latest;
  };
  const Time until = real_time(CLOCK_MONOTONIC) + *left;
  const timespec nap{.tv_sec = 0, .tv_nsec = 100'000};
  while (!brought(end_of(thread)) && real_time(CLOCK_MONOTONIC) < until) syscall(SYS_nanosleep, &nap, nullptr);
  const timespec moment = to_timespec(real_time(clock) + second);  // it has ended, but for its last instructions
  const timespec none{};
  const int status = ends_late() ? ETIMEDOUT : real(brought(end_of(thread)) ? &moment : &none);
  if (status == ETIMEDOUT) elapse(Nanoseconds(static_cast<double>(*left)));
  return joined(status, thread);
}

}  // namespace

LBHM_EXPORT int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, Start* start,
                               void* argument) noexcept {
  pthread_attr_t roomier;
  const pthread_attr_t* const used = with_room(attributes, roomier);
  return create(begin_thread, start, argument, __builtin_return_address(0),
                [=](Start* s, void* a) { return real_create(thread, used, s, a); });
}

LBHM_EXPORT int pthread_join(pthread_t thread, void** result) { return joined(real_join(thread, result), thread); }

LBHM_EXPORT int pthread_tryjoin_np(pthread_t thread, void** result) noexcept {
  const int status = joined(real_tryjoin(thread, result), thread);
  if (status == EBUSY && lbhm::clock::applies_to(__builtin_return_address(0)))
    lbhm::clock::elapse(lbhm::clock::system_call);
  return status;
}

LBHM_EXPORT int pthread_timedjoin_np(pthread_t thread, void** result, const timespec* deadline) {
  return join_until(thread, CLOCK_REALTIME, deadline, __builtin_return_address(0),
                    [=](const timespec* t) { return real_timedjoin(thread, result, t); });
}

LBHM_EXPORT int pthread_clockjoin_np(pthread_t thread, void** result, clockid_t clock, const timespec* deadline) {
  return join_until(thread, clock, deadline, __builtin_return_address(0),
                    [=](const timespec* t) { return real_clockjoin(thread, result, clock, t); });
}

LBHM_EXPORT int thrd_create(thrd_t* thread, StartC11* start, void* argument) {
  return create(begin_thread_c11, start, argument, __builtin_return_address(0),
                [=](StartC11* s, void* a) { return real_thrd_create(thread, s, a); });
}

LBHM_EXPORT int thrd_join(thrd_t thread, int* result) { return joined(real_thrd_join(thread, result), thread); }
