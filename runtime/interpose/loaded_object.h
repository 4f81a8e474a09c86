// Which loaded object (program or library) an address lies in.
#pragma once

#include <dlfcn.h>
#include <link.h>

namespace lbhm::real {

/// Null: none, as for code made at run time. Neither locks nor allocates, unlike dladdr (glibc 2.35).
inline const link_map* object_of(const void* address) {
  dl_find_object found{};
  return _dl_find_object(const_cast<void*>(address), &found) == 0 ? found.dlfo_link_map : nullptr;
}

}  // namespace lbhm::real
