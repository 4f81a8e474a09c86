// Lanes that wait for lanes.
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <threads.h>

#include <atomic>
#include <barrier>
#include <cstdint>
#include <latch>
#include <memory>
#include <mutex>
#include <semaphore>
#include <vector>

#include "waits.h"

// --- all meet, round after round ---

template <class Meet>
void meet(const char* name, Meet together) {
  const auto round = [&](int me, int r) { work(me, 1 + (me + r) % 3); };
  const long wanted = in_lanes([&](int me) {
    for (int r = 0; r < rounds; ++r) {
      round(me, r);
#pragma omp barrier
    }
  });
  report(name, wanted, in_lanes([&](int me) {
           for (int r = 0; r < rounds; ++r) {
             round(me, r);
             together();
           }
         }));
}

void meetings() {
  pthread_barrier_t of_threads;
  pthread_barrier_init(&of_threads, nullptr, lanes);
  meet("pthread_barrier", [&] { pthread_barrier_wait(&of_threads); });
  pthread_barrier_destroy(&of_threads);
}

void library_meetings() {
  std::vector<std::unique_ptr<std::latch>> latches;
  for (int r = 0; r < rounds; ++r) latches.push_back(std::make_unique<std::latch>(lanes));
  meet("std::latch", [&] {
    static thread_local int round = 0;
    latches[round++]->arrive_and_wait();
  });
  std::barrier of_library(lanes);
  meet("std::barrier", [&] { of_library.arrive_and_wait(); });
}

// --- lane 0 works, the others wait for what it gives ---

static void spins() {
  std::atomic<int> step{0};
  hand_out(
      "spin", [&](int r) { step.store(r); },
      [&](int r) {
        while (step.load() < r) {}
      });
  step = 0;
  hand_out(
      "spin usleep", [&](int r) { step.store(r); },
      [&](int r) {
        while (step.load() < r) usleep(1);
      });
  step = 0;
  hand_out(
      "spin sched_yield", [&](int r) { step.store(r); },
      [&](int r) {
        while (step.load() < r) sched_yield();
      });
  static volatile int flag;
  hand_out(
      "spin volatile", [](int r) { flag = r; },
      [](int r) {
        while (flag < r) {}
      });
}

static void fenced_spins() {
  std::atomic<int> step{0};
  hand_out(
      "spin relaxed", [&](int r) { step.store(r, std::memory_order_relaxed); },
      [&](int r) {
        while (step.load(std::memory_order_relaxed) < r) __builtin_ia32_pause();
      });
  static int plain;
  hand_out(
      "spin flush",
      [](int r) {
        plain = r;
#pragma omp flush
      },
      [](int r) {
        for (bool waits = true; waits;) {
#pragma omp flush
          waits = plain < r;
        }
      });
}

void hand_outs() {
  std::counting_semaphore<64> of_library(0);
  hand_out("counting_semaphore", [&](int) { of_library.release(lanes - 1); }, [&](int) { of_library.acquire(); });
  sem_t of_threads;
  sem_init(&of_threads, 0, 0);
  const auto post = [&](int) {
    for (int k = 1; k < lanes; ++k) sem_post(&of_threads);
  };
  hand_out("sem_t", post, [&](int) { sem_wait(&of_threads); });
  hand_out("sem_trywait", post, [&](int) {
    while (sem_trywait(&of_threads) != 0) {}
  });
  std::atomic<int> step{0};
  const auto tell = [&](int r) { step.store(r), step.notify_all(); };
  hand_out("atomic::wait", tell, [&](int r) {
    for (int v; (v = step.load()) < r;) step.wait(v);
  });
  spins();
  fenced_spins();
}

void conditions() {
  static mtx_t mutex;
  static cnd_t changed;
  static int given;
  mtx_init(&mutex, mtx_plain);
  cnd_init(&changed);
  const auto give = [](int r) {
    mtx_lock(&mutex);
    given = r;
    cnd_broadcast(&changed);
    mtx_unlock(&mutex);
  };
  hand_out("cnd_t", give, [](int r) {
    mtx_lock(&mutex);
    while (given < r) cnd_wait(&changed, &mutex);
    mtx_unlock(&mutex);
  });
}

static void events_and_sockets() {
  const int event = eventfd(0, EFD_SEMAPHORE);
  const auto raise = [&](int) {
    const std::uint64_t tokens = lanes - 1;
    if (write(event, &tokens, 8) != 8) std::abort();
  };
  hand_out("eventfd", raise, [&](int) {
    std::uint64_t token;
    if (read(event, &token, 8) != 8) std::abort();
  });
  int pair[2];
  socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
  const auto send_bytes = [&](int) {
    char bytes[lanes - 1] = {};
    if (send(pair[0], bytes, sizeof(bytes), 0) != sizeof(bytes)) std::abort();
  };
  hand_out("socket", send_bytes, [&](int) {
    char byte;
    if (recv(pair[1], &byte, 1, 0) != 1) std::abort();
  });
}

void files() {
  int ends[2];
  if (pipe(ends) != 0) std::abort();
  const auto give = [&](int) { give_bytes(ends[1]); };
  hand_out("pipe", give, [&](int) { take_byte(ends[0]); });
  hand_out("pipe after poll", give, [&](int) {
    pollfd asked{ends[0], POLLIN, 0};
    if (poll(&asked, 1, -1) == 1) take_byte(ends[0]);
  });
  hand_out("pipe after select", give, [&](int) {
    fd_set set;
    FD_ZERO(&set);
    FD_SET(ends[0], &set);
    if (select(ends[0] + 1, &set, nullptr, nullptr, nullptr) == 1) take_byte(ends[0]);
  });
  const int all = epoll_create1(0);
  epoll_event wish{EPOLLIN, {}};
  epoll_ctl(all, EPOLL_CTL_ADD, ends[0], &wish);
  hand_out("pipe after epoll", give, [&](int) {
    epoll_event found;
    if (epoll_wait(all, &found, 1, -1) == 1) take_byte(ends[0]);
  });
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  hand_out("pipe without blocking", give, [&](int) {
    char byte;
    while (read(ends[0], &byte, 1) != 1) {}
  });
  events_and_sockets();
}

// --- one at a time ---

template <class Take, class Give>
void exclude(const char* name, Take take, Give give) {
  const long wanted = in_lanes([](int me) {
    for (int r = 0; r < 5; ++r) {
#pragma omp critical
      work(me);
    }
  });
  report(name, wanted, in_lanes([&](int me) {
           for (int r = 0; r < 5; ++r) {
             take(me);
             work(me);
             give(me);
           }
         }));
}

void exclusions() {
  char name[] = "/tmp/waits-XXXXXX";
  int lock[lanes];
  lock[0] = mkstemp(name);
  for (int me = 1; me < lanes; ++me) lock[me] = open(name, O_RDWR);
  unlink(name);
  exclude("flock", [&](int me) { flock(lock[me], LOCK_EX); }, [&](int me) { flock(lock[me], LOCK_UN); });
  const auto set = [&](int me, int command, short type) {
    struct flock whole{};
    whole.l_type = type;
    if (fcntl(lock[me], command, &whole) != 0) std::abort();
  };
  exclude("fcntl", [&](int me) { set(me, F_OFD_SETLKW, F_WRLCK); }, [&](int me) { set(me, F_OFD_SETLK, F_UNLCK); });
  std::timed_mutex patient;
  exclude(
      "timed_mutex",
      [&](int) {
        while (!patient.try_lock_for(std::chrono::seconds(1))) {}
      },
      [&](int) { patient.unlock(); });
  static mtx_t mutex;
  mtx_init(&mutex, mtx_timed);
  exclude("mtx_t", [](int) { mtx_lock(&mutex); }, [](int) { mtx_unlock(&mutex); });
  const auto take_in_time = [](int) {
    timespec until;
    do {
      timespec_get(&until, TIME_UTC);
      ++until.tv_sec;
    } while (mtx_timedlock(&mutex, &until) != thrd_success);
  };
  exclude("mtx_timedlock", take_in_time, [](int) { mtx_unlock(&mutex); });
  exclude("flockfile", [](int) { flockfile(stderr); }, [](int) { funlockfile(stderr); });
}

/// Never ends: a lane looks at memory in a loop that the plugin does not see while the others are at a barrier.
void stuck() {
  static int flag = 0;
  in_lanes([](int me) {
    work(me);
    if (me == 1) asm volatile("1: cmpl $0, %0\n je 1b" ::"m"(flag) : "cc");
  });
}
