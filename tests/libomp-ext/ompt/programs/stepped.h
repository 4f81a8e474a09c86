// The calls of stepped.c: each function of libc, libstdc++ and the OpenMP runtime that LB-HM stands in front of.
#pragma once

#include <aio.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <malloc.h>
#include <mqueue.h>
#include <omp.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

/// CALL(void*, "GOMP_alloc", (size_t, size_t, uintptr_t), (8, 100, 0)): a function that no header declares.
#define CALL(type, name, parameters, arguments) \
  (dlsym(RTLD_DEFAULT, name) ? ((type(*) parameters)dlsym(RTLD_DEFAULT, name))arguments : (type)0)

static void call_tasks(long* data, long* shared_sum) {
  long sum = 0;
#pragma omp taskgroup task_reduction(+ : sum)
  {
#pragma omp task depend(out : data[1]) in_reduction(+ : sum)
    ++sum;
#pragma omp task depend(in : data[1]) if (0)
    ++data[2];
  }
  *shared_sum += sum;
#pragma omp taskloop num_tasks(2)
  for (int i = 0; i < 4; ++i) ++data[i];
#pragma omp task
  ++data[3];
#pragma omp taskyield
#pragma omp taskwait
#pragma omp taskwait depend(in : data[1])
}

static void call_regions(void) {
  static long data[64];
  long sum = 0;
#pragma omp parallel num_threads(1) reduction(+ : sum)
  {
#pragma omp for schedule(dynamic, 4)
    for (int i = 0; i < 16; ++i) ++data[i];
#pragma omp for schedule(dynamic, 4)
    for (unsigned i = 0; i < 16; ++i) ++data[i];
#pragma omp for schedule(dynamic, 4)
    for (long i = 0; i < 16; ++i) ++data[i];
#pragma omp for schedule(dynamic, 4)
    for (unsigned long i = 0; i < 16; ++i) ++data[i];
#pragma omp for ordered
    for (int i = 0; i < 4; ++i) {
#pragma omp ordered
      ++data[0];
    }
#pragma omp for ordered(1)
    for (int i = 1; i < 4; ++i) {
#pragma omp ordered depend(sink : i - 1)
      ++data[0];
#pragma omp ordered depend(source)
    }
#pragma omp critical
    ++sum;
#pragma omp single
    call_tasks(data, &sum);
  }
}

static void count_up(void* data) { ++*(int*)data; }

static void call_openmp(void) {
  int number = 0;
  omp_lock_t lock;
  omp_nest_lock_t nest;
  char text[64];
  omp_init_lock(&lock);
  omp_init_nest_lock(&nest);
  if (omp_test_lock(&lock)) omp_unset_lock(&lock);
  if (omp_test_nest_lock(&nest)) omp_unset_nest_lock(&nest);
  CALL(int, "GOMP_parallel", (void (*)(void*), void*, unsigned, unsigned), (count_up, &number, 1, 0));
  volatile double sink = omp_get_wtime() + omp_get_wtick() + omp_get_num_procs();
  sink += CALL(double, "omp_get_wtime_", (void), ()) + CALL(double, "omp_get_wtick_", (void), ());
  number += CALL(int, "omp_get_num_procs_", (void), ());
  omp_capture_affinity(text, sizeof text, "%n");
  CALL(size_t, "omp_capture_affinity_", (char*, const char*, size_t, size_t), (text, "%n", sizeof text, 2));
  omp_control_tool(omp_control_tool_flush, 0, NULL);
}

static void call_allocators(void) {
  omp_alloctrait_t trait = {omp_atk_alignment, 64};
  omp_allocator_handle_t own = omp_init_allocator(omp_default_mem_space, 1, &trait);
  void* block = omp_realloc(omp_alloc(5000, own), 9000, own, own);
  omp_free(block, own);
  omp_free(omp_calloc(10, 10, own), own);
  omp_free(omp_aligned_alloc(4096, 8192, own), own);
  omp_free(omp_aligned_calloc(4096, 2, 4096, own), own);
  omp_set_default_allocator(omp_get_default_allocator());
  omp_destroy_allocator(own);
  block = CALL(void*, "GOMP_alloc", (size_t, size_t, uintptr_t), (64, 100, 0));
  CALL(int, "GOMP_free", (void*, uintptr_t), (block, 0));
  typedef void* Handle;
  Handle handle = CALL(Handle, "__kmpc_get_default_allocator", (int), (0));
  CALL(int, "__kmpc_set_default_allocator", (int, Handle), (0, handle));
  block = CALL(void*, "__kmpc_alloc", (int, size_t, Handle), (0, 100, handle));
  block = CALL(void*, "__kmpc_realloc", (int, void*, size_t, Handle, Handle), (0, block, 200, handle, handle));
  CALL(int, "__kmpc_free", (int, void*, Handle), (0, block, handle));
  block = CALL(void*, "__kmpc_calloc", (int, size_t, size_t, Handle), (0, 3, 100, handle));
  CALL(int, "__kmpc_free", (int, void*, Handle), (0, block, handle));
  block = CALL(void*, "__kmpc_aligned_alloc", (int, size_t, size_t, Handle), (0, 64, 100, handle));
  CALL(int, "__kmpc_free", (int, void*, Handle), (0, block, handle));
  handle = CALL(Handle, "__kmpc_init_allocator", (int, Handle, int, void*), (0, NULL, 1, &trait));
  CALL(int, "__kmpc_destroy_allocator", (int, Handle), (0, handle));
}

static void call_malloc(void) {
  void* volatile block = malloc(100);
  block = realloc(block, 300000);
  block = reallocarray(block, 2, 300000);
  free(block);
  free(calloc(3, 100000));
  if (posix_memalign((void**)&block, 64, 300000) == 0) free(block);
  block = memalign(64, malloc_usable_size(block = malloc(64)));
  free(block);
  free(aligned_alloc(64, 128));
  free(valloc(100));
  free(pvalloc(100));
  dlclose(dlopen("libm.so.6", RTLD_NOW));
  dlclose(dlmopen(LM_ID_BASE, "libm.so.6", RTLD_NOW));
}

static void call_pages(void) {
  char* pages = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mprotect(pages, 4096, PROT_READ);
  pkey_mprotect(pages, 4096, PROT_READ | PROT_WRITE, -1);
  pages = mremap(pages, 1 << 20, 1 << 21, MREMAP_MAYMOVE);
  munmap(pages, 1 << 21);
  pages = CALL(char*, "mmap64", (void*, size_t, int, int, int, long),
               (NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  munmap(pages, 4096);
}

static void ignore(int number) {}

static void call_limits(void) {
  unshare(0);
  setns(-1, 0);
  const struct rlimit64 all = {RLIM64_INFINITY, RLIM64_INFINITY};
  setrlimit(-1, (const struct rlimit*)&all);
  setrlimit64(-1, &all);
  prlimit(0, -1, NULL, NULL);
  prlimit64(0, -1, NULL, NULL);
}

static void call_signals(void) {
  struct sigaction action = {.sa_handler = ignore};
  sigset_t none, one;
  sigemptyset(&none);
  sigemptyset(&one);
  sigaddset(&one, SIGUSR1);
  sigaction(SIGUSR1, &action, NULL);
  const char* const by_handler[] = {"signal", "bsd_signal", "ssignal", "sysv_signal", "__sysv_signal", "sigset"};
  for (unsigned i = 0; i < sizeof by_handler / sizeof *by_handler; ++i)
    CALL(void*, by_handler[i], (int, void (*)(int)), (SIGUSR2, ignore));
  CALL(int, "sigignore", (int), (SIGUSR2));
  CALL(int, "sighold", (int), (SIGUSR2));
  CALL(int, "sigblock", (int), (0));
  CALL(int, "sigsetmask", (int), (0));
  sigprocmask(SIG_BLOCK, &none, NULL);
  pthread_sigmask(SIG_BLOCK, &one, NULL);
  raise(SIGUSR1);
  sigsuspend(&none);
  const struct timespec now = {0, 0};
  ppoll(NULL, 0, &now, &none);
  CALL(int, "__ppoll_chk", (void*, nfds_t, const void*, const void*, size_t), (NULL, 0, &now, &none, 0));
  pselect(0, NULL, NULL, NULL, &now, &none);
  struct epoll_event event;
  epoll_pwait(-1, &event, 1, 0, &none);
  epoll_pwait2(-1, &event, 1, &now, &none);
  sigtimedwait(&none, NULL, &now);
  const struct aiocb* transfers[1] = {NULL};
  aio_suspend(transfers, 1, &now);
  char message[1];
  mq_timedreceive(-1, message, 1, NULL, &now);
  mq_timedsend(-1, message, 1, 0, &now);
  semtimedop(-1, NULL, 0, &now);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setsigmask_np(&attributes, &none);
  stack_t stack;
  sigaltstack(NULL, &stack);
}

static void call_clocks(void) {
  struct timespec time_now, none = {0, 0};
  struct timeval day;
  struct tms ticks;
  struct rusage usage;
  clock_gettime(CLOCK_REALTIME, &time_now);
  gettimeofday(&day, NULL);
  time(NULL);
  clock();
  times(&ticks);
  getrusage(RUSAGE_SELF, &usage);
  timespec_get(&time_now, TIME_UTC);
  nanosleep(&none, NULL);
  clock_nanosleep(CLOCK_MONOTONIC, 0, &none, NULL);
  usleep(0);
  sleep(0);
  CALL(int, "sched_yield", (void), ());
  CALL(long, "_ZNSt6chrono3_V212steady_clock3nowEv", (void), ());
  CALL(long, "_ZNSt6chrono3_V212system_clock3nowEv", (void), ());
  unsigned word = 1;
  const char* const futex[] = {
      "_ZNSt28__atomic_futex_unsigned_base19_M_futex_wait_untilEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_"
      "IlS3_ILl1ELl1000000000EEEE",
      "_ZNSt28__atomic_futex_unsigned_base26_M_futex_wait_until_"
      "steadyEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_"
      "IlS3_ILl1ELl1000000000EEEE"};
  for (int i = 0; i < 2; ++i)
    CALL(int, futex[i], (void*, unsigned*, unsigned, _Bool, long, long), (NULL, &word, 2, 1, 0, 0));
}

static void call_locks(void) {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
  pthread_spinlock_t spin;
  const struct timespec past = {1, 0};
  sem_t semaphore;
  sem_init(&semaphore, 0, 0);
  pthread_spin_init(&spin, 0);
  pthread_mutex_lock(&mutex);
  pthread_cond_timedwait(&condition, &mutex, &past);
  pthread_cond_clockwait(&condition, &mutex, CLOCK_MONOTONIC, &past);
  pthread_cond_signal(&condition);
  pthread_cond_broadcast(&condition);
  pthread_mutex_unlock(&mutex);
  if (pthread_mutex_trylock(&mutex) == 0) pthread_mutex_unlock(&mutex);
  if (pthread_mutex_timedlock(&mutex, &past) == 0) pthread_mutex_unlock(&mutex);
  if (pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &past) == 0) pthread_mutex_unlock(&mutex);
  pthread_spin_lock(&spin);
  pthread_spin_unlock(&spin);
  if (pthread_spin_trylock(&spin) == 0) pthread_spin_unlock(&spin);
  pthread_rwlock_rdlock(&shared);
  pthread_rwlock_unlock(&shared);
  pthread_rwlock_wrlock(&shared);
  pthread_rwlock_unlock(&shared);
  if (pthread_rwlock_tryrdlock(&shared) == 0) pthread_rwlock_unlock(&shared);
  if (pthread_rwlock_trywrlock(&shared) == 0) pthread_rwlock_unlock(&shared);
  sem_timedwait(&semaphore, &past);
  int64_t guard = 0;
  if (CALL(int, "__cxa_guard_acquire", (int64_t*), (&guard))) CALL(int, "__cxa_guard_abort", (int64_t*), (&guard));
  if (CALL(int, "__cxa_guard_acquire", (int64_t*), (&guard))) CALL(int, "__cxa_guard_release", (int64_t*), (&guard));
}

/// Of a file that is not open: nothing waits.
static void call_transfers(void) {
  enum { none = -1 };
  char text[8] = "";
  struct iovec part = {text, sizeof text};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  struct pollfd file = {none, POLLIN, 0};
  struct timeval no_time = {0, 0};
  struct epoll_event event;
  const struct itimerspec soon = {{0, 0}, {0, 1}};
  volatile long sum = read(none, text, 1) + write(none, text, 1) + readv(none, &part, 1) + writev(none, &part, 1);
  sum += CALL(ssize_t, "__read_chk", (int, void*, size_t, size_t), (none, text, 1, sizeof text));
  sum += recv(none, text, 1, 0) + send(none, text, 1, 0) + recvmsg(none, &message, 0) + sendmsg(none, &message, 0);
  sum += recvfrom(none, text, 1, 0, NULL, NULL) + sendto(none, text, 1, 0, NULL, 0);
  sum += accept(none, NULL, NULL) + accept4(none, NULL, NULL, 0) + shutdown(none, SHUT_RD) + close(none);
  sum += poll(&file, 1, 0) + select(0, NULL, NULL, NULL, &no_time) + epoll_wait(none, &event, 1, 0);
  sum += CALL(int, "__poll_chk", (void*, nfds_t, int, size_t), (&file, 1, 0, sizeof file));
  sum += fcntl(none, F_GETFD) + CALL(int, "fcntl64", (int, int, ...), (none, F_GETFD));
  sum += flock(none, LOCK_SH) + lockf(none, F_TEST, 0) + prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) + syscall(SYS_getpid);
  const int timer = timerfd_create(CLOCK_MONOTONIC, 0);
  sum += timerfd_settime(timer, 0, &soon, NULL) + close(timer);
  int status;
  sum += wait(&status) + waitpid(-1, &status, 0) + wait3(&status, 0, NULL) + wait4(-1, &status, 0, NULL);
}

static void call_waits(void) {
  const struct timespec past = {1, 0};
  pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
  pthread_barrier_t barrier;
  sem_t semaphore;
  pthread_barrier_init(&barrier, NULL, 1);
  pthread_barrier_wait(&barrier);
  pthread_barrier_destroy(&barrier);
  sem_init(&semaphore, 0, 0);
  sem_clockwait(&semaphore, CLOCK_MONOTONIC, &past);
  sem_trywait(&semaphore);
  sem_post(&semaphore);
  sem_wait(&semaphore);
  if (pthread_rwlock_timedrdlock(&shared, &past) == 0) pthread_rwlock_unlock(&shared);
  if (pthread_rwlock_timedwrlock(&shared, &past) == 0) pthread_rwlock_unlock(&shared);
  if (pthread_rwlock_clockrdlock(&shared, CLOCK_MONOTONIC, &past) == 0) pthread_rwlock_unlock(&shared);
  if (pthread_rwlock_clockwrlock(&shared, CLOCK_MONOTONIC, &past) == 0) pthread_rwlock_unlock(&shared);
  const struct timespec no_time = {0, 0};
  thrd_sleep(&no_time, NULL);
  thrd_yield();
}

static void nothing(void) {}

/// C11's locks, those of streams, and what is done once.
static void call_locks_of_c(void) {
  static once_flag flag = ONCE_FLAG_INIT;
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  const struct timespec past = {1, 0};
  mtx_t mutex;
  cnd_t condition;
  mtx_init(&mutex, mtx_timed);
  cnd_init(&condition);
  mtx_lock(&mutex);
  cnd_timedwait(&condition, &mutex, &past);
  cnd_signal(&condition);
  cnd_broadcast(&condition);
  mtx_unlock(&mutex);
  if (mtx_trylock(&mutex) == thrd_success) mtx_unlock(&mutex);
  if (mtx_timedlock(&mutex, &past) == thrd_success) mtx_unlock(&mutex);
  flockfile(stderr);
  funlockfile(stderr);
  if (ftrylockfile(stderr) == 0) funlockfile(stderr);
  call_once(&flag, nothing);
  pthread_once(&once, nothing);
  CALL(void, "__kmpc_barrier", (void*, int32_t), (NULL, 0));
}

static void call_libcs_malloc(void) {
  void* block = CALL(void*, "__libc_realloc", (void*, size_t), (malloc(100), 200));
  CALL(void, "__libc_free", (void*), (block));
  CALL(void, "cfree", (void*), (malloc(100)));
  dlvsym(RTLD_DEFAULT, "free", "GLIBC_2.2.5");
}

static void (*const all_calls[])(void) = {call_regions,   call_openmp, call_allocators,  call_malloc, call_pages,
                                          call_signals,   call_limits, call_clocks,      call_locks,  call_locks_of_c,
                                          call_transfers, call_waits,  call_libcs_malloc};
