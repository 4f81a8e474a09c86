#include "runtime/loop/configured_objects.h"

#include <cstdio>
#include <string>

namespace lbhm {
namespace {

std::string describe(std::size_t position, const void* address) {
  char text[64];
  std::snprintf(text, sizeof text, "object %zu of LB_HM_config (%p)", position, address);
  return text;
}

/// Where an object comes from: the name given here, its allocation, a variable, or its position in the list.
void find_site(PhaseObject& object, const char* name, const std::optional<Object>& known, std::size_t position) {
  if (name && *name) {
    object.site = site_of_name(name);
  } else if (known) {
    object.site = known->site;
  } else if (const SiteId variable = site_of_variable(reinterpret_cast<const void*>(object.address)); variable.value) {
    object.site = variable;
  } else {
    object.site = site_of_name("object " + std::to_string(position) + " of LB_HM_config");
    object.anonymous = true;
  }
}

}  // namespace

Result<PhaseObject> find_object(const ObjectRegistry& objects, std::size_t position, const ConfiguredObject& object) {
  const auto address = reinterpret_cast<std::uintptr_t>(object.address);
  if (address == 0)
    return failure(StatusCode::invalid_argument, describe(position, object.address) +
                                                     " is null: give the address of its first byte, or leave it out");
  if (object.bytes.value > UINTPTR_MAX - address)
    return failure(StatusCode::invalid_argument, describe(position, object.address) + " is said to have " +
                                                     std::to_string(object.bytes.value) +
                                                     " bytes, more than there are addresses behind it: correct the "
                                                     "size");
  const auto managed = objects.find(address);
  // A variable may begin in a page that belongs to the one before: the object says nothing of it but that it is
  // managed.
  const auto known = managed && managed->variable ? std::nullopt : managed;
  const Bytes limit = known ? Bytes(known->address + known->bytes.value - address) : object.bytes;
  if (object.bytes.value == 0 && !known)
    return failure(StatusCode::invalid_argument,
                   describe(position, object.address) +
                       " is not managed, so its size is unknown: give the size, or allocate it with lbhm_managed");
  if (object.bytes > limit)
    return failure(StatusCode::invalid_argument, describe(position, object.address) + " is said to have " +
                                                     std::to_string(object.bytes.value) + " bytes, but only " +
                                                     std::to_string(limit.value) + " are allocated: correct the size");
  PhaseObject found{.address = address,
                    .bytes = object.bytes.value ? object.bytes : limit,
                    .name = object.name ? object.name
                            : known     ? known->name
                                        : "",
                    .managed = managed.has_value()};
  find_site(found, object.name, known, position);
  return found;
}

}  // namespace lbhm
