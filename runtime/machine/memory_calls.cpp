#include "runtime/machine/memory_calls.h"

#include <dlfcn.h>
#include <sched.h>

#include <string>

namespace lbhm::host {
namespace {

/// Null where libnuma could not be opened.
struct Libnuma {
  decltype(&::mbind) bind = nullptr;
  decltype(&::get_mempolicy) policy = nullptr;
  decltype(&::move_pages) move = nullptr;
  std::string why{};
};

const Libnuma& libnuma() {
  static const Libnuma opened = [] {
    const KeepErrno keep;
    Libnuma library;
    void* const handle = dlopen("libnuma.so.1", RTLD_NOW | RTLD_LOCAL);
    const auto find = [&](auto& into, const char* name) {
      if (handle) into = reinterpret_cast<std::remove_reference_t<decltype(into)>>(dlsym(handle, name));
    };
    find(library.bind, "mbind");
    find(library.policy, "get_mempolicy");
    find(library.move, "move_pages");
    if (!library.bind || !library.policy || !library.move) {
      const char* const why = dlerror();
      library = {};
      library.why = why ? why : "it is not the libnuma that we know";
    }
    return library;
  }();
  return opened;
}

/// Calls `function` with errno as a negative result; the program's errno stays.
template <class Function, class... Arguments>
long call(Function function, Arguments... arguments) {
  if (!function) return -ENOSYS;
  const KeepErrno keep;
  const long result = function(arguments...);
  return result < 0 ? -static_cast<long>(errno) : result;
}

}  // namespace

Status open_libnuma() {
  if (libnuma().bind) return {};
  return {StatusCode::unavailable,
          "libnuma.so.1 cannot be used (" + libnuma().why + "): nothing is placed; install the package libnuma1"};
}

long bind_memory(std::uintptr_t address, std::size_t bytes, int policy, const NodeMask* nodes, unsigned flags) {
  return call(libnuma().bind, reinterpret_cast<void*>(address), bytes, policy, nodes ? nodes->words() : nullptr,
              nodes ? NodeMask::limit : 0, flags);
}

long allowed_nodes(NodeMask& nodes) {
  return call(libnuma().policy, nullptr, nodes.words(), most_nodes, nullptr, MPOL_F_MEMS_ALLOWED);
}

long policy_at(std::uintptr_t address, int& policy, NodeMask& nodes) {
  return call(libnuma().policy, &policy, nodes.words(), most_nodes, reinterpret_cast<void*>(address), MPOL_F_ADDR);
}

long move_pages(std::size_t count, void* const* pages, const int* nodes, int* status, int flags) {
  return call(libnuma().move, 0, count, const_cast<void**>(pages), nodes, status, flags);
}

int node_of_this_thread() {
  unsigned cpu = 0;
  unsigned node = 0;
  const KeepErrno keep;
  return getcpu(&cpu, &node) == 0 ? static_cast<int>(node) : 0;
}

}  // namespace lbhm::host
