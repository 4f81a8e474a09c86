#include <unwind.h>

#include <algorithm>
#include <deque>
#include <map>

#include "runtime/phases/phases.h"
#include "runtime/phases/region_index.h"

namespace lbhm {
namespace {

/// Names of a call at most: programs number their inputs without end. Further ones are the kind most like them.
constexpr std::size_t most_named = 64;

/// The function that `site` lies in, and the sites of the objects.
std::string describe(const void* site, std::span<const PhaseObject> objects) {
  // It takes return addresses: one less is looked up.
  void* return_address = const_cast<char*>(static_cast<const char*>(site) + 1);
  const auto function = reinterpret_cast<std::uintptr_t>(_Unwind_FindEnclosingFunction(return_address));
  std::string text = std::to_string(function);
  for (const PhaseObject& object : objects)
    text += '\n' + std::to_string(object.anonymous ? object.address : object.site.value);
  return text;
}

}  // namespace

PhaseTable::Call& PhaseTable::call_at(const void* site, std::span<const PhaseObject> objects) {
  Call*& known = by_site_[site];
  if (known) return *known;
  Call*& same_list = by_list_[describe(site, objects)];
  if (!same_list) same_list = calls_.emplace_back(std::make_unique<Call>()).get();
  known = same_list;
  return *known;
}

Phase* PhaseTable::make(Call& call, const void* site, std::string kind, const InputShape& shape) {
  const auto number = static_cast<std::uint32_t>(phases_.size());
  Phase* const phase = phases_.emplace_back(std::make_unique<Phase>()).get();
  if (const auto like = most_like(call.shapes, shape)) {
    phase->like = call.phases[*like];
    phase->take_slots(*phase->like);
  }
  phase->number = number;
  phase->name = code_name(site);
  phase->kind = std::move(kind);
  call.phases.reserve(call.phases.size() + 1);
  call.shapes.push_back(shape);
  call.phases.push_back(phase);
  return phase;
}

Phase& PhaseTable::at(const void* site, std::span<const PhaseObject> objects, std::string_view kind) {
  Call& call = call_at(site, objects);
  const auto known = call.named.find(kind);
  if (known != call.named.end()) return *known->second;
  const InputShape shape(objects);
  if (call.named.size() == most_named && !kind.empty())
    if (const auto like = most_like(call.shapes, shape)) return *call.phases[*like];
  if (!kind.empty()) return *(call.named[std::string(kind)] = make(call, site, std::string(kind), shape));
  const std::size_t number = call.kinds.kind_of(shape);
  while (call.found.size() <= number)
    call.found.push_back(make(call, site, number == 0 ? std::string() : std::to_string(number + 1), shape));
  return *call.found[number];
}

void Phase::take_slots(const Phase& other) {
  objects = other.objects;
  slots_ = other.slots_;
  living_ = other.living_;
}

std::vector<ObjectSlot> Phase::slots_of_all(std::span<const PhaseObject> list) {
  std::unordered_map<std::uint64_t, std::uint32_t> slot_of;  // by id, then what is left
  for (std::uint32_t slot = 0; slot < living_.size(); ++slot) slot_of.emplace(living_[slot].id.value, slot);
  std::vector<bool> taken(living_.size());
  for (const PhaseObject& object : list) {
    if (const auto known = slot_of.find(object.id.value); known != slot_of.end()) taken[known->second] = true;
  }
  std::map<SiteId, std::deque<std::uint32_t>> free;
  for (std::uint32_t slot = 0; slot < living_.size(); ++slot) {
    if (!taken[slot]) free[living_[slot].site].push_back(slot);
  }
  std::vector<ObjectSlot> result;
  for (const PhaseObject& object : list) {
    std::uint32_t slot = objects;
    if (const auto known = slot_of.find(object.id.value); known != slot_of.end()) {
      slot = known->second;
    } else if (std::deque<std::uint32_t>& left = free[object.site]; !left.empty()) {
      slot = left.front();
      left.pop_front();
    } else {
      ++objects;
      living_.resize(objects);
    }
    living_[slot] = {object.site, object.id};
    result.emplace_back(slot);
  }
  return result;
}

std::vector<ObjectSlot> Phase::slots_of(std::span<const PhaseObject> list) {
  constexpr std::uint32_t none = ~std::uint32_t{0};
  std::unordered_map<std::uint64_t, std::uint32_t> ranks;
  std::vector<ObjectKey> keys;
  std::vector<std::uint32_t> slots;
  std::vector<bool> taken(objects + list.size());
  for (const PhaseObject& object : list) {
    keys.push_back({object.site, ranks[object.site.value]++});
    const auto known = slots_.find(keys.back());
    slots.push_back(known != slots_.end() && !taken[known->second] ? known->second : none);
    if (slots.back() != none) taken[slots.back()] = true;
  }
  std::vector<ObjectSlot> result;
  for (std::uint32_t position = 0; position < list.size(); ++position) {
    std::uint32_t& slot = slots[position];
    if (slot == none) {
      slot = position < objects && !taken[position] ? position : objects++;
      taken[slot] = true;
      slots_[keys[position]] = slot;
    }
    result.emplace_back(slot);
  }
  return result;
}

}  // namespace lbhm
