// In liblbhm-sweep.so, in front of LB-HM's own heap: the allocation with number LBHM_SWEEP_NTH finds no memory, and
// with LBHM_SWEEP_AFTER all that come later. LBHM_SWEEP_COUNT: a file for how many there were, written at the end.
#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>

// What the linker's --wrap calls the function and its stand-in: lbhm::own_memory::allocate(unsigned long, unsigned
// long).
extern "C" void* __real__ZN4lbhm10own_memory8allocateEmm(std::size_t bytes, std::size_t alignment) noexcept;

namespace {

std::atomic<long> allocations{0};

long number_in(const char* variable) {
  const char* const text = std::getenv(variable);
  return text ? std::atol(text) : 0;
}

bool refused(long number) {
  static const long nth = number_in("LBHM_SWEEP_NTH");
  static const bool all_after = number_in("LBHM_SWEEP_AFTER") != 0;
  return nth > 0 && (number == nth || (all_after && number > nth));
}

/// The last of the constructors' list runs its destructor first; what LB-HM's own destructors allocate counts, too.
__attribute__((destructor(101))) void tell() {
  const char* const name = std::getenv("LBHM_SWEEP_COUNT");
  const int file = name ? open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644) : -1;
  if (file < 0) return;
  dprintf(file, "%ld\n", allocations.load());
  close(file);
}

}  // namespace

extern "C" void* __wrap__ZN4lbhm10own_memory8allocateEmm(std::size_t bytes, std::size_t alignment) noexcept {
  if (refused(++allocations)) return nullptr;
  return __real__ZN4lbhm10own_memory8allocateEmm(bytes, alignment);
}
