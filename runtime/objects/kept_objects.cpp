#include "runtime/objects/kept_objects.h"

#include <algorithm>

namespace lbhm {
namespace {

/// Sites and sizes that are remembered. Programs have hundreds; those whose blocks grow have a new size each time.
constexpr std::size_t most_places = 4096;

}  // namespace

std::uintptr_t KeptObjects::take(SiteId site, Bytes bytes) {
  const std::lock_guard lock(mutex_);
  const auto found = places_.find({site, bytes});
  if (found == places_.end()) return 0;
  Place& place = found->second;
  place.repeats = place.repeats || place.given_back;
  if (place.kept.empty()) return 0;
  live_ += bytes;
  return remove(*found, place.kept.begin());
}

std::uintptr_t KeptObjects::remove(Places::value_type& place,
                                   std::map<std::uint64_t, std::uintptr_t>::iterator object) {
  const std::uintptr_t address = object->second;
  place.second.kept.erase(object);
  if (place.second.kept.empty()) idle_.erase(place.second.last_given_back);
  kept_ -= place.first.second;
  return address;
}

std::vector<std::uintptr_t> KeptObjects::born(Bytes bytes) {
  const std::lock_guard lock(mutex_);
  live_ += bytes;
  most_live_ = std::max(most_live_, live_);
  std::vector<std::uintptr_t> leave;
  while (live_ + kept_ > most_live_ && !idle_.empty()) {
    auto& place = *idle_.begin()->second;
    leave.push_back(remove(place, std::prev(place.second.kept.end())));
  }
  return leave;
}

bool KeptObjects::keep(const Object& object) {
  const std::lock_guard lock(mutex_);
  live_ -= object.bytes;
  if (object.bytes > largest) return false;
  if (places_.size() >= most_places) {
    std::erase_if(places_, [](const auto& place) { return place.second.kept.empty(); });
    if (places_.size() >= most_places) return false;
  }
  auto& entry = *places_.try_emplace({object.site, object.bytes}).first;
  Place& place = entry.second;
  place.given_back = true;
  if (!place.kept.empty()) idle_.erase(place.last_given_back);
  place.last_given_back = ++given_back_;
  if (place.repeats) {
    place.kept.emplace(object.nth, object.address);
    kept_ += object.bytes;
  }
  if (!place.kept.empty()) idle_.emplace(place.last_given_back, &entry);
  return place.repeats;
}

void KeptObjects::gone(Bytes bytes) {
  const std::lock_guard lock(mutex_);
  live_ -= bytes;
}

}  // namespace lbhm
