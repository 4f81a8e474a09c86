// Are calls of LB_HM_config that the compiler copied one scope, and others not?
#include "runtime/engine/scope.h"

#include <gtest/gtest.h>

#include "runtime/engine/region_log.h"

namespace lbhm::engine {
namespace {

const void* inside(const void* function, std::size_t offset) { return static_cast<const char*>(function) + offset; }

/// A function of this program whose code is long enough to hold several call sites.
const void* const one_function = reinterpret_cast<const void*>(&code_name);

struct Call {
  std::vector<SlotRange> objects;
  std::vector<ObjectRecord> records;
};

Call call_with(std::vector<std::pair<std::uintptr_t, std::string>> list) {
  Call call;
  for (const auto& [address, name] : list) {
    call.objects.push_back({.slot = {}, .address = address, .bytes = Bytes(4096)});
    call.records.push_back({.name = name, .bytes = Bytes(4096)});
  }
  return call;
}

TEST(ScopeTable, OneSiteIsOneScopeWhateverItsObjects) {
  ScopeTable table;
  const void* site = &table;
  const Call first = call_with({{0x1000, ""}}), second = call_with({{0x9000, ""}});
  EXPECT_EQ(&table.at(site, first.objects, first.records), &table.at(site, second.objects, second.records));
}

TEST(ScopeTable, CopiesOfACallInOneFunctionAreOneScope) {
  ScopeTable table;
  const Call call = call_with({{0x1000, ""}, {0x2000, ""}});
  EXPECT_EQ(&table.at(one_function, call.objects, call.records),
            &table.at(inside(one_function, 1), call.objects, call.records));
}

TEST(ScopeTable, NamesCountMoreThanAddresses) {
  ScopeTable table;
  const Call first = call_with({{0x1000, "A"}}), moved = call_with({{0x5000, "A"}}), other = call_with({{0x1000, "B"}});
  Scope& scope = table.at(one_function, first.objects, first.records);
  EXPECT_EQ(&scope, &table.at(inside(one_function, 1), moved.objects, moved.records));
  EXPECT_NE(&scope, &table.at(inside(one_function, 2), other.objects, other.records));
}

TEST(ScopeTable, OtherObjectsAreAnotherScope) {
  ScopeTable table;
  const Call first = call_with({{0x1000, ""}}), second = call_with({{0x1000, ""}, {0x2000, ""}});
  EXPECT_NE(&table.at(one_function, first.objects, first.records),
            &table.at(inside(one_function, 1), second.objects, second.records));
}

void execute(PartRun& part, std::uint32_t times) {
  for (std::uint32_t i = 0; i < times; ++i) {
    ++part.executions;
    const std::size_t first = part.samples.size();
    part.samples.resize(first + 3);
    part.add_sampled(Nanoseconds(100), first);
  }
}

TEST(PartRun, KeepsTheSamplesOfItsFirstExecutions) {
  PartRun part;
  execute(part, PartRun::sampled_executions);
  EXPECT_EQ(part.samples.size(), 3 * PartRun::sampled_executions);
  EXPECT_EQ(part.accesses_a_sample(AccessCount(127)), AccessCount(127));
}

TEST(PartRun, OneThatIsPlannedOnceAndRunsForEverKeepsItsSize) {
  PartRun part;
  execute(part, 4 * PartRun::sampled_executions);
  EXPECT_EQ(part.samples.size(), 3 * PartRun::sampled_executions);
  EXPECT_EQ(part.accesses_a_sample(AccessCount(127)), AccessCount(4 * 127));
  EXPECT_EQ(part.time, Nanoseconds(400) * PartRun::sampled_executions);
}

}  // namespace
}  // namespace lbhm::engine
