// own-way WHAT: does with its signals and its memory what programs do, inside of parallel regions that use two managed
// objects. Says how often it got what it asked for; without LB-HM it always does.
//   blocked   all threads block all signals, as programs with a thread in sigwait do
//   barrier   a write barrier: its own mprotect and SIGSEGV handler
//   handler   a SIGSEGV handler that comes within a region, and should never be called
//   default   signal(SIGSEGV, SIG_DFL) within a region
//   freed     gives an object back within a region and maps something else there
//   forked    children that use the objects and OpenMP's allocators
#include <fcntl.h>
#include <lbhm/lbhm.h>
#include <lbhm/omp_traits.h>
#include <omp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <string>

namespace {

constexpr std::size_t bytes = 4 << 20, page = 4096;
omp_allocator_handle_t allocator;
volatile char* first = nullptr;
volatile char* second = nullptr;
volatile sig_atomic_t called = 0;
long wrong = 0, right = 0;

void count(bool good) { ++(good ? right : wrong); }

volatile char* allocate() {
  void* const memory = omp_aligned_alloc(page, bytes, allocator);
  std::memset(memory, 1, bytes);
  return static_cast<volatile char*>(memory);
}

void use(volatile char* object, std::size_t from, std::size_t step) {
  for (std::size_t i = from * page; i < bytes; i += step * page) object[i] = static_cast<char>(object[i] + 1);
}

void unprotect(int, siginfo_t* info, void*) {
  called = called + 1;
  mprotect(reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(info->si_addr) & ~(page - 1)), page,
           PROT_READ | PROT_WRITE);
}

void must_not_be_called(int) {
  static const char sentence[] = "the program's handler saw a fault that was none of its own\n";
  if (write(STDOUT_FILENO, sentence, sizeof sentence - 1) >= 0) _exit(77);
}

/// Every page faults once when it is written to, whoever watched it meanwhile.
void check_barrier() {
  for (std::size_t i = 0; i < bytes; i += page) {
    const int before = called;
    first[i] = 2;
    first[i] = 3;
    count(called == before + 1);
  }
}

/// The next owner of the addresses forbids them. (libomp's own allocator may keep them.)
bool replaced = false;
void replace_first() {
  omp_free(const_cast<char*>(first), allocator);
  void* const at = const_cast<char*>(first);
  replaced = mmap(at, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) == at;
}
/// The kernel says whether they still are forbidden.
void check_replacement() {
  int ends[2];
  if (pipe(ends) != 0) _exit(4);
  for (std::size_t i = 0; i < bytes; i += page)
    count(!replaced || write(ends[1], const_cast<char*>(first) + i, 1) == -1);
  close(ends[0]);
  close(ends[1]);
  if (replaced) munmap(const_cast<char*>(first), bytes);
  first = allocate();
}

/// The kernel, too, may use the child's memory.
void child() {
  alarm(20);
  const int nowhere = open("/dev/null", O_WRONLY);
  const bool readable = write(nowhere, const_cast<char*>(first), bytes) == static_cast<ssize_t>(bytes);
  use(first, 0, 1);
  void* const block = omp_aligned_alloc(page, 100, omp_default_mem_alloc);
  omp_free(block, omp_null_allocator);
  _exit(readable ? 0 : 5);
}
void fork_once() {
  const pid_t process = fork();
  if (process == 0) child();
  int status = -1;
  waitpid(process, &status, 0);
  count(status == 0);
}

/// What the first thread does, while the second uses the second object.
void go_own_way(const std::string& what) {
  usleep(12000);  // more than a window of the sampler
  if (what == "barrier") mprotect(const_cast<char*>(first), bytes, PROT_READ);
  if (what == "handler") signal(SIGSEGV, must_not_be_called);
  if (what == "default") signal(SIGSEGV, SIG_DFL);
  if (what == "freed") replace_first();
  if (what == "forked") fork_once();
  usleep(12000);
}

void region(const std::string& what) {
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) {
      go_own_way(what);
    } else {
      for (int pass = 0; pass < 8; ++pass, usleep(3000)) use(second, 0, 1);
    }
    if (what != "barrier" && what != "freed") use(first, static_cast<std::size_t>(omp_get_thread_num()), 2);
  }
}

}  // namespace

int main(int, char** words) {
  const std::string what = words[1];
  if (what == "blocked") {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, nullptr);
  }
  if (what == "barrier") {
    struct sigaction action{};
    action.sa_sigaction = unprotect;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGSEGV, &action, nullptr);
  }
  const omp_alloctrait_t traits[] = {lbhm_managed(true)};
  allocator = lbhm_init_allocator(omp_default_mem_space, 1, traits);
  first = allocate();
  second = allocate();
  for (int round = 0; round < 20; ++round) {
    if (lbhm_config) {
      const lbhm_object objects[] = {{const_cast<char*>(first), bytes, "first"},
                                     {const_cast<char*>(second), bytes, "second"}};
      lbhm_config(objects, 2);
    }
    region(what);
    if (what == "barrier") check_barrier();
    if (what == "freed") check_replacement();
  }
  long sum = 0;
  for (std::size_t i = 0; i < bytes; i += page) sum += first[i] + second[i];
  std::printf("%s: right %ld, wrong %ld, checksum %ld\n", what.c_str(), right, wrong, sum);
}
