// Of this room alone: what the loader knows of programs and libraries.
#pragma once

#include <link.h>

#include <cstdint>
#include <string_view>

namespace lbhm {

/// Of a module's contents: of its build-id, or where it has none of its file's name.
std::uint64_t identity_of(const dl_phdr_info& info);
/// libc, the loader, an OpenMP runtime, by the file's path.
bool is_system_file(const char* path);
/// LB-HM's own library, by where the loader put it.
bool is_own(std::uintptr_t base);

/// Whom code belongs to.
enum class Code : std::uint8_t {
  nobody,            ///< in no module
  program,           ///< the program's, or of a library
  language_runtime,  ///< of C++ or Fortran: it calls malloc for somebody else
  system,            ///< libc, the loader, an OpenMP runtime: behind it nothing of the program is of interest
  own,               ///< LB-HM
};

/// A program or library that is loaded.
struct Module {
  std::uintptr_t base = 0;
  std::uint64_t identity = 0;
  std::string_view file{};  ///< lives as long as the module; empty: the program
  Code code = Code::nobody;
};
/// The one that holds `address`.
Module module_of(std::uintptr_t address);
/// How many libraries are gone: when that changes, others may lie where they lay.
std::uint64_t modules_gone();

}  // namespace lbhm
