// ManagedMemory: what the program has without asking an allocator, its globals and its own mappings.
#include <algorithm>
#include <utility>

#include "runtime/base/guarded.h"
#include "runtime/loop/managed_memory.h"

namespace lbhm {

void ManagedMemory::adopt(Object object) {
  const Bytes bytes = object.bytes;
  auto added = objects_.add(std::move(object));
  if (!added) return;  // something of ours is there already
  machine_.adopt(added->address, bytes);
  name_pages(*added);
  if (options_.uses) options_.uses->born(*added);
  place_new(*added, bytes);
  machine_.wake();
}

void ManagedMemory::forget_globals_of(const LoadedModule& module) {
  for (const LoadedModule::Part& part : module.writable) {
    while (const auto object = objects_.find_any(part.begin, Bytes(part.end - part.begin))) {
      if (!object->variable) break;  // another owner has these addresses by now
      objects_.remove(object->address);
      if (options_.uses) options_.uses->died(object->address);
      machine_.disown(object->address, object->bytes);
    }
  }
}

void ManagedMemory::follow_modules() {
  if (!options_.placing) return;
  const std::lock_guard lock(modules_mutex_);
  std::vector<LoadedModule> loaded = loaded_modules();
  const auto among = [](const std::vector<LoadedModule>& modules, const LoadedModule& module) {
    return std::ranges::any_of(modules, [&](const LoadedModule& other) { return module.same(other); });
  };
  for (const LoadedModule& gone : modules_)
    if (!among(loaded, gone)) forget_globals_of(gone);
  const std::vector<LoadedModule> before = std::exchange(modules_, loaded);
  for (const LoadedModule& module : loaded) {
    if (among(before, module)) continue;
    auto globals = globals_of(module, machine_.topology().page);
    if (!globals) {
      say("the variables of " + (module.path.empty() ? "the program" : module.path) +
          " are no objects: " + globals.error().message() + "; build or install it anew");
      continue;
    }
    for (Object& global : *globals) adopt(std::move(global));
  }
}

void* ManagedMemory::map_object(Bytes bytes, std::optional<LaneId> lane) {
  if (!options_.placing || bytes.value == 0) return nullptr;
  Origin origin{.name = {}, .lane = lane};
  origin.site = site_of_caller(&origin.place);
  return make_object(bytes, machine_.topology().page, {.managed = true}, std::move(origin));
}

/// What is left of the object on both sides of these pages goes on as objects of its site; the first keeps its number.
void ManagedMemory::cut(const Object& object, std::uintptr_t begin, std::uintptr_t end) {
  const std::uintptr_t last = object.address + whole_pages(object.bytes).value;
  objects_.remove(object.address);
  if (options_.uses) options_.uses->died(object.address);
  machine_.disown(std::max(begin, object.address), Bytes(std::min(end, last) - std::max(begin, object.address)));
  std::optional<std::uint64_t> nth = object.nth;
  for (const auto& [from, to] : {std::pair(object.address, begin), std::pair(end, last)}) {
    if (from >= to) continue;
    Object rest = object;
    rest.address = from;
    rest.bytes = Bytes(to - from);
    if (from != object.address) rest.front = Bytes(0);
    const auto added = objects_.add(std::move(rest), std::exchange(nth, std::nullopt));
    if (added && options_.uses) options_.uses->born(*added);
  }
}

bool ManagedMemory::release_mapping(void* address, Bytes bytes) {
  const auto begin = reinterpret_cast<std::uintptr_t>(address);
  const auto object = objects_.find(begin);
  if (!object || object->variable || object->address != begin) return false;
  return bytes.value > 0 && whole_pages(object->bytes) == whole_pages(bytes) && release_object(address);
}

void ManagedMemory::end_objects(void* address, Bytes bytes) {
  const auto begin = reinterpret_cast<std::uintptr_t>(address);
  const Bytes whole = whole_pages(bytes);
  if (whole < bytes || begin + whole.value < begin) return;
  while (const auto object = objects_.find_any(begin, whole)) cut(*object, begin, begin + whole.value);
}

}  // namespace lbhm
