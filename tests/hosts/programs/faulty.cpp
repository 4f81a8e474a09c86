// Has a fault of each kind that a sanitizer looks for; built with one of them, it meets that one.
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <thread>

volatile int shared;

/// Many times: ThreadSanitizer may miss two accesses at the very same time.
void count() {
  for (int i = 0; i < 10000; ++i) shared = shared + 1;
}

int main(int argc, char** /*argv*/) {
  std::thread racing(count);
  count();
  racing.join();
  const int overflow = INT_MAX - 1 + 2 * argc;
  auto* bytes = static_cast<volatile char*>(std::malloc(40));
  std::printf("%d\n", overflow + bytes[39 + argc]);
}
