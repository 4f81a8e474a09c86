// Functions of which it is known how many bytes they load and store, however they are optimised.
#include <csetjmp>
#include <cstdio>
#include <thread>

#include "tests/compiler/blocks/block_recorder.h"

#define ALONE extern "C" __attribute__((noinline))

double a[2000], b[2000], c[2000], matrix[50][40], copy[50][40];
int keys[2000];
volatile int work, caught, again, result;
std::jmp_buf target;

ALONE void triad(int n) {  // 24 bytes an element
  for (int i = 0; i < n; ++i) a[i] = b[i] + 2 * c[i];
}

ALONE int sum(int n) {  // 4
  int all = 0;
  for (int i = 0; i < n; ++i) all += keys[i];
  return all;
}

ALONE void conditional(int n) {  // 4, and 8 if the key is odd
  for (int i = 0; i < n; ++i)
    if (keys[i] & 1) a[i] = i;
}

ALONE void nested() {  // 16, in 2000 iterations
  for (int i = 0; i < 50; ++i)
    for (int j = 0; j < 40; ++j) copy[i][j] = matrix[i][j] + 1;
}

ALONE void triangle(int n) {  // 16, in n * (n - 1) / 2 iterations
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j) copy[i][j] = matrix[i][j] + 1;
}

ALONE int find(int n, int key) {  // 4, up to the key
  for (int i = 0; i < n; ++i)
    if (keys[i] == key) return i;
  return -1;
}

ALONE int collatz(unsigned x) {  // 4 a step
  int steps = 0;
  for (; x != 1; x = x % 2 != 0 ? 3 * x + 1 : x / 2) keys[1000 + steps++] = static_cast<int>(x);
  return steps;
}

ALONE int fibonacci(int n) {  // 8 a call
  work = work + 1;
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

ALONE void machine(const char* program) {  // 1 a step; 4 for '+', 8 for '0'
  for (int i = 0; program[i] != '\0'; ++i) {
    switch (program[i]) {
      case '+':
        keys[1500 + i] = 1;
        break;
      case '0':
        b[i] = 0;
        break;
      default:
        matrix[0][i] *= 2;
        break;
    }
  }
}

ALONE void may_throw(int i) {
  if (i == 37) throw i;
}

ALONE void may_jump(int i) {
  if (i == 37) std::longjmp(target, 1);
}

ALONE void throws(int n) {  // 20 a run through the loop, which is left in the last one; 4 thrown
  for (int i = 0; i < n; ++i) {
    a[i] += 1;
    if (keys[i] == 37) throw i;
  }
}

ALONE void is_thrown_through(int n) {  // 32, also when the call does not return: its block began
  for (int i = 0; i < n; ++i) {
    a[i] += 1;
    may_throw(i);
    b[i] += 1;
  }
}

ALONE void is_jumped_over(int n) {
  for (int i = 0; i < n; ++i) {
    a[i] += 1;
    may_jump(i);
    b[i] += 1;
  }
}

ALONE void catches(int n) {  // 8 a try, 8 a catch
  for (int i = 0; i < n; ++i) {
    try {
      work = work + 1;
      may_throw(i);
    } catch (int) { caught = caught + 1; }
  }
}

ALONE void returns_again() {  // 12, five times
  setjmp(target);
  again = again + 1;
  if (again < 5) std::longjmp(target, 1);
}

ALONE void jumped_into(int n) {  // 16 each time through `middle`
  int i = 0;
  if (n % 2 != 0) goto middle;
  for (; i < n; ++i) {
    b[i] = 1;  // 8 more, unless it was jumped over
  middle:
    a[i] += 1;
  }
}

ALONE void in_threads(int n) {  // 24 an element, in four threads
  for (int i = 0; i < n; ++i) a[i] = b[i] + 2 * c[i];
}

int main() {
  for (int i = 0; i < 2000; ++i) keys[i] = i;
  triad(1003);
  triad(3);
  result = sum(1001);
  conditional(777);
  nested();
  nested();
  triangle(30);
  result = find(1000, 321);
  result = find(500, 1999);
  result = collatz(27);
  result = fibonacci(15);
  machine("++0+0++");
  try {
    throws(100);
  } catch (int) {}
  try {
    is_thrown_through(100);
  } catch (int) {}
  if (setjmp(target) == 0) is_jumped_over(100);
  catches(100);
  returns_again();
  jumped_into(10);
  jumped_into(11);
  std::thread threads[4];
  for (std::thread& each : threads)
    each = std::thread([] {
      in_threads(501);
      keep_counts();
    });
  for (std::thread& each : threads) each.join();
}
