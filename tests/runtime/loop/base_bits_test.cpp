// Accesses of a base instance by the scans of the policy: what is learnt of them, and what is said where there are
// none.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/runtime/loop/fake_loop.h"

namespace lbhm {
namespace {

using testing::Contains;
using testing::HasSubstr;

constexpr std::uint64_t object_pages = 16;
const char call = 0;

class BaseBits : public testing::Test, protected FakeLoop {
 protected:
  explicit BaseBits(std::string_view policy = "merchandiser") : FakeLoop({16, 1000}, true, false, true, policy) {}

  void begin() { loop.begin(&call, std::vector{listed(object)}); }
  /// A scan found the page this many times.
  void find(std::uint64_t number, int times) {
    const std::uintptr_t address = object + number * page.value;
    for (int i = 0; i < times; ++i) found.add({&address, 1});
  }
  /// Accesses by page, as the phase's only region is known.
  std::vector<double> learnt(const Phase& phase) {
    std::vector<double> counts(object_pages);
    for (const auto& [number, region] : knowledge.of(phase))
      for (const PageCount& each : region.profile.tasks[0].pages) counts[each.page.value] += each.count.value;
    return counts;
  }
  /// Each page is sampled once; the first two are found by 3 scans and by 1.
  std::vector<double> profile() {
    const auto* phase = static_cast<const Phase*>(loop.begin(&call, std::vector{listed(object)}));
    find(5, 1);  // looks back beyond the begin
    find(0, 3);
    find(1, 1);
    run_region(object, 1, Nanoseconds(1e6));
    loop.close();
    return learnt(*phase);
  }

  const std::uintptr_t object = make_object("object", object_pages);
};

TEST_F(BaseBits, AreWhatTheProfileCounts) {
  machine.fake_observer();
  const std::vector<double> counts = profile();
  EXPECT_DOUBLE_EQ(counts[0], 12);
  EXPECT_DOUBLE_EQ(counts[1], 4);
  EXPECT_DOUBLE_EQ(counts[5], 0);
  EXPECT_THAT(loop.remarks(), Not(Contains(HasSubstr("LBHM_BASE_PROFILE"))));
}

TEST_F(BaseBits, ARegionThatNoScanFellIntoKeepsItsSamplesAndARemarkSaysSo) {
  machine.fake_observer();
  begin();
  run_region(object, 1, Nanoseconds(1e6));
  loop.close();
  EXPECT_THAT(loop.remarks(), Contains(HasSubstr("scans found no page in 1 of 1 base instances")));
}

TEST_F(BaseBits, LaterInstancesAreCountedBySamples) {
  machine.fake_observer();
  const std::vector<double> base = profile();
  const auto* phase = static_cast<const Phase*>(loop.begin(&call, std::vector{listed(object)}));
  find(2, 9);
  run_region(object, 1, Nanoseconds(1e6));
  loop.close();
  EXPECT_EQ(learnt(*phase), base);
}

TEST_F(BaseBits, WherePagesCannotBeWatchedSamplesCountAndOneRemarkSaysSo) {
  const std::vector<double> counts = profile();
  EXPECT_EQ(counts, std::vector<double>(object_pages, 1));
  begin();
  EXPECT_THAT(loop.remarks(),
              Contains(HasSubstr("policy merchandiser scans no accessed bits on machine fake")).Times(1));
}

class BaseBitsWithoutScans : public BaseBits {
 protected:
  BaseBitsWithoutScans() : BaseBits("merchandiser-once") {}
};

TEST_F(BaseBitsWithoutScans, APolicyThatScansNothingSaysSo) {
  machine.fake_observer();
  EXPECT_EQ(profile(), std::vector<double>(object_pages, 1));
  EXPECT_THAT(loop.remarks(), Contains(HasSubstr("policy merchandiser-once scans no accessed bits")));
}

}  // namespace
}  // namespace lbhm
