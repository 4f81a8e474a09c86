// The registry of managed objects: a map by first address under a reader-writer lock.
#include <iterator>
#include <limits>
#include <mutex>
#include <shared_mutex>
#include <sstream>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "runtime/base/range_map.h"
#include "runtime/objects/objects.h"

namespace lbhm {
namespace {

using ObjectMap = RangeMap<Object>;

/// The first object that shares at least a byte with [address, last], or end().
ObjectMap::const_iterator overlapping(const ObjectMap& objects, std::uintptr_t address, std::uintptr_t last) {
  const auto first = objects.from(address);
  return first != objects.end() && first->first <= last ? first : objects.end();
}

std::string described(std::uintptr_t address, Bytes bytes) {
  std::ostringstream text;
  text << "object at 0x" << std::hex << address << " of " << std::dec << bytes.value << " bytes";
  return text.str();
}

std::unexpected<Status> refuse(std::uintptr_t address, Bytes bytes, std::string_view why) {
  return failure(StatusCode::invalid_argument, described(address, bytes) + ": " + std::string(why) + ".");
}

}  // namespace

struct ObjectRegistry::Impl {
  mutable std::shared_mutex lock;
  ObjectMap objects;
  std::uint64_t last_id = 0;  ///< 0 is the id of no object
  std::uint64_t added = 0, removed = 0;
  using Counts = std::unordered_map<std::uint64_t, std::uint64_t>;
  Counts by_site;  ///< allocations so far
  struct Lane {
    std::uint64_t last_id = 0;
    Counts by_site;
  };
  std::unordered_map<std::uint32_t, Lane> racing;  ///< lanes, whose objects are numbered apart

  /// The id and the number of its site.
  void number(Object& object, std::optional<std::uint64_t> nth);
};

void ObjectRegistry::Impl::number(Object& object, std::optional<std::uint64_t> nth) {
  ++added;
  if (object.racing_lane == 0) {
    object.id = ObjectId(++last_id);
    object.nth = nth ? *nth : by_site[object.site.value]++;
    return;
  }
  Lane& lane = racing[object.racing_lane];
  object.id = ObjectId((std::uint64_t{object.racing_lane} << 40) + ++lane.last_id);
  object.nth = nth ? *nth : (std::uint64_t{object.racing_lane} << 32) + lane.by_site[object.site.value]++;
}

ObjectRegistry::ObjectRegistry() : impl_(std::make_unique<Impl>()) {}
ObjectRegistry::~ObjectRegistry() = default;

Result<Object> ObjectRegistry::add(Object object, std::optional<std::uint64_t> nth) {
  const std::uintptr_t address = object.address;
  const Bytes bytes = object.bytes;
  if (bytes.value == 0) return refuse(address, bytes, "it is empty; give a size of at least 1");
  if (bytes.value > std::numeric_limits<std::uintptr_t>::max() - address) {
    return refuse(address, bytes, "it reaches past the end of the address space; give its size in bytes");
  }
  // The node is made here, so that little happens under the lock.
  auto node = ObjectMap::made(address, address + bytes.value, std::move(object));

  const std::unique_lock guard(impl_->lock);
  const auto other = overlapping(impl_->objects, address, address + (bytes.value - 1));
  if (other != impl_->objects.end()) {
    const std::string there = described(other->first, other->second.value.bytes);
    return refuse(address, bytes, "it overlaps the " + there + "; remove that one first");
  }
  impl_->number(node.mapped().value, nth);
  return impl_->objects.insert(std::move(node));
}

std::optional<Object> ObjectRegistry::remove(std::uintptr_t address) {
  ObjectMap::node_type node;
  {
    const std::unique_lock guard(impl_->lock);
    node = impl_->objects.extract(address);
    impl_->removed += node ? 1 : 0;
  }
  if (node.empty()) return std::nullopt;
  return std::move(node.mapped().value);
}

std::optional<Object> ObjectRegistry::find(std::uintptr_t address) const {
  const std::shared_lock guard(impl_->lock);
  const auto found = impl_->objects.find(address);
  if (found == impl_->objects.end()) return std::nullopt;
  return found->second.value;
}

std::optional<Object> ObjectRegistry::find_any(std::uintptr_t address, Bytes bytes) const {
  if (bytes.value == 0) return std::nullopt;
  const std::shared_lock guard(impl_->lock);
  const auto found = overlapping(impl_->objects, address, address + (bytes.value - 1));
  if (found == impl_->objects.end()) return std::nullopt;
  return found->second.value;
}

bool ObjectRegistry::empty() const {
  const std::shared_lock guard(impl_->lock);
  return impl_->objects.empty();
}

std::uint64_t ObjectRegistry::version() const {
  const std::shared_lock guard(impl_->lock);
  return impl_->added + impl_->removed;
}

std::vector<Object> ObjectRegistry::all() const {
  std::vector<Object> objects;
  const std::shared_lock guard(impl_->lock);
  objects.reserve(impl_->objects.size());
  for (const auto& [address, object] : impl_->objects) objects.push_back(object.value);
  return objects;
}

}  // namespace lbhm
