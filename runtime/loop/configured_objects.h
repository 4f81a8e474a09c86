// Part of the door of runtime/loop: objects as a program lists them.
#pragma once

#include "runtime/objects/objects.h"
#include "runtime/phases/phases.h"

namespace lbhm {

/// One object of LB_HM_config. bytes = 0: ask the registry.
struct ConfiguredObject {
  const void* address = nullptr;
  Bytes bytes;
  const char* name = nullptr;  ///< for the report; null: the name it was allocated with
};

/// The object at a position of the list. Errors: there is none, its size is unknown, or larger than the allocation.
Result<PhaseObject> find_object(const ObjectRegistry& objects, std::size_t position, const ConfiguredObject& object);

}  // namespace lbhm
