// Is where an object comes from told apart, and the same every time? (From real programs: tests/system/sites_test.py.)
#include <gtest/gtest.h>

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

TEST(Sites, TheHeapIsNoVariable) {
  const auto block = std::make_unique<int>();
  EXPECT_EQ(site_of_variable(block.get()), SiteId());
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
