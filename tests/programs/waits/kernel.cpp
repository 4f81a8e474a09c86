// Lanes that wait for lanes in the kernel, by calls that nobody tells the emulated machine of.
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <threads.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <mutex>
#include <string>

#include "waits.h"

/// The first to come makes something for a while.
template <class Once>
static void make_once(const char* name, Once once) {
  const long wanted = in_main([] { work(0, 20); });
  report(name, wanted, in_lanes([&](int) { once(); }));
}

void once() {
  static once_flag of_c = ONCE_FLAG_INIT;
  static std::once_flag of_library;
  make_once("call_once", [] { call_once(&of_c, [] { work(0, 20); }); });
  make_once("std::call_once", [] { std::call_once(of_library, [] { work(0, 20); }); });
}

static void wish(bool true_in_the_end) {
  if (!true_in_the_end) std::abort();
}

static void of_files() {
  int ends[2];
  wish(pipe(ends) == 0);
  const auto give = [&](int) { give_bytes(ends[1]); };
  hand_out("SYS_read", give, [&](int) {
    char byte;
    wish(syscall(SYS_read, ends[0], &byte, 1) == 1);
  });
  std::FILE* file = fdopen(ends[0], "r");
  setvbuf(file, nullptr, _IONBF, 0);
  hand_out("getc", give, [&](int) { wish(std::getc(file) != EOF); });
  wish(dup2(ends[0], STDIN_FILENO) == STDIN_FILENO);
  hand_out(
      "std::cin", [&](int) { wish(write(ends[1], "word\n", 5) == 5); },
      [](int) {
        std::string line;  // of a stream that lanes share one may read
        if (omp_get_thread_num() == 1) wish(!std::getline(std::cin, line).fail());
      });
}

static void of_queues() {
  struct Message {
    long kind = 1;
    char byte = 0;
  };
  const int queue = msgget(IPC_PRIVATE, 0600), tokens = semget(IPC_PRIVATE, 1, 0600);
  hand_out(
      "msgrcv",
      [&](int) {
        const Message message;
        for (int k = 1; k < lanes; ++k) wish(msgsnd(queue, &message, 1, 0) == 0);
      },
      [&](int) {
        Message message;
        wish(msgrcv(queue, &message, 1, 0, 0) == 1);
      });
  const auto change = [&](short by) {
    sembuf change{0, by, 0};
    wish(semop(tokens, &change, 1) == 0);
  };
  hand_out("semop", [&](int) { change(lanes - 1); }, [&](int) { change(-1); });
  msgctl(queue, IPC_RMID, nullptr);
  semctl(tokens, 0, IPC_RMID);
}

static void of_signals() {
  static pthread_t threads[lanes];
  sigset_t wanted;
  sigemptyset(&wanted);
  sigaddset(&wanted, SIGUSR1);
  in_lanes([&](int me) {
    threads[me] = pthread_self();
    pthread_sigmask(SIG_BLOCK, &wanted, nullptr);
  });
  hand_out(
      "sigwait",
      [](int) {
        for (int k = 1; k < lanes; ++k) pthread_kill(threads[k], SIGUSR1);
      },
      [&](int) {
        int found;
        wish(sigwait(&wanted, &found) == 0);
      });
}

/// As a program with system calls of its own makes it.
static long futex(std::atomic<std::int32_t>& word, long operation, long value) {
  long result;
  register long none asm("r10") = 0;
  asm volatile("syscall"
               : "=a"(result)
               : "a"(SYS_futex), "D"(&word), "S"(operation), "d"(value), "r"(none)
               : "rcx", "r11", "memory");
  return result;
}

/// How long a child takes is not known in virtual time.
static void of_children() {
  in_lanes([](int me) {
    if (me == 1) wish(std::system("sleep 0.1") == 0);
    if (me != 2) return;
    const pid_t child = fork();
    if (child == 0) _exit(usleep(100'000));
    siginfo_t info;
    wish(waitid(P_PID, static_cast<id_t>(child), &info, WEXITED) == 0);
  });
}

void kernel() {
  of_files();
  of_queues();
  of_signals();
  static std::atomic<std::int32_t> word{0};
  hand_out(
      "futex by hand",
      [](int r) {
        word = r;
        futex(word, FUTEX_WAKE, lanes);
      },
      [](int r) {
        for (std::int32_t found; (found = word) < r;) futex(word, FUTEX_WAIT, found);
      });
  of_children();
}
