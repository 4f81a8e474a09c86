// Asks for what the kernel gives to processes of one thread alone, as it does namespaces of users: before its first
// region, but behind an object that LB-HM manages.
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>

#include "tests/faults/programs/program.h"

int main() {
  const faults::Array array(1 << 16);
  std::printf("by its function: %d\n", unshare(CLONE_THREAD));
  std::printf("by its number: %ld\n", syscall(SYS_unshare, CLONE_THREAD));
  for (int repeat = 0; repeat < 5; ++repeat) faults::add_one(array);
  std::printf("%.0f\n", array.sum() / 1e6);
  return faults::finish();
}
