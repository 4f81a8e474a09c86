#include "runtime/placement/value/page_values.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lbhm::placement {
namespace {

/// What means and single pages are expected to say before anything was seen: of the mean, recent and older evidence
/// alike; of a page, nothing.
constexpr Evidence usual_shares{0.5, 0.5, 0}, usual_slopes{};
/// Evidence fades over the horizon, and over times that are longer by this factor each; what windows showed fades over
/// the longest of them.
constexpr double longer = 8;

Evidence scaled(Evidence a, const Evidence& by) {
  for (std::size_t i = 0; i < scales; ++i) a[i] *= by[i];
  return a;
}
Evidence unscaled(Evidence a, const Evidence& by) {
  for (std::size_t i = 0; i < scales; ++i) a[i] /= by[i];
  return a;
}
EvidenceSums unscaled(EvidenceSums sums, const Evidence& by) {
  sums.x = unscaled(sums.x, by), sums.xy = unscaled(sums.xy, by);
  for (std::size_t i = 0; i < scales; ++i)
    for (std::size_t j = 0; j < scales; ++j) sums.xx[i][j] /= by[i] * by[j];
  return sums;
}

}  // namespace

void PageValues::follow(std::span<const Extent> extents) {
  std::map<std::uintptr_t, Object> now;
  std::vector<Extent> fresh;
  for (const Extent& extent : extents) {
    const auto old = objects_.find(extent.address);
    if (old != objects_.end() && old->second.extent.bytes == extent.bytes && old->second.extent.site == extent.site) {
      now.insert(objects_.extract(old));
    } else {
      fresh.push_back(extent);
      const auto usual = usual_.find(extent.site);
      if (usual != usual_.end()) now[extent.address].base = scaled(usual->second, scale_);
    }
    now[extent.address].extent = extent;
  }
  for (const auto& [address, gone] : objects_)
    seen_.erase_if(address, address + gone.extent.bytes.value, [](std::uintptr_t, const Page&) { return true; });
  objects_ = std::move(now);
  for (const Extent& extent : fresh) {  // where pages of none were
    Object& none = objects_.begin()->second;
    seen_.erase_if(extent.address, extent.address + extent.bytes.value, [&](std::uintptr_t, const Page& page) {
      none.seen.add_evidence(page.seen, -1), --none.known;
      return true;
    });
  }
}

const PageValues::Object& PageValues::at(std::uintptr_t page) const {
  const auto object = std::prev(objects_.upper_bound(page));
  return page - object->first < object->second.extent.bytes.value ? object->second : objects_.begin()->second;
}

std::uintptr_t PageValues::border_behind(std::uintptr_t page) const {
  const auto next = objects_.upper_bound(page), object = std::prev(next);
  const std::uintptr_t end = object->first + object->second.extent.bytes.value;
  if (page < end) return end;
  return next != objects_.end() ? next->first : UINTPTR_MAX;
}

void PageValues::add(std::uintptr_t address, double worth, std::uint64_t since, LaneId lane) {
  if (!(worth > 0)) return;
  const auto [found, fresh] = seen_.try_emplace(address);
  Page& page = *found;
  const bool used_before = !fresh && since <= page.since;  // else it is another one at the same place
  if (page.now == 0) now_.emplace_back(address, found);
  page.now += worth, page.since = since;
  page.shared = used_before && (page.shared || page.lane != lane);
  page.lane = lane;
  at(address).lanes[lane] += worth * scale_[1];
}

double PageValues::births(double more) const {
  double pages = 0;
  for (const auto& [site, birth] : births_)
    if (birth.pages > 0 && birth.worth / birth.pages + birth.level * times_[0].value > more) pages += birth.rate;
  return pages;
}

Evidence PageValues::unscaled(const Evidence& seen) const { return placement::unscaled(seen, scale_); }

double PageValues::use_of(const Object& object) const {
  if (uses_.empty()) return 1;
  double all = 0, used = 0;
  for (const auto& [lane, evidence] : object.lanes) all += evidence, used += evidence * use_of(lane);
  return all > 0 ? used / all : 1;
}

double PageValues::pages_of(const Object& object) {
  return static_cast<double>(std::max(object.extent.pages, object.known));
}

Evidence PageValues::mean_of(const Object& object) const {
  Evidence mean = object.base;
  const double pages = std::max(1.0, pages_of(object));
  for (std::size_t i = 0; i < scales; ++i) mean[i] += object.seen.x[i] / pages;
  return unscaled(mean);
}

void PageValues::count_in_window(std::uintptr_t address, Page& page) {
  Object& object = at(address);
  if (page.since > begun_ || !(object.window.n > 0)) return;  // newer than the window
  if (std::exchange(page.window, windows_) != windows_) {
    page.before = placement::unscaled(page.seen, window_scale_);
    page.came = 0;
  }
  const double before = page.came, after = before + page.now;
  object.window.add_outcome(page.before, page.now);
  object.window.yy += after * after - before * before - page.now * page.now;  // of the page's sum
  page.came = after;
}

/// What came of the evidence that there was when the window began.
void PageValues::close_window() {
  const double left = std::exp(-(held_ / times_.back())), held = held_.value;
  all_.fade(left), means_.fade(left);
  for (auto& [site, sums] : sites_) sums.fade(left);
  double pages = 0;
  for (const auto& [address, object] : objects_) pages += object.window.n;
  for (auto& [address, object] : objects_) {
    EvidenceSums& sums = object.window;
    if (!(sums.n > 0)) continue;
    sums.y /= held, sums.yy /= held * held;
    for (double& each : sums.xy) each /= held;
    Evidence mean = object.window_base;
    for (std::size_t i = 0; i < scales; ++i) mean[i] += sums.x[i] / sums.n;
    const double weight = sums.n / pages;
    means_.n += weight;
    means_.add_evidence(mean, weight), means_.add_outcome(mean, sums.y / sums.n, weight);
    const EvidenceSums about = sums.about_mean();
    sites_[object.extent.site].add(about), all_.add(about);
    object.shown.fade(left);
    object.shown.add(about);
  }
}

void PageValues::begin_window() {
  ++windows_, begun_ = looks_, window_scale_ = scale_, held_ = {};
  for (auto& [address, object] : objects_) {
    object.window = placement::unscaled(object.seen, scale_);
    object.window.n = pages_of(object);
    object.window_base = unscaled(object.base);
  }
}

void PageValues::scale(Nanoseconds elapsed) {
  for (std::size_t i = 0; i < scales; ++i) scale_[i] *= std::exp(elapsed / times_[i]);
  constexpr double large = 1e100;  // far from what a double can hold, squared
  if (std::ranges::max(scale_) < large) return;
  seen_.erase_if(0, UINTPTR_MAX, [&](std::uintptr_t, Page& page) {
    page.seen = unscaled(page.seen);
    return false;
  });
  for (auto& [address, object] : objects_) {
    object.seen = placement::unscaled(object.seen, scale_);
    object.base = unscaled(object.base);
    for (auto& [lane, evidence] : object.lanes) evidence /= scale_[1];
  }
  window_scale_ = unscaled(window_scale_);
  scale_.fill(1);
}

/// So that what goes on for ever is as large as it is.
void PageValues::see(Object& object, Page& page, Nanoseconds elapsed) {
  if (!std::exchange(page.known, true)) ++object.known;
  object.seen.add_evidence(page.seen, -1);
  for (std::size_t i = 0; i < scales; ++i)
    page.seen[i] += page.now * -std::expm1(-(elapsed / times_[i])) / elapsed.value * scale_[i];
  object.seen.add_evidence(page.seen);
  page.now = 0;
}

/// Pages of which hardly anything is known any more are as good as those that were never sampled.
void PageValues::forget(double least) {
  seen_.erase_if(0, UINTPTR_MAX, [&](std::uintptr_t address, const Page& page) {
    const Evidence seen = unscaled(page.seen);
    double most = 0;
    for (std::size_t i = 0; i < scales; ++i) most = std::max(most, seen[i] * times_[i].value);
    if (most >= least) return false;
    Object& object = at(address);
    object.seen.add_evidence(page.seen, -1), --object.known;
    return true;
  });
}

void PageValues::expect() {
  const Evidence shares = slopes(means_, usual_shares), all = slopes(all_, usual_slopes);
  std::map<SiteId, Evidence> of_sites;
  for (const auto& [site, sums] : sites_) of_sites[site] = slopes(sums, all);
  for (auto& [address, object] : objects_) {
    const SiteId site = object.extent.site;
    const auto of_site = of_sites.find(site);
    const Evidence mean = mean_of(object), base = unscaled(object.base);
    const double level = dot(shares, mean);
    if (object.extent.pages > 0) usual_[site] = mean;
    if (const auto birth = births_.find(site); birth != births_.end()) birth->second.level = std::max(0.0, level);
    Expected& expected = object.expected;
    const Evidence slope = slopes(object.shown, of_site != of_sites.end() ? of_site->second : all);
    expected.slope = unscaled(slope);
    expected.mean = std::max(0.0, level);
    expected.use = use_of(object);
    expected.level = level - dot(slope, mean) + dot(slope, base);
  }
}

void PageValues::fade_births(Nanoseconds elapsed) {
  for (auto& [site, birth] : births_) {
    const double left = std::exp(-(elapsed / times_[1]));
    birth.pages = birth.pages * left + birth.now, birth.worth *= left;
    birth.rate += (birth.now - birth.rate) * -std::expm1(-(elapsed / times_[0]));
    birth.now = 0;
  }
}

void PageValues::look(Nanoseconds elapsed, Nanoseconds horizon, double least, const Uses& uses) {
  uses_.assign(uses.empty() ? 0 : uses.rbegin()->first.value + 1, 1);
  for (const auto& [lane, use] : uses) uses_[lane.value] = use;
  times_ = {horizon, horizon * longer, horizon * longer * longer};
  ++looks_, held_ += elapsed;
  for (const auto& [address, page] : now_) count_in_window(address, *page);
  if (held_ >= horizon) close_window();
  scale(elapsed);
  for (const auto& [address, page] : now_) see(at(address), *page, elapsed);
  now_.clear();
  if (held_ >= horizon || windows_ == 0) {
    forget(least);
    begin_window();
  }
  expect();
  fade_births(elapsed);
}

}  // namespace lbhm::placement
