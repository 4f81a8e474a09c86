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
  kept_ -= bytes;
  live_ += bytes;
  return place.kept.extract(place.kept.begin()).mapped();
}

std::vector<std::uintptr_t> KeptObjects::born(Bytes bytes) {
  const std::lock_guard lock(mutex_);
  live_ += bytes;
  most_live_ = std::max(most_live_, live_);
  std::vector<std::uintptr_t> leave;
  while (live_ + kept_ > most_live_) {
    const auto idle = [](const auto& place) {
      return place.second.kept.empty() ? UINT64_MAX : place.second.last_given_back;
    };
    auto& [kind, place] = *std::ranges::min_element(places_, {}, idle);
    leave.push_back(std::prev(place.kept.end())->second);
    place.kept.erase(std::prev(place.kept.end()));
    kept_ -= kind.second;
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
  Place& place = places_[{object.site, object.bytes}];
  place.given_back = true;
  place.last_given_back = ++given_back_;
  if (!place.repeats) return false;
  place.kept.emplace(object.nth, object.address);
  kept_ += object.bytes;
  return true;
}

void KeptObjects::gone(Bytes bytes) {
  const std::lock_guard lock(mutex_);
  live_ -= bytes;
}

}  // namespace lbhm
