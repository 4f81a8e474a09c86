// Do names of code lead to symbols in a program that is always loaded at one address, too? This one is linked so.
#include <gtest/gtest.h>
#include <link.h>

#include <cstdio>

#include "runtime/phases/region_index.h"

namespace lbhm {
namespace {

void code() {}

TEST(CodeName, IsTheAddressThatSymbolsHave) {
  ASSERT_EQ(_r_debug.r_map->l_addr, 0u) << "this program is loaded anywhere";
  char hex[24];
  std::snprintf(hex, sizeof hex, "+%p", reinterpret_cast<void*>(&code));
  EXPECT_EQ(code_name(reinterpret_cast<const void*>(&code)), std::string("no_pie_test") + hex);
}

}  // namespace
}  // namespace lbhm
