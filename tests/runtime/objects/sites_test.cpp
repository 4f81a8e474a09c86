// Is where an object comes from told apart, and the same every time? (From real programs: tests/system/sites_test.py.)
#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

#include "runtime/objects/known_sites.h"
#include "runtime/objects/objects.h"

namespace lbhm {
namespace {

int first_variable = 1, second_variable = 2;

TEST(Sites, NamesAndVariablesAreSites) {
  EXPECT_EQ(site_of_name("A"), site_of_name("A"));
  EXPECT_NE(site_of_name("A"), site_of_name("B"));
  EXPECT_EQ(site_of_variable(&first_variable), site_of_variable(&first_variable));
  EXPECT_NE(site_of_variable(&first_variable), site_of_variable(&second_variable));
}

TEST(Sites, AnIdStaysWhatItIsInFilesOfEarlierVersions) { EXPECT_EQ(site_of_name("a"), SiteId{0xfbafe0e8e6b04469}); }

TEST(Sites, TheHeapIsNoVariable) {
  const auto block = std::make_unique<int>();
  EXPECT_EQ(site_of_variable(block.get()), SiteId());
}

TEST(Sites, TheyAreRememberedInWords) {
  const SiteId name = site_of_name("words"), variable = site_of_variable(&first_variable);
  const auto known = known_sites();
  const auto of = [&](SiteId id) { return std::ranges::find(known, id, &KnownSite::id); };
  ASSERT_NE(of(name), known.end());
  EXPECT_EQ(of(name)->name, "words");
  ASSERT_NE(of(variable), known.end());
  EXPECT_TRUE(of(variable)->variable);
  EXPECT_EQ(of(variable)->name.find("test_objects+0x"), 0u) << of(variable)->name;
  EXPECT_TRUE(std::ranges::is_sorted(known, {}, &KnownSite::id));
}

TEST(Sites, NoMoreThanThereIsRoomForAreRemembered) {
  const auto remember_all = [](std::uint64_t begin) {
    for (std::uint64_t id = begin; id < begin + most_known_sites; ++id)
      remember({.id = {id * 8192}, .name = std::to_string(id)});  // all in the same place of the table
  };
  std::thread first(remember_all, 1), second(remember_all, most_known_sites / 2);
  first.join();
  second.join();
  const auto known = known_sites();
  EXPECT_EQ(known.size(), most_known_sites);
  EXPECT_EQ(std::ranges::adjacent_find(known, {}, &KnownSite::id), known.end()) << "two threads, one entry";
  EXPECT_FALSE(is_news(SiteId{1})) << "there is no room: words of it would be made for nothing";
}

TEST(Sites, ObjectsOfOneSiteAreCounted) {
  ObjectRegistry registry;
  Object object;
  object.bytes = Bytes(10);
  object.site = site_of_name("A");
  for (std::uint64_t nth = 0; nth < 3; ++nth) {
    object.address = 100 * (nth + 1);
    EXPECT_EQ(registry.add(object)->nth, nth);
  }
  registry.remove(100);
  object.address = 1000;
  EXPECT_EQ(registry.add(object)->nth, 3u) << "numbers of objects that are gone are not given again";
  object.address = 2000;
  object.site = site_of_name("B");
  EXPECT_EQ(registry.add(object)->nth, 0u);
}

}  // namespace
}  // namespace lbhm
