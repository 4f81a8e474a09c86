// The functions that ours stand in front of: those of the system, and those of the program's OpenMP runtime.
#pragma once

#include <dlfcn.h>

#include <array>
#include <atomic>
#include <cstdint>

#include "runtime/interpose/definitions.h"
#include "runtime/interpose/export.h"

namespace lbhm::real {

/// A function of libc or libstdc++. Found when we are loaded (find_all), or by whoever comes earlier: see
/// definitions.h.
template <class Function>
class RealFunction {
 public:
  constexpr explicit RealFunction(const char* name) : name_(name) {}

  template <class... Arguments>
  auto operator()(Arguments... arguments) {
    return get()(arguments...);
  }
  /// Null if there is none in the process.
  Function* get() {
    Function* const found = found_.load(std::memory_order_relaxed);
    return found ? found : find();
  }
  [[gnu::cold]] Function* find() {
    auto* const found = reinterpret_cast<Function*>(system_definition(name_));
    found_.store(found, std::memory_order_relaxed);
    return found;
  }

 private:
  const char* name_;
  std::atomic<Function*> found_{nullptr};
};

/// For constructors: nothing is looked for on the way of a call.
template <class... Functions>
void find_all(RealFunction<Functions>&... functions) {
  (functions.find(), ...);
}

/// How often objects were loaded so far: what was not found is not there until this changes.
unsigned long long times_loaded();

/// Where the calling code finds a function of a library that may come late: of its OpenMP runtime, of libstdc++. A
/// process may have several runtimes, and load them for one of its parts alone (a plug-in, an extension of Python):
/// then they come behind no library of the process, but behind the one that calls. What was found once stays loaded.
class RuntimeFunction {
 public:
  constexpr explicit RuntimeFunction(const char* name) : name_(name) {}

  /// `caller`: an address in the code that calls; null: anybody's runtime will do. Null: nobody in the process defines
  /// the function.
  void* find(const void* caller) {
    void* const found = for_all_.load(std::memory_order_relaxed);
    return found ? found : find_for(caller);
  }
  /// Ends the program with a sentence where `find` gives null: the caller has a function that cannot be (a weak symbol
  /// that is there because LB-HM is there).
  void* need(const void* caller) {
    void* const found = find(caller);
    if (!found) [[unlikely]]
      end_without();
    return found;
  }

 private:
  struct ByCaller {
    std::atomic<std::uintptr_t> object{0};  // that called; its link_map, mixed with where it lies
    std::atomic<void*> function{nullptr};
  };

  void* find_for(const void* caller);
  [[noreturn]] void end_without() const;

  const char* name_;
  std::atomic<void*> for_all_{nullptr};  // a runtime that all code sees
  std::array<ByCaller, 4> known_{};      // runtimes that only some code sees; more callers look it up each time
};

/// The same as a function to call. Used in the exported function itself, so that the return address is the program's.
template <class Function>
class OpenMPFunction {
 public:
  constexpr explicit OpenMPFunction(const char* name) : place_(name) {}

  template <class... Arguments>
  [[gnu::always_inline]] auto operator()(Arguments... arguments) {
    return reinterpret_cast<Function*>(place_.need(__builtin_return_address(0)))(arguments...);
  }

 private:
  RuntimeFunction place_;
};

}  // namespace lbhm::real
