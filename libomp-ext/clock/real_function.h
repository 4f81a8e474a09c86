// The function that we stand in front of.
#pragma once

#include <dlfcn.h>

#include <atomic>

#define LBHM_EXPORT extern "C" __attribute__((visibility("default")))

namespace lbhm::clock {

/// Looked up at the first call, which may come before any constructor has run and from inside an allocator: no lock, no
/// allocation. Two threads that come at once find the same.
template <class Function>
class RealFunction {
 public:
  /// `version`: of the symbol, where there are several. RTLD_NEXT: the definition after ours.
  constexpr explicit RealFunction(const char* name, const char* version = nullptr) : name_(name), version_(version) {}

  template <class... Arguments>
  auto operator()(Arguments... arguments) {
    return get()(arguments...);
  }
  /// Null if there is none in the process.
  Function* get() {
    Function* found = found_.load(std::memory_order_relaxed);
    if (found) return found;
    void* symbol = version_ ? dlvsym(RTLD_NEXT, name_, version_) : nullptr;
    if (!symbol) symbol = dlsym(RTLD_NEXT, name_);
    found = reinterpret_cast<Function*>(symbol);
    found_.store(found, std::memory_order_relaxed);
    return found;
  }

 private:
  const char* name_;
  const char* version_;
  std::atomic<Function*> found_{nullptr};
};

}  // namespace lbhm::clock
