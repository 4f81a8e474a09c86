// sandboxed WHEN HOW: forbids itself nearly all system calls by a filter that kills, and goes on. It ends with 0 if
// nobody makes another one.
//   WHEN: start    before anything else, without OpenMP
//         regions  after regions over a block of malloc and a managed object, which it frees later
//   HOW:  seccomp, prctl   a filter of all threads, or of this one
//         strict           read, write and _exit alone (SECCOMP_SET_MODE_STRICT)
//         leaving          a filter; and it ends by _exit
#include <lbhm/lbhm.h>
#include <lbhm/omp_traits.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <omp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

constexpr std::size_t bytes = std::size_t{2} << 20;

// What glibc's malloc, libomp and the end of a process need.
constexpr unsigned allowed[] = {SYS_read,      SYS_write,       SYS_exit_group,   SYS_exit,
                                SYS_brk,       SYS_mmap,        SYS_munmap,       SYS_mprotect,
                                SYS_mremap,    SYS_madvise,     SYS_futex,        SYS_clock_nanosleep,
                                SYS_nanosleep, SYS_sched_yield, SYS_rt_sigreturn, SYS_rt_sigprocmask};

// libomp's end asks for these, too.
constexpr unsigned at_the_end_of_libomp[] = {SYS_getpid, SYS_geteuid, SYS_getuid, SYS_gettid, SYS_sched_setaffinity,
                                             SYS_openat, SYS_unlink,  SYS_close};

bool filter(bool by_prctl, bool ends_libomp) {
  std::vector<sock_filter> program{BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr))};
  std::vector<unsigned> calls(std::begin(allowed), std::end(allowed));
  if (ends_libomp) calls.insert(calls.end(), std::begin(at_the_end_of_libomp), std::end(at_the_end_of_libomp));
  for (const unsigned call : calls) {
    program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1));
    program.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  }
  program.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS));
  sock_fprog whole{static_cast<unsigned short>(program.size()), program.data()};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return false;
  if (by_prctl) return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &whole) == 0;
  return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &whole) == 0;
}

void use(volatile char* memory) {
#pragma omp parallel for
  for (std::size_t i = 0; i < bytes; i += 64) memory[i] = static_cast<char>(memory[i] + 1);
}

volatile char* managed() {
  const omp_alloctrait_t traits[] = {lbhm_managed(true)};
  return static_cast<volatile char*>(omp_alloc(bytes, lbhm_init_allocator(omp_default_mem_space, 1, traits)));
}

void say(const char* line) {
  if (write(1, line, std::strlen(line)) < 0) _exit(2);
}

/// Large and small blocks, old and new; and time in which threads of others might do something.
void go_on(void* block) {
  std::free(block);
  for (int i = 0; i < 20; ++i) {
    void* const fresh = std::malloc(i % 2 ? bytes : 100);
    std::memset(fresh, i, 100);
    std::free(fresh);
  }
  usleep(200'000);
}

}  // namespace

int main(int, char** words) {
  const std::string when = words[1], how = words[2];
  void* block = std::malloc(bytes);
  std::memset(block, 0, bytes);
  volatile char* object = nullptr;
  if (when == "regions") {
    object = managed();
    for (int i = 0; i < 3; ++i) use(static_cast<volatile char*>(block));
    use(object);
  }
  say("before\n");
  if (how == "strict") {
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) != 0) return 1;
    say("behind\n");
    syscall(SYS_exit, 0);
  }
  if (!filter(how == "prctl", when == "regions" && how != "leaving")) return 1;
  go_on(block);
  if (object) omp_free(const_cast<char*>(object), omp_null_allocator);
  say("behind\n");
  if (how == "leaving") _exit(0);
  return 0;
}
