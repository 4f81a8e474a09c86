/* Loads the library that is its argument. */
#include <dlfcn.h>

#include "tests/compiler/programs/blocks.h"

int main(int argc, char** argv) {
  long* library = block("library", 640);
  void* handle = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  void (*write)(long*, long) = handle ? (void (*)(long*, long))dlsym(handle, "write_in_library") : NULL;
  if (!write) return 1;
  write(library, 80);
  report();
}
