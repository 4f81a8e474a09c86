// A program without OpenMP that loads, uses and unloads a module which needs it; the argument names the module.
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

int main(int /*argc*/, char** argv) {
  for (int repeat = 0; repeat < 3; ++repeat) {
    void* const module = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (!module) {
      std::fprintf(stderr, "%s\n", dlerror());
      return 1;
    }
    const auto sum = reinterpret_cast<double (*)()>(dlsym(module, "sum_of_a_region"));
    std::printf("sum %.0f\n", sum());
    dlclose(module);
  }
  return EXIT_SUCCESS;
}
