#include "runtime/record/timeline.h"

#include <algorithm>
#include <new>

#include "runtime/base/chance.h"

namespace lbhm {
namespace {

/// In [0, 1), the same in every run and for every object of a size, whichever came first: pages at equal distances
/// could be those that a plan does not move.
double chance(std::uint64_t of) { return static_cast<double>(finalised(of) >> 11) * 0x1p-53; }

}  // namespace

/// The pages of an object, as far as they may have been touched; of a small one all.
class Timeline::Touched {
 public:
  Touched(Machine& machine, const Object& object)
      : page_(machine.topology().page), parts_{{object.address, object.bytes}} {
    if (object.bytes > page_ * looked_at) parts_ = machine.touched(parts_.front());
    for (const PageRange& part : parts_) {
      bytes_ += part.bytes;
      pages_ += pages_of(part);
    }
  }
  Bytes bytes() const { return bytes_; }
  std::uint64_t pages() const { return pages_; }
  /// The address of the n-th page.
  std::uintptr_t page(std::uint64_t n) const {
    auto part = parts_.begin();
    for (; n >= pages_of(*part); ++part) n -= pages_of(*part);
    return part->address + n * page_.value;
  }

 private:
  std::uint64_t pages_of(const PageRange& part) const { return (part.bytes.value + page_.value - 1) / page_.value; }

  Bytes page_, bytes_;
  std::uint64_t pages_ = 0;
  std::vector<PageRange> parts_;
};

void Timeline::look() noexcept {
  try {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (lock) look_locked();
  } catch (const std::bad_alloc&) { return; }  // a moment less
}

void Timeline::look_locked() {
  take_samples();  // before they are too many
  const Nanoseconds now = machine_.execution().now();
  if (now < next_) return;
  Moment moment{.time = now, .moved = moved_(), .use = machine_.tier_use(), .lies = {}, .served = served_};
  look_at_objects(moment);
  moments_.push_back(std::move(moment));
  if (moments_.size() == 2 * most_moments) thin();
  const Nanoseconds crowded = all_.size() > many_objects ? Nanoseconds(now.value / 32) : Nanoseconds{};
  next_ = now + std::max(spacing_, crowded);
}

void Timeline::take_samples() {
  samples_.clear();
  feed_.read_along(SampleFeed::Reader::timeline, samples_);
  const std::size_t count = tiers();
  for (const AccessSample& sample : samples_) {
    if (sample.lane.value >= most_lanes || sample.tier.value >= count) continue;
    const std::size_t at = sample.lane.value * count;
    served_.resize(std::max(served_.size(), at + count));
    served_[at + sample.tier.value] += sample.weight;
  }
}

/// The last one stays.
void Timeline::thin() {
  for (std::size_t i = 0; i < most_moments; ++i) moments_[i] = std::move(moments_[2 * i + 1]);
  moments_.resize(most_moments);
  spacing_ = Nanoseconds((moments_.back().time - moments_.front().time).value / (most_moments - 1));
}

std::size_t Timeline::row_of(const Object& object) {
  const std::string key = object.name.empty() ? "\n" + std::to_string(object.site.value) : object.name;
  if (const auto found = row_by_name_.find(key); found != row_by_name_.end()) return found->second;
  if (rows_.size() == most_rows) {
    left_out_ = true;
    return most_rows;
  }
  rows_.push_back({.name = object.name, .site = object.site, .bytes = {}});
  return row_by_name_[key] = rows_.size() - 1;
}

void Timeline::look_at_objects(Moment& moment) {
  if (const std::uint64_t version = objects_.version(); version != version_) {
    all_ = objects_.all();
    version_ = version;
  }
  std::vector<Touched> touched;
  std::uint64_t pages = 0;
  for (const Object& object : all_) pages += touched.emplace_back(machine_, object).pages() + 1;
  std::vector<Row> now(most_rows);
  for (std::size_t number = 0; number < all_.size(); ++number) {
    const std::size_t row = row_of(all_[number]);
    if (row == most_rows) continue;
    ++now[row].objects;
    const std::uint64_t of_it = touched[number].pages();
    const std::uint64_t share = pages <= looked_at ? of_it : of_it * looked_at / pages;
    now[row].bytes += add(touched[number], std::min(of_it, std::max(share, least_looked_at)), row, moment);
  }
  moment.lies.resize(rows_.size() * machine_.topology().tiers.size());
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    rows_[row].bytes = std::max(rows_[row].bytes, now[row].bytes);
    rows_[row].objects = std::max(rows_[row].objects, now[row].objects);
  }
}

/// One page of each of `looks` equal shares of the touched parts stands for its share. Returns what is used of them: of
/// an arena, the program's own or ours, most may be room.
Bytes Timeline::add(const Touched& touched, std::uint64_t looks, std::size_t row, Moment& moment) {
  const std::size_t tiers = machine_.topology().tiers.size();
  moment.lies.resize(std::max(moment.lies.size(), (row + 1) * tiers));
  if (looks == 0) return {};
  const double each = static_cast<double>(touched.pages()) / static_cast<double>(looks);
  std::vector<std::uintptr_t> asked(looks);
  for (std::uint64_t i = 0; i < looks; ++i) {
    const double at =
        each > 1 ? (static_cast<double>(i) + chance(touched.bytes().value << 20 ^ i)) * each : static_cast<double>(i);
    asked[i] = touched.page(std::min(static_cast<std::uint64_t>(at), touched.pages() - 1));
  }
  std::vector<TierId> found(looks, no_tier);
  machine_.glance(asked, found);
  std::vector<std::uint64_t> in(tiers);
  for (const TierId tier : found) {
    if (tier.value < tiers) ++in[tier.value];
  }
  std::uint64_t used = 0;
  for (std::size_t tier = 0; tier < tiers; ++tier) {
    used += in[tier];
    moment.lies[row * tiers + tier] += Bytes(touched.bytes().value * in[tier] / looks);
  }
  return Bytes(touched.bytes().value * used / looks);
}

}  // namespace lbhm
