#include "runtime/phases/input_kinds.h"

#include <algorithm>
#include <limits>
#include <map>

#include "runtime/phases/phases.h"

namespace lbhm {

namespace {

struct OfSite {
  double bytes = 0, number = 0;
};

std::map<std::uint64_t, OfSite> by_site(std::span<const std::uint64_t> sites, std::span<const double> bytes) {
  std::map<std::uint64_t, OfSite> sums;
  for (std::size_t position = 0; position < sites.size(); ++position) {
    OfSite& site = sums[sites[position]];
    site.bytes += bytes[position];
    ++site.number;
  }
  return sums;
}

}  // namespace

InputShape::InputShape(std::span<const PhaseObject> list) {
  for (const PhaseObject& object : list) {
    sites_.push_back(object.site.value);
    bytes_.push_back(std::max(1.0, static_cast<double>(object.bytes.value)));
  }
  sorted_ = sites_;
  std::ranges::sort(sorted_);
}

double InputShape::unlike(const InputShape& other) const {
  const bool in_place = sites_.size() == other.sites_.size() && sorted_ != other.sorted_;
  const auto mine = by_site(sites_, bytes_), theirs = by_site(in_place ? sites_ : other.sites_, other.bytes_);
  double least = std::numeric_limits<double>::infinity(), most = 0, numbers = 1;
  for (const auto& [number, here] : mine) {
    const auto found = theirs.find(number);
    if (found == theirs.end()) continue;
    const OfSite& there = found->second;
    if (std::max(here.bytes, there.bytes) < static_cast<double>(InputKinds::least.value)) continue;
    const double growth = there.bytes / here.bytes;
    least = std::min(least, growth);
    most = std::max(most, growth);
    numbers = std::max({numbers, here.number / there.number, there.number / here.number});
  }
  return most > 0 ? std::max(most / least, numbers) : 1;
}

std::optional<std::size_t> most_like(std::span<const InputShape> known, const InputShape& input) {
  std::optional<std::size_t> nearest;
  double distance = std::numeric_limits<double>::infinity();
  for (std::size_t each = 0; each < known.size(); ++each) {
    const double unlike = known[each].unlike(input);
    if (unlike >= distance) continue;
    distance = unlike;
    nearest = each;
  }
  return nearest;
}

std::size_t InputKinds::kind_of(const InputShape& input) {
  const auto nearest = most_like(first_, input);
  const bool another = first_.size() < most_kinds && first_.size() * inputs_a_kind <= inputs_;
  ++inputs_;
  if (nearest && (!another || first_[*nearest].unlike(input) <= one_kind)) return *nearest;
  first_.push_back(input);
  return first_.size() - 1;
}

}  // namespace lbhm
