// A thread that takes all signals, as servers have it, and works in between; prints each.
#define _GNU_SOURCE
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

static int by_file;
static sigset_t all;

static int next_signal(void) {
  static int file = -1;
  int number = 0;
  struct signalfd_siginfo info;
  if (!by_file) return sigwait(&all, &number) == 0 ? number : -1;
  if (file < 0) file = signalfd(-1, &all, 0);
  return read(file, &info, sizeof info) == sizeof info ? (int)info.ssi_signo : -1;
}

static void* take(void* unused) {
  volatile double sum = 0;
  int number = 0;
  while (number != SIGRTMAX) {
    number = next_signal();
    printf("%d\n", number);
    const clock_t end = clock() + CLOCKS_PER_SEC / 50;  // ticks, on an emulated machine that samples
    for (int i = 0; i < 3000000 || clock() < end; ++i) sum += sqrt(i);
  }
  return NULL;
}

int main(int count, char** words) {
  by_file = count > 1;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, NULL);
  pthread_t taker;
  pthread_create(&taker, NULL, take, NULL);
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 3000000; ++i) sum += sqrt(i);
  const int sent[] = {SIGUSR1, SIGRTMAX - 7, SIGRTMAX};
  for (int i = 0; i < 3; ++i) kill(getpid(), sent[i]);
  pthread_join(taker, NULL);
  printf("%g\n", sum);
  return 0;
}
