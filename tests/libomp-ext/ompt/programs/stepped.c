// Calls the functions that LB-HM stands in front of, one instruction at a time. At each instruction of LB-HM's the
// stack is walked, as a profiler's signal there would; the walk must come back to work(). Words: names of functions, of
// which it says where no walk began.
#define _GNU_SOURCE
#include "stepped.h"

#include <dlfcn.h>
#include <link.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unwind.h>

extern const char __start_work_here, __stop_work_here;

enum { most_names = 512, most_ranges = 8 };
static struct {
  long walks, lost;
  char began[most_names];
} counts;
static const char* entries[most_names];
static int names;
static struct {
  const char *begin, *end;
} ranges[most_ranges];
static int number_of_ranges;

static int note_range(struct dl_phdr_info* info, size_t bytes, void* unused) {
  if (!strstr(info->dlpi_name, "/liblbhm")) return 0;
  for (int i = 0; i < info->dlpi_phnum && number_of_ranges < most_ranges; ++i) {
    const ElfW(Phdr)* segment = &info->dlpi_phdr[i];
    if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X)) continue;
    ranges[number_of_ranges].begin = (const char*)info->dlpi_addr + segment->p_vaddr;
    ranges[number_of_ranges].end = ranges[number_of_ranges].begin + segment->p_memsz;
    ++number_of_ranges;
  }
  return 0;
}

static _Unwind_Reason_Code frame(struct _Unwind_Context* context, void* found) {
  const char* const at = (const char*)_Unwind_GetIP(context);
  if (at < &__start_work_here || at > &__stop_work_here) return _URC_NO_REASON;
  *(int*)found = 1;
  return _URC_END_OF_STACK;
}

static void on_step(int number, siginfo_t* info, void* context) {
  const char* const at = (const char*)((ucontext_t*)context)->uc_mcontext.gregs[REG_RIP];
  int ours = 0;
  for (int i = 0; i < number_of_ranges; ++i) ours |= at >= ranges[i].begin && at < ranges[i].end;
  if (!ours) return;
  for (int i = 0; i < names; ++i) counts.began[i] |= entries[i] == at;
  int found = 0;
  ++counts.walks;
  _Unwind_Backtrace(frame, &found);
  if (!found && ++counts.lost <= 10) fprintf(stderr, "lost at %p\n", at);
}

static inline __attribute__((always_inline)) void step(int on) {
  if (on)
    __asm__ volatile("pushf\n orl $0x100, (%%rsp)\n popf" ::: "cc", "memory");
  else
    __asm__ volatile("pushf\n andl $~0x100, (%%rsp)\n popf" ::: "cc", "memory");
}

__attribute__((noinline, section("work_here"))) static void work(void (*call)(void)) {
  step(1);
  call();
  step(0);
}

int main(int count, char** words) {
  dl_iterate_phdr(note_range, NULL);
  for (names = 0; names + 1 < count && names < most_names; ++names)
    entries[names] = dlsym(RTLD_DEFAULT, words[names + 1]);
  call_regions();  // what happens once
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = on_step;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGTRAP, &action, NULL);
  for (unsigned i = 0; i < sizeof all_calls / sizeof *all_calls; ++i) work(all_calls[i]);
  printf("%ld walks, %ld lost; not called:", counts.walks, counts.lost);
  for (int i = 0; i < names; ++i)
    if (!counts.began[i]) printf(" %s", words[i + 1]);
  printf("\n");
  return 0;
}
