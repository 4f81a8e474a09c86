// Of this room alone: what the loader knows of programs and libraries.
#pragma once

#include <link.h>

#include <cstdint>

namespace lbhm {

/// Of a module's contents: of its build-id, or where it has none of its file's name.
std::uint64_t identity_of(const dl_phdr_info& info);
/// libc, the loader, an OpenMP runtime, by the file's path.
bool is_system_file(const char* path);
/// LB-HM's own library.
bool is_own(const dl_phdr_info& info);

}  // namespace lbhm
