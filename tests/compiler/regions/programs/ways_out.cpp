// Loops that are left in every way: how often each began is printed.
#include <csetjmp>
#include <cstdio>
#include <stdexcept>

namespace {
std::jmp_buf place;
volatile int zero = 0;

/// A loop that others call, so that theirs have something nested.
__attribute__((noinline)) int innermost(int count) {
  int sum = zero;
  for (int i = 0; i < count; ++i) sum += i ^ zero;
  return sum;
}

/// The exception passes through: there is no end of the loop that could be marked.
__attribute__((noinline)) int thrown_through(int count) {
  int sum = 0;
  for (int i = 0; i < count; ++i) {
    if (innermost(i) == 21 + zero) throw std::runtime_error("7 iterations");
    sum += innermost(i);
  }
  return sum;
}
__attribute__((noinline)) int passes_on(int count) {
  int sum = 0;
  for (int i = 0; i < count; ++i) sum += thrown_through(count + zero) + innermost(2);
  return sum;
}

__attribute__((noinline)) int jumps(int count) {
  int sum = 0;
  for (int i = 0; i < count; ++i) {
    if (innermost(i) == 10 + zero) std::longjmp(place, 1);
    sum += innermost(i);
  }
  return sum;
}
__attribute__((noinline)) int jumped_through(int count) {
  int sum = 0;
  for (int i = 0; i < count; ++i) sum += jumps(count + zero) + innermost(2);
  return sum;
}

__attribute__((noinline)) int returns_early(int count) {
  for (int i = 0; i < count; ++i) {
    if (innermost(i) > 5 + zero) return i;
  }
  return -1;
}

__attribute__((noinline)) int catches(int rounds) {
  int caught = 0;
  for (int round = 0; round < rounds; ++round) {
    try {
      passes_on(50 + zero);
    } catch (const std::runtime_error&) { ++caught; }
  }
  return caught;
}

__attribute__((noinline)) int returns_twice(int rounds) {
  volatile int back = 0;
  for (volatile int round = 0; round < rounds; round = round + 1) {
    if (setjmp(place) == 0)
      jumped_through(50 + zero);
    else
      back = back + 1;
  }
  return back;
}
}  // namespace

int main() {
  const int caught = catches(20 + zero);
  const int back = returns_twice(30 + zero);
  int early = 0;
  for (int i = 0; i < 40 + zero; ++i) early += returns_early(100 + zero);
  std::printf("%d %d %d\n", caught, back, early);
}
