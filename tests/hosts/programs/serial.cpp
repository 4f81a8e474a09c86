// A program without OpenMP: allocations of many sizes, threads, a file. With an argument it loads that OpenMP module.
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

namespace {

std::size_t allocate() {
  std::size_t bytes = 0;
  std::vector<std::string> words;
  for (std::size_t size = 1; size < (1 << 20); size *= 2) {
    void* volatile block = std::realloc(std::calloc(1, size), 2 * size);
    std::free(block);
    words.emplace_back(size, 'w');
    bytes += words.back().size();
  }
  return bytes;
}

int use_module(const char* file) {
  void* const module = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (!module) return std::fprintf(stderr, "%s\n", dlerror());
  std::printf("sum %.0f\n", reinterpret_cast<double (*)()>(dlsym(module, "sum_of_a_region"))());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  std::size_t on_thread = 0;
  std::thread([&] { on_thread = allocate(); }).join();
  std::printf("bytes %zu %zu\n", allocate(), on_thread);
  if (std::FILE* file = std::fopen("/dev/null", "w")) std::fclose(file);
  return argc > 1 ? use_module(argv[1]) : 0;
}
