// Threads that wait for each other in every way but OpenMP's. Each case says how long it took on the program's clock,
// beside the same work with OpenMP's own constructs. Prints "CASE WANTED TOOK", in nanoseconds.
#include <fcntl.h>
#include <omp.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <threads.h>
#include <unistd.h>

#include <atomic>
#include <barrier>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstring>
#include <functional>
#include <future>
#include <latch>
#include <mutex>
#include <semaphore>
#include <thread>
#include <vector>

namespace {

constexpr int lanes = 4, rounds = 10;
double data[lanes][1 << 12];

void work(int me, int times = 1) {
  double sum = 0;
  for (int r = 0; r < times; ++r)
    for (int i = 0; i < 8000; ++i) sum += data[me][i * 997 & 4095] += 1;
  if (sum < 0) std::abort();
}

using Clock = std::chrono::steady_clock;
long since(Clock::time_point begin) { return (Clock::now() - begin) / std::chrono::nanoseconds(1); }

template <class Body>
long in_lanes(Body body) {
  const auto begin = Clock::now();
#pragma omp parallel num_threads(lanes)
  body(omp_get_thread_num());
  return since(begin);
}

template <class Body>
long in_main(Body body) {
  const auto begin = Clock::now();
  body();
  return since(begin);
}

void report(const char* name, long wanted, long took) {
  std::printf("%s %ld %ld\n", name, wanted, took);
  std::fflush(stdout);
}

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
  std::barrier of_library(lanes);
  meet("std::barrier", [&] { of_library.arrive_and_wait(); });
  std::vector<std::unique_ptr<std::latch>> latches;
  for (int r = 0; r < rounds; ++r) latches.push_back(std::make_unique<std::latch>(lanes));
  meet("std::latch", [&] {
    static thread_local int round = 0;
    latches[round++]->arrive_and_wait();
  });
}

// --- lane 0 works, the others wait for what it gives ---

template <class Give, class Take>
void hand_out(const char* name, Give give, Take take) {
  const long wanted = in_main([] { work(0, 3 * rounds); });
  report(name, wanted, in_lanes([&](int me) {
           for (int r = 1; r <= rounds; ++r) {
             if (me == 0) work(0, 3);
             me == 0 ? give(r) : take(r);
           }
         }));
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
  step = 0;
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

void give_bytes(int file) {
  char bytes[lanes - 1] = {};
  if (write(file, bytes, sizeof(bytes)) != sizeof(bytes)) std::abort();
}
void take_byte(int file) {
  char byte;
  if (read(file, &byte, 1) != 1) std::abort();
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
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  hand_out("pipe without blocking", give, [&](int) {
    char byte;
    while (read(ends[0], &byte, 1) != 1) {}
  });
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
}

// --- threads that main waits for ---

int work_c11(void*) {
  work(0, 40);
  return 0;
}

void joins() {
  const long alone = in_main([] { work(0, 40); });
  const auto start = [](int me = 0) { return std::thread([=] { work(me, 40); }); };
  report("std::thread", alone, in_main([&] { start().join(); }));
  report("two threads", alone, in_main([&] {
           std::thread first = start(1), second = start(2);
           first.join(), second.join();
         }));
  report("thread after thread", 2 * alone, in_main([&] { start().join(), start().join(); }));
  report("std::async", alone, in_main([] { std::async(std::launch::async, [] { work(0, 40); }).get(); }));
  report("std::promise", alone, in_main([] {
           std::promise<int> result;
           std::thread worker([&] { work(0, 40), result.set_value(1); });
           if (result.get_future().get() != 1) std::abort();
           worker.join();
         }));
  report("thrd_t", alone, in_main([] {
           thrd_t thread;
           thrd_create(&thread, work_c11, nullptr);
           thrd_join(thread, nullptr);
         }));
  report("sleep in a thread", 50'000'000, in_main([] { std::thread([] { usleep(50'000); }).join(); }));
  report("condition", alone, in_main([] {
           std::mutex mutex;
           std::condition_variable ready;
           bool done = false;
           std::thread worker([&] {
             work(0, 40);
             const std::lock_guard guard(mutex);
             done = true, ready.notify_one();
           });
           std::unique_lock guard(mutex);
           ready.wait(guard, [&] { return done; });
           guard.unlock();
           worker.join();
         }));
  report("pipe of a thread", alone, in_main([] {
           int ends[2];
           if (pipe(ends) != 0) std::abort();
           std::thread worker([&] { work(0, 40), give_bytes(ends[1]); });
           take_byte(ends[0]);
           worker.join();
         }));
  report("thread of a lane", alone, in_lanes([&](int me) {
           if (me == 1) start(me).join();
         }));
}

// --- deadlines that pass ---

timespec later(clockid_t clock, long nanoseconds) {
  timespec t;
  clock_gettime(clock, &t);
  t.tv_nsec += nanoseconds;
  t.tv_sec += t.tv_nsec / 1'000'000'000;
  t.tv_nsec %= 1'000'000'000;
  return t;
}

constexpr long limit = 20'000'000;

void timer() {
  const int file = timerfd_create(CLOCK_MONOTONIC, 0);
  itimerspec at{};
  at.it_value = later(CLOCK_MONOTONIC, limit);
  timerfd_settime(file, TFD_TIMER_ABSTIME, &at, nullptr);
  std::uint64_t times = 0;
  if (read(file, &times, 8) != 8 || times != 1) std::abort();
  close(file);
}

void no_lock(std::function<int(pthread_rwlock_t*)> wait) {
  pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
  pthread_rwlock_wrlock(&lock);
  std::thread([&] {
    if (wait(&lock) != ETIMEDOUT) std::abort();
  }).join();
  pthread_rwlock_unlock(&lock);
}

template <class Wait>
void deadline(const char* name, Wait wait) {
  report(name, limit, in_main(wait));
  const std::string in_a_lane = std::string(name) + " in a lane";
  report(in_a_lane.c_str(), limit, in_lanes([&](int me) {
           if (me == 1) wait();
         }));
}

void deadlines() {
  sem_t none;
  sem_init(&none, 0, 0);
  int ends[2];
  if (pipe(ends) != 0) std::abort();
  pollfd asked{ends[0], POLLIN, 0};
  deadline("sem_timedwait", [&] {
    const timespec t = later(CLOCK_REALTIME, limit);
    sem_timedwait(&none, &t);
  });
  deadline("sem_clockwait", [&] {
    const timespec t = later(CLOCK_MONOTONIC, limit);
    sem_clockwait(&none, CLOCK_MONOTONIC, &t);
  });
  deadline("try_acquire_for", [] {
    std::counting_semaphore<4> tokens(0);
    if (tokens.try_acquire_for(std::chrono::nanoseconds(limit))) std::abort();
  });
  deadline("poll", [&] { poll(&asked, 1, limit / 1'000'000); });
  deadline("poll of nothing", [] { poll(nullptr, 0, limit / 1'000'000); });
  deadline("ppoll", [&] {
    const timespec t{0, limit};
    ppoll(&asked, 1, &t, nullptr);
  });
  deadline("select", [] {
    timeval t{0, limit / 1000};
    select(0, nullptr, nullptr, nullptr, &t);
  });
  deadline("pselect", [] {
    const timespec t{0, limit};
    pselect(0, nullptr, nullptr, nullptr, &t, nullptr);
  });
  deadline("epoll_wait", [] {
    const int file = epoll_create1(0);
    epoll_event event;
    epoll_wait(file, &event, 1, limit / 1'000'000);
    close(file);
  });
  deadline("timerfd", timer);
  deadline("thrd_sleep", [] {
    const timespec t{0, limit};
    thrd_sleep(&t, nullptr);
  });
  deadline("rwlock_timedwrlock", [] {
    no_lock([](pthread_rwlock_t* l) {
      const timespec t = later(CLOCK_REALTIME, limit);
      return pthread_rwlock_timedwrlock(l, &t);
    });
  });
  deadline("rwlock_clockrdlock", [] {
    no_lock([](pthread_rwlock_t* l) {
      const timespec t = later(CLOCK_MONOTONIC, limit);
      return pthread_rwlock_clockrdlock(l, CLOCK_MONOTONIC, &t);
    });
  });
  report("loop on select", limit, in_main([] {
           for (const auto begin = Clock::now(); since(begin) < limit;) {
             timeval t{0, 1000};
             select(0, nullptr, nullptr, nullptr, &t);
           }
         }));
}

/// What no lane ends.
void others() {
  in_lanes([](int me) {
    if (me != 1) return;
    const pid_t child = fork();
    if (child == 0) _exit(usleep(20'000));
    if (waitpid(child, nullptr, 0) != child) std::abort();
  });
  int ends[2];
  if (pipe(ends) != 0) std::abort();
  const pid_t child = fork();
  if (child == 0) {
    usleep(20'000);
    give_bytes(ends[1]);
    _exit(0);
  }
  in_lanes([&](int me) {
    if (me < 3) take_byte(ends[0]);
  });
  waitpid(child, nullptr, 0);
}

}  // namespace

int main(int count, char** words) {
  const std::string only = count > 1 ? words[1] : "";
  const std::pair<const char*, void (*)()> parts[] = {
      {"meetings", meetings}, {"hand_outs", hand_outs}, {"files", files},  {"exclusions", exclusions},
      {"joins", joins},       {"deadlines", deadlines}, {"others", others}};
#pragma omp parallel num_threads(lanes)
  work(omp_get_thread_num());
  for (const auto& [name, part] : parts)
    if (only.empty() || only == name) part();
  std::puts("verified 0 0");
}
