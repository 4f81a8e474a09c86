// Threads that main waits for, deadlines, and what other processes end.
#include <fcntl.h>
#include <mqueue.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <threads.h>

#include <cerrno>
#include <condition_variable>
#include <csignal>
#include <cstdint>
#include <functional>
#include <future>
#include <mutex>
#include <semaphore>
#include <string>
#include <thread>

#include "waits.h"

// --- threads that main waits for ---

static int work_c11(void*) {
  work(0, 40);
  return 0;
}

/// Threads that say themselves that they are done.
static void handed_results(long alone) {
  report("std::promise", alone, in_main([] {
           std::promise<int> result;
           std::thread worker([&] { work(0, 40), result.set_value(1); });
           if (result.get_future().get() != 1) std::abort();
           worker.join();
         }));
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
  report("thrd_t", alone, in_main([] {
           thrd_t thread;
           thrd_create(&thread, work_c11, nullptr);
           thrd_join(thread, nullptr);
         }));
  report("sleep in a thread", 50'000'000, in_main([] { std::thread([] { usleep(50'000); }).join(); }));
  handed_results(alone);
  report("thread of a lane", alone, in_lanes([&](int me) {
           if (me == 1) start(me).join();
         }));
}

// --- deadlines that pass ---

static timespec later(clockid_t clock, long nanoseconds) {
  timespec t;
  clock_gettime(clock, &t);
  t.tv_nsec += nanoseconds;
  t.tv_sec += t.tv_nsec / 1'000'000'000;
  t.tv_nsec %= 1'000'000'000;
  return t;
}

constexpr long limit = 20'000'000;

static void timer() {
  const int file = timerfd_create(CLOCK_MONOTONIC, 0);
  itimerspec at{};
  at.it_value = later(CLOCK_MONOTONIC, limit);
  timerfd_settime(file, TFD_TIMER_ABSTIME, &at, nullptr);
  std::uint64_t times = 0;
  if (read(file, &times, 8) != 8 || times != 1) std::abort();
  close(file);
}

static void no_lock(std::function<int(pthread_rwlock_t*)> wait) {
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

static void more_deadlines();

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
  static mtx_t mutex;
  static cnd_t never;
  mtx_init(&mutex, mtx_timed);
  cnd_init(&never);
  deadline("cnd_timedwait", [] {
    const timespec t = later(CLOCK_REALTIME, limit);
    mtx_lock(&mutex);
    while (cnd_timedwait(&never, &mutex, &t) != thrd_timedout) {}
    mtx_unlock(&mutex);
  });
  more_deadlines();
}

/// Of what processes send each other.
static void message_deadlines() {
  deadline("semtimedop", [] {
    const int set = semget(IPC_PRIVATE, 1, 0600);
    sembuf take{0, -1, 0};
    const timespec t{0, limit};
    if (semtimedop(set, &take, 1, &t) != -1 || errno != EAGAIN) std::abort();
    semctl(set, 0, IPC_RMID);
  });
  const std::string name = "/lbhm-waits-" + std::to_string(getpid());
  const mqd_t queue = mq_open(name.c_str(), O_CREAT | O_RDONLY, 0600, nullptr);
  mq_unlink(name.c_str());
  deadline("mq_timedreceive", [=] {
    char message[8192];
    const timespec t = later(CLOCK_REALTIME, limit);
    if (mq_timedreceive(queue, message, sizeof(message), nullptr, &t) != -1 || errno != ETIMEDOUT) std::abort();
  });
  mq_close(queue);
  deadline("recv with SO_RCVTIMEO", [] {
    int ends[2];
    const timeval t{0, limit / 1000};
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) std::abort();
    setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &t, sizeof(t));
    char byte;
    if (recv(ends[0], &byte, 1, 0) != -1 || errno != EAGAIN) std::abort();
    close(ends[0]), close(ends[1]);
  });
}

/// What the kernel alone ends.
static void kernel_deadlines() {
  static sigset_t user;
  sigemptyset(&user), sigaddset(&user, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &user, nullptr);
  deadline("sigtimedwait", [] {
    const timespec t{0, limit};
    if (sigtimedwait(&user, nullptr, &t) != -1 || errno != EAGAIN) std::abort();
  });
  deadline("nanosleep by its number", [] {
    const timespec t{0, limit};
    syscall(SYS_nanosleep, &t, nullptr);
  });
  deadline("ppoll by its number", [] {
    timespec t{0, limit};
    syscall(SYS_ppoll, nullptr, 0, &t, nullptr, 8);
  });
  deadline("pselect with a mask", [] {
    const timespec t{0, limit};
    pselect(0, nullptr, nullptr, nullptr, &t, &user);
  });
  message_deadlines();
  deadline("pthread_timedjoin_np", [] {
    std::thread sleeper([] { usleep(2 * limit / 1000); });
    const timespec t = later(CLOCK_REALTIME, limit);
    if (pthread_timedjoin_np(sleeper.native_handle(), nullptr, &t) != ETIMEDOUT) std::abort();
    sleeper.detach();
  });
}

static void more_deadlines() {
  kernel_deadlines();
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
