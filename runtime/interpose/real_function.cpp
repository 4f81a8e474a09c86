#include "runtime/interpose/real_function.h"

#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>
#include <vector>

#include "runtime/interpose/loaded_object.h"
#include "runtime/own_memory/no_fork.h"

namespace lbhm::real {
namespace {

const link_map* own_object() { return object_of(reinterpret_cast<const void*>(&own_object)); }

/// A reference to a loaded object while it lives. Never loads one.
class Reference {
 public:
  explicit Reference(const char* path) : handle_(*path ? dlopen(path, RTLD_NOLOAD | RTLD_LAZY) : nullptr) {}
  ~Reference() {
    if (handle_) dlclose(handle_);
  }
  Reference(const Reference&) = delete;
  Reference& operator=(const Reference&) = delete;

  /// What the object and those that it needs define, in this order; null for our own definition.
  void* symbol(const char* name) const {
    void* const found = handle_ ? dlsym(handle_, name) : nullptr;
    return found && object_of(found) != own_object() ? found : nullptr;
  }
  void keep() { handle_ = nullptr; }

 private:
  void* handle_;
};

/// The object that defines `function` is never unloaded: we remember its address.
void* kept(void* function) {
  const link_map* const object = function ? object_of(function) : nullptr;
  if (object) Reference(object->l_name).keep();
  return function;
}

std::vector<std::string> loaded_objects() {
  std::vector<std::string> paths;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* out) {
        static_cast<std::vector<std::string>*>(out)->emplace_back(info->dlpi_name);
        return 0;
      },
      &paths);
  return paths;
}

/// The caller's own libraries first, then those of anybody: the caller may have been given its runtime by whoever
/// loaded it.
void* search(const char* name, const link_map* caller) {
  if (caller && caller != own_object()) {
    if (void* const found = Reference(caller->l_name).symbol(name)) return found;
  }
  try {
    for (const std::string& path : loaded_objects()) {
      if (void* const found = Reference(path.c_str()).symbol(name)) return found;
    }
    // NOLINTNEXTLINE(bugprone-empty-catch): no memory for the list; the caller says that nothing was found
  } catch (const std::bad_alloc&) {}
  return nullptr;
}

}  // namespace

unsigned long long times_loaded() {
  const NoFork whole;
  unsigned long long times = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* out) {
        *static_cast<unsigned long long*>(out) = info->dlpi_adds;
        return 1;
      },
      &times);
  return times;
}

void* RuntimeFunction::find_for(const void* caller) {
  const NoFork whole;
  const link_map* const object = object_of(caller);
  // Where a library was unloaded another one may have its link_map; seldom at the same place, too.
  const auto key = reinterpret_cast<std::uintptr_t>(object) ^ (object ? object->l_addr : 0);
  for (const ByCaller& known : known_) {
    void* const function = known.function.load(std::memory_order_acquire);
    if (function && known.object.load(std::memory_order_relaxed) == key) return function;
  }
  // By the loader: a runtime may have come by now. (What that leaves on the heap is part of stored virtual times.)
  if (void* const next = kept(dlsym(RTLD_NEXT, name_))) {
    for_all_.store(next, std::memory_order_relaxed);
    return next;
  }
  void* const found = kept(search(name_, object));
  if (!found || !object) return found;
  for (ByCaller& known : known_) {
    std::uintptr_t nobody = 0;
    if (!known.object.compare_exchange_strong(nobody, key, std::memory_order_relaxed) && nobody != key) continue;
    known.function.store(found, std::memory_order_release);
    break;
  }
  return found;
}

void RuntimeFunction::end_without() const {
  std::array<char, 256> line{};
  const int length = std::snprintf(line.data(), line.size(),
                                   "LB-HM: the program calls %s, but no library is loaded that has it; load its OpenMP "
                                   "runtime before, or run it without LB-HM\n",
                                   name_);
  [[maybe_unused]] const auto written = write(STDERR_FILENO, line.data(), static_cast<std::size_t>(length));
  std::abort();
}

}  // namespace lbhm::real
