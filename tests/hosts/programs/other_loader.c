// The loader of another libc, as the kernel starts it: it shows what it is to preload, and ends with status 7.
// gcc -nostdlib -static-pie -fPIE -fno-stack-protector
#include <stddef.h>

static long call(long number, long first, const void* second, size_t third) {
  long result;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(first), "S"(second), "d"(third)
                   : "rcx", "r11", "memory");
  return result;
}

static void show(const char* text) {
  size_t length = 0;
  while (text[length]) ++length;
  call(1, 1, text, length);
}

__attribute__((used)) static void begin(char** stack) {
  static const char wanted[] = "LD_PRELOAD=";
  char** words = stack + 1;
  while (*words) ++words;
  for (char** variable = words + 1; *variable; ++variable) {
    size_t same = 0;
    while (wanted[same] && (*variable)[same] == wanted[same]) ++same;
    if (!wanted[same]) show(*variable);
  }
  show("\nelsewhere\n");
  call(231, 7, NULL, 0);
}

__asm__(".globl _start\n_start: mov %rsp, %rdi\n and $-16, %rsp\n call begin\n");
