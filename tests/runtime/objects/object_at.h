// An object for the registry.
#pragma once

#include <string>
#include <utility>

#include "runtime/objects/objects.h"

namespace lbhm {

inline Object object_at(std::uintptr_t address, Bytes bytes, std::string name, bool migratable) {
  Object object;
  object.address = address;
  object.bytes = bytes;
  object.name = std::move(name);
  object.migratable = migratable;
  return object;
}

}  // namespace lbhm
