// What the tests of PageValues share.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "runtime/placement/value/page_values.h"

namespace lbhm::placement {

class PageValuesTest : public testing::Test {
 protected:
  static constexpr Bytes page_bytes{4096};
  static constexpr std::uintptr_t one = 0x100000, two = 0x8000000, three = 0x10000000;
  static constexpr SiteId site_a{1}, site_b{2};
  static constexpr Nanoseconds quarter{1000}, horizon{4000};

  static PageValues::Extent extent(std::uintptr_t address, std::uint64_t pages, SiteId site) {
    return {.address = address, .bytes = page_bytes * pages, .site = site, .pages = pages};
  }
  static std::uintptr_t page_at(std::uintptr_t object, std::uint64_t number) {
    return object + number * page_bytes.value;
  }
  /// There are these objects and no pages of none.
  static void follow(PageValues& values, std::vector<PageValues::Extent> objects) {
    objects.insert(objects.begin(), PageValues::Extent{});
    values.follow(objects);
  }
  static std::size_t seen_in(const PageValues& values, std::uintptr_t object, std::uint64_t pages) {
    std::size_t count = 0;
    values.visit_seen(object, page_at(object, pages), [&](std::uintptr_t, double) { ++count; });
    return count;
  }
  static double rate(const PageValues& values, std::uintptr_t page) {
    double rate = values.rate_of_unseen(page);
    values.visit_seen(page, page + 1, [&](std::uintptr_t, double of_seen) { rate = of_seen; });
    return rate;
  }
  static double mean_rate(const PageValues& values, std::uintptr_t object, std::uint64_t pages) {
    double sum = 0;
    for (std::uint64_t i = 0; i < pages; ++i) sum += rate(values, page_at(object, i));
    return sum / static_cast<double>(pages);
  }
  /// Every page of the object gets a sample of this worth in each of so many looks.
  static void sample_all(PageValues& values, std::uintptr_t object, std::uint64_t pages, double worth, int looks) {
    for (int look = 0; look < looks; ++look) {
      for (std::uint64_t i = 0; i < pages; ++i) values.add(page_at(object, i), worth, 0);
      values.look(quarter, horizon, 0);
    }
  }

  PageValues values_;
};

}  // namespace lbhm::placement
