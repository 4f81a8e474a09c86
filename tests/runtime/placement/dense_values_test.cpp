// Do sums over few pages expect what a walk over all pages does?
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <random>
#include <vector>

#include "tests/runtime/placement/page_values_fixture.h"

namespace lbhm::placement {
namespace {

/// The same by brute force: every page has evidence, and sums are over all pages.
class DenseValues {
 public:
  struct Page {
    Evidence seen{}, before{};
    double now = 0, came = 0;
  };
  struct Object {
    PageValues::Extent extent;
    Evidence base{}, mean{}, slope{};
    std::vector<Page> pages;
    EvidenceSums shown;
    bool in_window = false;
    double level = 0;
  };

  explicit DenseValues(Bytes page) : page_(page) {}
  void add_object(const PageValues::Extent& extent) {
    Object& object = objects_[extent.address] = {};
    object.extent = extent, object.pages.resize(extent.pages);
    if (const auto usual = usual_.find(extent.site); usual != usual_.end()) object.base = usual->second;
  }
  void remove(std::uintptr_t address) { objects_.erase(address); }
  void add(std::uintptr_t address, double worth) { page_of(address).now += worth; }
  const std::map<std::uintptr_t, Object>& objects() const { return objects_; }
  double rate(const Object& object, const Page& page) const {
    double sum = object.level;
    for (std::size_t i = 0; i < scales; ++i) sum += object.slope[i] * (object.base[i] + page.seen[i] - object.mean[i]);
    return std::max(0.0, sum);
  }

  void look(double elapsed, double horizon) {
    times_ = {horizon, 8 * horizon, 64 * horizon};
    held_ += elapsed;
    for (auto& [address, object] : objects_)
      for (Page& page : object.pages) page.came += page.now;
    const bool ends = held_ >= horizon;
    if (ends) close_window();
    for (auto& [address, object] : objects_) decay(object, elapsed);
    if (ends || first_) begin_window();
    expect();
  }

 private:
  Page& page_of(std::uintptr_t address) {
    auto& [begin, object] = *std::prev(objects_.upper_bound(address));
    return object.pages.at((address - begin) / page_.value);
  }
  void decay(Object& object, double elapsed) const {
    for (std::size_t i = 0; i < scales; ++i) {
      const double left = std::exp(-elapsed / times_[i]);
      object.base[i] *= left;
      for (Page& page : object.pages) page.seen[i] = page.seen[i] * left + page.now * (1 - left) / elapsed;
    }
    for (Page& page : object.pages) page.now = 0;
  }
  void begin_window() {
    first_ = false, held_ = 0;
    for (auto& [address, object] : objects_) {
      object.in_window = true;
      for (Page& page : object.pages) {
        page.came = 0;
        for (std::size_t i = 0; i < scales; ++i) page.before[i] = object.base[i] + page.seen[i];
      }
    }
  }
  void close_window() {
    const double left = std::exp(-held_ / times_.back());
    all_.fade(left), means_.fade(left);
    for (auto& [site, sums] : sites_) sums.fade(left);
    double pages = 0;
    for (const auto& [address, object] : objects_) pages += object.in_window ? double(object.pages.size()) : 0;
    for (auto& [address, object] : objects_) {
      if (!object.in_window) continue;
      const EvidenceSums about = about_mean(object, static_cast<double>(object.pages.size()) / pages);
      object.shown.fade(left);
      object.shown.add(about), all_.add(about), sites_[object.extent.site].add(about);
    }
  }
  /// What came of the object's pages about their mean; the mean itself is counted with that weight.
  EvidenceSums about_mean(const Object& object, double weight) {
    Evidence mean{};
    double came = 0;
    const auto n = static_cast<double>(object.pages.size());
    for (const Page& page : object.pages) {
      came += page.came / held_ / n;
      for (std::size_t i = 0; i < scales; ++i) mean[i] += page.before[i] / n;
    }
    means_.n += weight;
    means_.add_evidence(mean, weight), means_.add_outcome(mean, came, weight);
    EvidenceSums sums;
    sums.n = n;
    for (const Page& page : object.pages) {
      Evidence far = page.before;
      for (std::size_t i = 0; i < scales; ++i) far[i] -= mean[i];
      sums.add_evidence(far), sums.add_outcome(far, page.came / held_ - came);
    }
    return sums;
  }
  void expect() {
    const Evidence shares = slopes(means_, {0.5, 0.5, 0}), all = slopes(all_, {});
    for (auto& [address, object] : objects_) {
      object.mean = object.base;
      for (std::size_t i = 0; i < scales; ++i)
        for (const Page& page : object.pages) object.mean[i] += page.seen[i] / double(object.pages.size());
      object.level = dot(shares, object.mean);
      const auto site = sites_.find(object.extent.site);
      object.slope = slopes(object.shown, site != sites_.end() ? slopes(site->second, all) : all);
      usual_[object.extent.site] = object.mean;
    }
  }

  Bytes page_;
  std::map<std::uintptr_t, Object> objects_;
  std::map<SiteId, Evidence> usual_;
  std::map<SiteId, EvidenceSums> sites_;
  EvidenceSums all_, means_;
  std::array<double, scales> times_{};
  double held_ = 0;
  bool first_ = true;
};

class SparseAndDense : public PageValuesTest {
 protected:
  void begin(std::vector<PageValues::Extent> extents) {
    for (const PageValues::Extent& each : extents)
      if (!dense_.objects().contains(each.address)) dense_.add_object(each);
    follow(values_, extents);
    extents_ = std::move(extents);
  }
  /// Few pages of each object get most of the samples.
  void sample_and_look(int look) {
    std::uniform_real_distribution<double> part(0, 1);
    for (const PageValues::Extent& each : extents_) {
      for (int i = 0; i < 12; ++i) {
        const auto number = static_cast<std::uint64_t>(std::pow(part(random_), 4) * double(each.pages));
        const double worth = 50 + 500 * part(random_);
        values_.add(page_at(each.address, number), worth, 0);
        dense_.add(page_at(each.address, number), worth);
      }
    }
    const double elapsed = 500 + 1000 * part(random_), long_for = 4000 + 1000 * (look % 3);
    values_.look(Nanoseconds(elapsed), Nanoseconds(long_for), 0);
    dense_.look(elapsed, long_for);
  }
  void compare(int look) const {
    for (const auto& [address, object] : dense_.objects()) {
      for (std::uint64_t i = 0; i < object.pages.size(); ++i) {
        const double expected = dense_.rate(object, object.pages[i]);
        ASSERT_NEAR(rate(values_, page_at(address, i)), expected, 1e-6 * std::max(expected, object.level))
            << "page " << i << " of " << address << " at look " << look;
      }
    }
  }

  DenseValues dense_{page_bytes};
  std::mt19937_64 random_{17};
  std::vector<PageValues::Extent> extents_;
};

TEST_F(SparseAndDense, ExpectTheSameOfEveryPage) {
  begin({extent(one, 40, site_a), extent(two, 70, site_a), extent(three, 100, site_b)});
  for (int look = 0; look < 60; ++look) {
    sample_and_look(look);
    ASSERT_NO_FATAL_FAILURE(compare(look));
  }
  EXPECT_GT(mean_rate(values_, one, 40), 0);
  EXPECT_NE(values_.expected(one).slope, Evidence{}) << "something was learnt";
}

TEST_F(SparseAndDense, ExpectTheSameOfObjectsThatBeginWithWhatTheirSiteIsKnownFor) {
  begin({extent(one, 40, site_a), extent(three, 100, site_b)});
  for (int look = 0; look < 25; ++look) sample_and_look(look);
  dense_.remove(one);
  begin({extent(two, 60, site_a), extent(three, 100, site_b)});
  for (int look = 25; look < 60; ++look) {
    sample_and_look(look);
    ASSERT_NO_FATAL_FAILURE(compare(look));
  }
}

}  // namespace
}  // namespace lbhm::placement
