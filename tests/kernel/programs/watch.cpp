// libkernel-watch.so, preloaded before liblbhm.so: says of a program that knows nothing of these tests where the pages
// of the objects are that it names in lbhm_config, as lines that runtime/*_test.cpp reads. Before and after each call,
// and when it pauses the tool behind its region (omp_control_tool), when all pages are there that are ever touched.
#include <dlfcn.h>
#include <omp.h>

#include <mutex>

#include "lbhm/lbhm.h"
#include "programs/nodes.h"

namespace {

struct Watched {
  std::string name;
  const void* address;
  std::size_t bytes;
  std::vector<int> nodes{};
};

std::vector<Watched> watched;  // of the last call, which is made by one thread
int calls = 0;

template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

/// Where they are, and how many of all changed sides since the last look.
void look(const char* when) {
  long up = 0, down = 0;
  for (Watched& object : watched) {
    const std::vector<int> now = facts::nodes_of(object.address, object.bytes);
    const kernel_test::Where at = kernel_test::where(now);
    std::printf("nodes %s-%d-%s %ld %ld %ld\n", when, calls, object.name.c_str(), at.fast, at.slow, at.absent);
    for (std::size_t page = 0; page < object.nodes.size(); ++page) {
      up += object.nodes[page] == facts::slow && now[page] == facts::fast;
      down += object.nodes[page] == facts::fast && now[page] == facts::slow;
    }
    object.nodes = now;
  }
  std::printf("moved %s-%d %ld %ld\n", when, calls, up, down);
}

}  // namespace

extern "C" [[gnu::visibility("default")]] void* lbhm_config(const lbhm_object* objects, std::size_t count) {
  static auto* const real = next<void*(const lbhm_object*, std::size_t)>("lbhm_config");
  watched.clear();
  for (std::size_t i = 0; i < count; ++i)
    watched.push_back({objects[i].name ? objects[i].name : "", objects[i].address, objects[i].bytes});
  look("before");
  void* const plan = real ? real(objects, count) : nullptr;
  look("after");
  ++calls;
  return plan;
}

extern "C" [[gnu::visibility("default")]] int omp_control_tool(int command, int modifier, void* argument) {
  static auto* const real = next<int(int, int, void*)>("omp_control_tool");
  if (command == omp_control_tool_pause && !watched.empty()) {
    --calls;
    look("end");
    ++calls;
    watched.clear();  // the program may release them now
  }
  return real ? real(command, modifier, argument) : 0;
}
