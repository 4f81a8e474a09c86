/* Control flow that must survive: deep tail calls, longjmp, computed goto, variadic and recursive calls. Prints a sum.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define NOINLINE __attribute__((noinline))

static jmp_buf target;
static long* memory;

NOINLINE long deep(long left, long sum);
NOINLINE long deeper(long left, long sum) {
  memory[left % 512] += left;
  if (left == 0) return sum;
  __attribute__((musttail)) return deep(left - 1, sum + memory[left % 512]);
}
NOINLINE long deep(long left, long sum) { __attribute__((musttail)) return deeper(left, sum ^ left); }

NOINLINE void jump(long value) {
  memory[value] = value;
  if (value == 7) longjmp(target, 7);
}

NOINLINE long interpret(const unsigned char* code) {
  static void* const labels[] = {&&add, &&twice, &&stop};
  long value = 1;
  goto* labels[*code++];
add:
  value += memory[value % 512];
  goto* labels[*code++];
twice:
  value = value * 2 % 1000;
  goto* labels[*code++];
stop:
  return value;
}

NOINLINE long add_all(int count, ...) {
  va_list list;
  va_start(list, count);
  long sum = 0;
  for (int i = 0; i < count; ++i) sum += va_arg(list, long);
  va_end(list);
  return sum;
}

NOINLINE long fibonacci(long n) { return n < 2 ? memory[n + 1] : fibonacci(n - 1) + fibonacci(n - 2); }

static int compare(const void* left, const void* right) {
  return (*(const long*)left > *(const long*)right) - (*(const long*)left < *(const long*)right);
}

int main(void) {
  memory = calloc(512, sizeof(long));
  long sum = deep(2000000, 0) % 1000003;
  volatile long at = 0;
  if (setjmp(target) == 0) {
    for (at = 0; at < 100; ++at) jump(at);
  }
  sum = sum * 31 + at;
  sum = sum * 31 + interpret((const unsigned char[]){1, 1, 0, 1, 0, 0, 2});
  sum = sum * 31 + add_all(4, 1L, 2L, 3L, 4L);
  memory[1] = memory[2] = 1;
  sum = sum * 31 + fibonacci(15);
  qsort(memory, 512, sizeof(long), compare);
  printf("%ld %ld\n", sum, memory[500]);
}
