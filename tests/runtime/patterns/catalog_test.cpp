// Does the catalog take what the plugin writes, and nothing else?
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lbhm/compiled_patterns.h"
#include "runtime/patterns/patterns.h"
#include "tests/runtime/patterns/texts.h"

namespace lbhm {
namespace {

constexpr std::uint64_t id = 0xabc;
constexpr std::uint64_t base(std::uint64_t number) { return id << LBHM_BASE_BITS | number; }

std::string file_of(const std::string& module) { return R"({"schema":"lbhm.patterns/1","modules":[)" + module + "]}"; }

std::string with_kind(std::string nest, const std::string& kind) {
  nest.replace(nest.find("stream"), 6, kind);
  return nest;
}

TEST(PatternCatalog, KnowsTheBasesOfAModule) {
  PatternCatalog catalog;
  ASSERT_TRUE(catalog.add(module_text("abc", spmv_nest)).ok());
  const PatternBase* a = catalog.find(base(0));
  ASSERT_NE(a, nullptr);
  EXPECT_EQ(a->name, "A");
  ASSERT_EQ(a->accesses.size(), 2U);
  EXPECT_EQ(a->accesses[0].kind, PatternKind::stream);
  EXPECT_EQ(a->accesses[0].stride, 8);
  EXPECT_FALSE(a->accesses[0].write);
  EXPECT_TRUE(a->accesses[1].write);
  EXPECT_EQ(catalog.find(base(2)), nullptr);
  EXPECT_EQ(catalog.find((id + 1) << LBHM_BASE_BITS), nullptr) << "a module that nobody added";
}

TEST(PatternCatalog, PutsTheFileInTheProgramsPlace) {
  for (const bool file_first : {true, false}) {
    PatternCatalog catalog;
    const std::string file = file_of(module_text("abc", with_kind(spmv_nest, "gather")));
    if (file_first) ASSERT_TRUE(catalog.add_file(file, "mine.json").ok());
    EXPECT_EQ(catalog.find(base(0)), nullptr) << "not a module of this program yet";
    ASSERT_TRUE(catalog.add(module_text("abc", spmv_nest)).ok());
    if (!file_first) ASSERT_TRUE(catalog.add_file(file, "mine.json").ok());
    EXPECT_EQ(catalog.find(base(0))->accesses[0].kind, PatternKind::gather);
    EXPECT_TRUE(catalog.stale().empty());
  }
}

TEST(PatternCatalog, NamesWhatAFileSaysOfAnotherBuild) {
  PatternCatalog catalog;
  ASSERT_TRUE(catalog.add_file(file_of(module_text("def", spmv_nest)), "mine.json").ok());
  ASSERT_TRUE(catalog.add(module_text("abc", spmv_nest)).ok());
  EXPECT_EQ(catalog.find(base(0))->accesses[0].kind, PatternKind::stream) << "the program's own patterns hold";
  ASSERT_EQ(catalog.stale().size(), 1U);
  EXPECT_THAT(catalog.stale()[0], testing::AllOf(testing::HasSubstr("mine.json"), testing::HasSubstr("app.c")));
}

struct Bad {
  std::string text, complaint;
};

class BadTexts : public testing::TestWithParam<Bad> {};

TEST_P(BadTexts, AreRefusedWithAReason) {
  PatternCatalog catalog;
  const Status status = catalog.add(GetParam().text);
  EXPECT_EQ(status.code(), StatusCode::malformed);
  EXPECT_THAT(status.message(), testing::HasSubstr(GetParam().complaint));
  EXPECT_EQ(catalog.find(base(0)), nullptr) << "nothing is taken from it";
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  return text.replace(text.find(what), what.size(), by);
}

const std::string good = module_text("abc", spmv_nest);
INSTANTIATE_TEST_SUITE_P(Texts, BadTexts,
                         testing::Values(Bad{"", "JSON"}, Bad{"{", "JSON"}, Bad{"[]", "schema"},
                                         Bad{replaced(good, "module/1", "module/7"), "build the program again"},
                                         Bad{replaced(good, "\"abc\"", "\"xyz\""), "hexadecimal"},
                                         Bad{replaced(good, "\"abc\"", "\"abcdefabcdef1\""), "44 bits"},
                                         Bad{replaced(good, "\"abc\"", "7"), "no text"},
                                         Bad{replaced(good, "\"stream\"", "\"streams\""), "streams"},
                                         Bad{replaced(good, "\"stride\":8", "\"stride\":\"8\""), "stride"},
                                         Bad{replaced(good, "\"element\":8", "\"element\":-8"), "out of range"},
                                         Bad{replaced(good, "\"number\":0", "\"number\":1048576"), "out of range"},
                                         Bad{replaced(good, "\"base\":0", "\"base\":9"), "does not list"},
                                         Bad{replaced(good, "\"frequency\":10", "\"frequency\":null"), "frequency"},
                                         Bad{replaced(good, "\"write\":false", "\"write\":0"),
                                             "neither true nor false"},
                                         Bad{replaced(good, "\"accesses\":[", "\"accesses\":7,\"x\":["), "no list"},
                                         Bad{replaced(good, "\"kind\":\"stream\"", "\"kind\":\"stencil\""), "points"}));

}  // namespace
}  // namespace lbhm
