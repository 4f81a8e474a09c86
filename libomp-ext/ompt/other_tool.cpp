#include "libomp-ext/ompt/other_tool.h"

#include <dlfcn.h>
#include <link.h>
#include <strings.h>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "runtime/interpose/loaded_object.h"
#include "runtime/interpose/real_function.h"
#include "runtime/interpose/slots.h"
#include "runtime/own_memory/no_fork.h"

// Null without ThreadSanitizer. Not by dlsym, which leaves a sentence with our path on the program's heap where it
// finds nothing.
extern "C" __attribute__((weak)) void __tsan_init();  // NOLINT(bugprone-reserved-identifier)

namespace lbhm::openmp {
namespace {

constexpr const char* name = "ompt_start_tool";

/// OMP_TOOL_VERBOSE_INIT=stdout or stderr, as libomp, which ends its log when it has found us. A log in a file is
/// libomp's alone.
std::FILE* search_log() {
  const char* const setting = std::getenv("OMP_TOOL_VERBOSE_INIT");
  if (!setting) return nullptr;
  if (strcasecmp(setting, "stderr") == 0) return stderr;
  return strcasecmp(setting, "stdout") == 0 ? stdout : nullptr;
}

void note(const char* library, const char* outcome) {
  if (std::FILE* const log = search_log()) std::fprintf(log, "LB-HM: tool library %s: %s\n", library, outcome);
}

ompt_start_tool_result_t* start_library(const char* path, StartTool* ours, unsigned version, const char* runtime) {
  const NoFork whole;
  void* const library = dlopen(path, RTLD_LAZY);
  if (!library) {
    const char* const reason = dlerror();
    note(path, reason ? reason : "it cannot be loaded");
    return nullptr;
  }
  const auto start = reinterpret_cast<StartTool*>(dlsym(library, name));
  ompt_start_tool_result_t* const tool = start && start != ours ? start(version, runtime) : nullptr;
  note(path, tool ? "started beside LB-HM" : start ? "it does not want to run" : "it has no ompt_start_tool");
  if (!tool) dlclose(library);
  return tool;
}

bool fill_slots(const link_map& object, StartTool* value) {
  bool filled = false;
  real::for_each_slot(object.l_addr, object.l_ld, [&](const char* slot_name, ElfW(Addr) slot) {
    if (std::strcmp(slot_name, name) == 0) filled |= real::write_slot(slot, reinterpret_cast<const void*>(value));
  });
  return filled;
}

}  // namespace

ompt_start_tool_result_t* start_linked_tool(StartTool* ours, unsigned version, const char* runtime) {
  auto start = reinterpret_cast<StartTool*>(dlsym(RTLD_DEFAULT, name));
  // Behind ours there is at least libomp's own, which looks further behind itself.
  if (!start || start == ours) start = reinterpret_cast<StartTool*>(dlsym(RTLD_NEXT, name));
  return start && start != ours ? start(version, runtime) : nullptr;
}

ompt_start_tool_result_t* start_named_tool(StartTool* ours, unsigned version, const char* runtime) {
  const char* rest = std::getenv("OMP_TOOL_LIBRARIES");
  while (rest && *rest) {
    const std::size_t length = std::strcspn(rest, ":");
    std::array<char, 4096> path{};
    if (length > 0 && length < path.size()) {
      std::memcpy(path.data(), rest, length);
      if (auto* const tool = start_library(path.data(), ours, version, runtime)) return tool;
    }
    rest += length + (rest[length] == ':');
  }
  return __tsan_init != nullptr ? start_library("libarcher.so", ours, version, runtime) : nullptr;
}

// The runtime calls ompt_start_tool through a slot that the loader fills in with the first definition of all. That of
// the program comes before any library's, so we fill in the slot ourselves.

bool come_first(StartTool* ours) {
  void* const first = dlsym(RTLD_DEFAULT, name);
  if (!first || first == reinterpret_cast<void*>(ours)) return true;
  static constinit real::RuntimeFunction fork("__kmpc_fork_call");
  const link_map* const runtime = real::object_of(fork.find(nullptr));
  // A runtime that comes first itself looks behind itself for tools, and finds us.
  if (!runtime || runtime == real::object_of(first)) return true;
  return fill_slots(*runtime, ours);
}

}  // namespace lbhm::openmp
