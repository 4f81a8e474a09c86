// Part of the door of runtime/objects: variables of the program and of its libraries that have pages of their own.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/base/units.h"
#include "runtime/objects/objects.h"

namespace lbhm {

/// A program or library in the process, but LB-HM, libc, the loader and OpenMP runtimes.
struct LoadedModule {
  struct Part {
    std::uintptr_t begin = 0, end = 0;
  };
  std::uintptr_t base = 0;
  std::uint64_t identity = 0;  ///< of its contents; where it has no build-id, of its name
  std::string path;            ///< of its file; empty: the program
  std::vector<Part> writable;  ///< addresses of its variables, in whole pages

  bool same(const LoadedModule& other) const { return base == other.base && identity == other.identity; }
};

/// In the order in which they were loaded. Throws std::bad_alloc.
std::vector<LoadedModule> loaded_modules();

/// Objects, without ids: the variables of two pages and more, each with the whole pages that it has bytes of. A page
/// that two of them share belongs to the first one. Their site is that of site_of_variable, their name the symbol's.
/// Errors: invalid_argument, the file is damaged. One that cannot be read has none.
Result<std::vector<Object>> globals_of(const LoadedModule& module, Bytes page);

/// Grows with every library that the process loaded.
std::uint64_t modules_loaded();

}  // namespace lbhm
