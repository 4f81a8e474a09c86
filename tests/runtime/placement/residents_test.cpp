// Where pages are, where first touch alone would have them, and which of them are new.
#include "runtime/placement/value/residents.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tests/runtime/placement/fake_context.h"

namespace lbhm::placement {
namespace {

/// Four pages fit into fast memory.
class ResidentsTest : public testing::Test {
 protected:
  static constexpr Bytes page_bytes{4096};
  static constexpr std::uintptr_t one = 0x100000, two = 0x8000000, stack = 0x70000000;
  static constexpr TierId fast_tier{0}, slow_tier{1};
  static constexpr std::uint64_t capacity = 4;
  static constexpr SiteId site_a{1}, site_b{2};

  static std::uintptr_t page_at(std::uintptr_t object, std::uint64_t number) {
    return object + number * page_bytes.value;
  }
  /// An object whose pages nobody touched.
  void add(std::uintptr_t object, std::uint64_t pages, SiteId site = {}) {
    machine_.map(object, pages);
    context_.add(object, pages, site);
  }
  void follow(std::uint64_t long_ago = 0) { residents_.follow(context_, capacity, ++look_, long_ago); }
  void move(std::uintptr_t page, TierId to) {
    PageStatus status;
    machine_.move({&page, 1}, to, {&status, 1});
    ASSERT_EQ(status, PageStatus::moved);
  }
  /// Of the object's pages, in order: h has its home in fast memory, H is at home there, s and S the same of slow
  /// memory.
  std::string homes(std::uintptr_t object, std::uint64_t pages) const {
    std::string all;
    for (std::uint64_t i = 0; i < pages; ++i) {
      const Residents::Page* page = residents_.find(page_at(object, i));
      all += !page ? '-' : page->home ? (page->away() ? 'h' : 'H') : (page->away() ? 's' : 'S');
    }
    return all;
  }

  fake::FakeMachine machine_{{capacity, 100}};
  FakeContext context_{machine_};
  Residents residents_;
  std::uint64_t look_ = 0;
};

TEST_F(ResidentsTest, HomeIsFastForTheFirstPagesThatAreBorn) {
  add(one, 6);
  machine_.touch(page_at(one, 3), 3);
  follow();
  machine_.touch(one, 3);
  follow();
  EXPECT_EQ(homes(one, 6), "HSSHHH");
  EXPECT_EQ(residents_.count(), 6u);
  EXPECT_EQ(residents_.away(), 0u);
}

TEST_F(ResidentsTest, APageThatIsGoneLeavesItsHomeToTheNextOneThatIsBorn) {
  add(one, 5);
  add(two, 2);
  machine_.touch(one, 5);
  follow();
  ASSERT_EQ(homes(one, 5), "HHHHS");
  machine_.unmap(page_at(one, 1), 1);
  machine_.touch(two, 2);
  follow();
  EXPECT_EQ(homes(one, 5), "H-HHS") << "who is there already stays where it is";
  EXPECT_EQ(homes(two, 2), "HS");
}

TEST_F(ResidentsTest, AnObjectThatIsGoneLeavesItsHomesToo) {
  add(one, 4);
  machine_.touch(one, 4);
  follow();
  machine_.unmap(one, 4);
  context_.remove_all();
  add(two, 5);
  machine_.touch(two, 5);
  follow();
  EXPECT_EQ(homes(one, 4), "----");
  EXPECT_EQ(homes(two, 5), "HHHHS");
}

TEST_F(ResidentsTest, APageThatMovesIsAwayAndKeepsItsHome) {
  add(one, 6);
  machine_.touch(one, 6);
  follow();
  move(one, slow_tier);
  move(page_at(one, 5), fast_tier);
  follow();
  EXPECT_EQ(homes(one, 6), "hHHHSs");
  EXPECT_EQ(residents_.away(), 2u);
  move(page_at(one, 5), slow_tier);
  move(one, fast_tier);
  follow();
  EXPECT_EQ(homes(one, 6), "HHHHSS");
  EXPECT_EQ(residents_.away(), 0u);
}

TEST_F(ResidentsTest, APageThatIsBornInRoomThatWasMadeIsAway) {
  add(one, 6);
  machine_.touch(one, 5);
  follow();
  move(one, slow_tier);
  machine_.touch(page_at(one, 5), 1);
  follow();
  EXPECT_EQ(homes(one, 6), "hHHHSs") << "first touch alone would not have had room for it";
}

TEST_F(ResidentsTest, BirthsAreThePagesThatAppearedSinceTheLastLookBySite) {
  add(one, 6, site_a);
  add(two, 6, site_b);
  machine_.touch(one, 4);
  machine_.touch(two, 1);
  follow();
  EXPECT_EQ(residents_.births(), (std::map<SiteId, std::uint64_t>{{site_a, 4}, {site_b, 1}}));
  machine_.touch(page_at(two, 2), 3);
  follow();
  EXPECT_EQ(residents_.births(), (std::map<SiteId, std::uint64_t>{{site_b, 3}}));
}

TEST_F(ResidentsTest, UntouchedPagesAreInNoTier) {
  add(one, 4);
  machine_.touch(page_at(one, 1), 2);
  follow();
  EXPECT_EQ(residents_.find(one), nullptr);
  EXPECT_EQ(residents_.find(page_at(one, 3)), nullptr);
  EXPECT_EQ(residents_.find(two), nullptr) << "no object is there";
  ASSERT_NE(residents_.find(page_at(one, 2)), nullptr);
  EXPECT_EQ(residents_.find(page_at(one, 2))->tier, fast_tier);
  EXPECT_EQ(residents_.count(), 2u);
  EXPECT_EQ(residents_.extents().back().pages, 2u);
}

TEST_F(ResidentsTest, UnmanagedPagesAreThoseOfNoObject) {
  machine_.put_unmanaged(stack, 2, fast_tier);
  add(one, 3, site_a);
  machine_.touch(one, 3);
  follow();
  ASSERT_EQ(residents_.extents().size(), 2u);
  EXPECT_EQ(residents_.extents()[0].address, 0u);
  EXPECT_EQ(residents_.extents()[0].pages, 2u);
  EXPECT_EQ(residents_.extents()[1].address, one);
  EXPECT_EQ(residents_.extents()[1].pages, 3u);
  EXPECT_EQ(residents_.extents()[1].site, site_a);
  const std::uintptr_t key = residents_.key_of(stack);
  ASSERT_NE(residents_.find(key), nullptr);
  EXPECT_EQ(residents_.address_of(key), stack);
  EXPECT_EQ(residents_.key_of(one), one) << "of an object";
  EXPECT_EQ(residents_.address_of(one), one);
  EXPECT_EQ(residents_.count(), 5u);
  EXPECT_EQ(residents_.births(), (std::map<SiteId, std::uint64_t>{{site_a, 3}})) << "they have no site";
}

TEST_F(ResidentsTest, WhereAPageOfNoObjectWasAnObjectMayLie) {
  machine_.put_unmanaged(stack, 2, fast_tier);
  follow();
  const std::uintptr_t key = residents_.key_of(stack);
  EXPECT_NE(key, stack);
  machine_.forget_unmanaged();
  add(stack, 2, site_a);
  machine_.touch(stack, 2);
  follow();
  EXPECT_EQ(residents_.key_of(stack), stack);
  EXPECT_NE(residents_.find(stack), nullptr);
  EXPECT_EQ(residents_.find(key), nullptr);
}

/// What the other context says, of objects that end within their last page.
class OddSizes final : public PolicyContext {
 public:
  explicit OddSizes(FakeContext& whole) : whole_(whole) {}
  Machine& machine() override { return whole_.machine(); }
  std::vector<PlacedObject> objects() override {
    std::vector<PlacedObject> all = whole_.objects();
    for (PlacedObject& object : all) object.bytes -= Bytes(100);
    return all;
  }
  PagePlacement placement() override { return whole_.placement(); }
  void found(std::span<const std::uintptr_t> pages) override { whole_.found(pages); }
  MoveReport migrate(const MigrationPlan& plan) override { return whole_.migrate(plan); }

 private:
  FakeContext& whole_;
};

TEST_F(ResidentsTest, AnObjectHasTheWholeOfItsLastPage) {
  add(one, 3);
  machine_.touch(one, 3);
  OddSizes odd(context_);
  residents_.follow(odd, capacity, 1, 0);
  EXPECT_EQ(residents_.extents().back().bytes, page_bytes * 3);
  EXPECT_EQ(residents_.extents().back().pages, 3u);
  EXPECT_EQ(residents_.extents().front().pages, 0u) << "none of its pages is one of no object";
}

TEST_F(ResidentsTest, TellsBeforeWhichLookAPageAppearedUntilThatIsLongAgo) {
  add(one, 3);
  machine_.touch(one, 1);
  follow();
  machine_.touch(page_at(one, 1), 1);
  follow();
  EXPECT_EQ(residents_.find(one)->since, 1u);
  EXPECT_EQ(residents_.find(page_at(one, 1))->since, 2u);
  follow(1);
  EXPECT_EQ(residents_.find(one)->since, 0u);
  EXPECT_EQ(residents_.find(page_at(one, 1))->since, 2u);
  move(page_at(one, 1), slow_tier);
  follow(1);
  EXPECT_EQ(residents_.find(page_at(one, 1))->since, 2u) << "who moves is not new";
  follow(2);
  EXPECT_EQ(residents_.find(page_at(one, 1))->since, 0u);
}

TEST_F(ResidentsTest, PagesThatAreAlikeBecomeOneRange) {
  add(one, 4);
  for (std::uint64_t i = 0; i < 4; ++i) {
    machine_.touch(page_at(one, i), 1);
    follow();
  }
  EXPECT_EQ(residents_.pages().size(), 4u) << "they differ in when they appeared";
  follow(look_);
  EXPECT_EQ(residents_.pages().size(), 1u);
}

}  // namespace
}  // namespace lbhm::placement
