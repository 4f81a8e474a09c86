// Are distances taken apart into the steps they are made of, and in few tries however many steps there are?
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compiler/patterns/neighbours.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace lbhm::test {
namespace {

using compiler::Distances, compiler::Step;
using llvm::SCEV;
using testing::ElementsAre, testing::Optional;

/// A function whose arguments are the numbers that only the run knows.
class StepsOfRunTimeLength : public testing::Test {
 protected:
  const SCEV* argument(unsigned number) { return evolution.getUnknown(function.getArg(number)); }
  const SCEV* constant(std::int64_t value) {
    return evolution.getConstant(llvm::Type::getInt64Ty(context), static_cast<std::uint64_t>(value), true);
  }
  const SCEV* times(std::int64_t factor, const SCEV* of) { return evolution.getMulExpr(constant(factor), of); }
  const SCEV* plus(const SCEV* one, const SCEV* other) { return evolution.getAddExpr(one, other); }

  const SCEV* n = nullptr;
  const SCEV* m = nullptr;
  llvm::LLVMContext context;
  llvm::Module module{"distances", context};
  llvm::Function& function = make_function();
  llvm::TargetLibraryInfoImpl names;
  llvm::TargetLibraryInfo library{names};
  llvm::AssumptionCache assumptions{function};
  llvm::DominatorTree dominators{function};
  llvm::LoopInfo loops{dominators};
  llvm::ScalarEvolution evolution{function, library, assumptions, dominators, loops};
  Distances distances{evolution};

  void SetUp() override {
    n = argument(0);
    m = argument(1);
  }
  std::size_t tries() const { return Distances::most_tries - distances.tries_left(); }

 private:
  llvm::Function& make_function() {
    std::vector<llvm::Type*> numbers(64, llvm::Type::getInt64Ty(context));
    auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), numbers, false);
    auto* made = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, "f", module);
    llvm::IRBuilder<>(llvm::BasicBlock::Create(context, "", made)).CreateRetVoid();
    return *made;
  }
};

TEST_F(StepsOfRunTimeLength, are_counted_together_with_constant_ones) {
  const std::vector<Step> steps{{nullptr, constant(8)}, {nullptr, times(8, n)}, {nullptr, times(8, m)}};
  const SCEV* distance = plus(plus(times(-24, n), times(16, m)), constant(-8));
  EXPECT_THAT(distances.in_steps(distance, steps), Optional(ElementsAre(-1, -3, 2)));
  EXPECT_EQ(distances.in_steps(plus(distance, constant(4)), steps), std::nullopt);
  EXPECT_EQ(distances.in_steps(times(4, n), steps), std::nullopt);
  EXPECT_EQ(distances.in_steps(argument(2), steps), std::nullopt);
}

TEST_F(StepsOfRunTimeLength, are_seen_in_products_of_sums) {
  const SCEV* row = plus(n, constant(2));
  const std::vector<Step> steps{
      {nullptr, constant(8)}, {nullptr, times(8, row)}, {nullptr, times(8, evolution.getMulExpr(row, m))}};
  const SCEV* distance = times(8, evolution.getMulExpr(row, plus(m, constant(-1))));
  EXPECT_THAT(distances.in_steps(distance, steps), Optional(ElementsAre(0, -1, 1)));
}

TEST_F(StepsOfRunTimeLength, are_told_apart_where_each_term_is_in_several) {
  const std::vector<Step> steps{{nullptr, plus(n, m)}, {nullptr, n}, {nullptr, m}};
  EXPECT_THAT(distances.in_steps(plus(times(2, n), m), steps), Optional(ElementsAre(0, 2, 1)));
  EXPECT_THAT(distances.in_steps(plus(times(6, n), times(5, m)), steps), Optional(ElementsAre(2, 4, 3)));
}

TEST_F(StepsOfRunTimeLength, are_few_tries_for_neighbours_that_lie_where_tables_say) {
  std::vector<Step> steps{{nullptr, constant(8)}, {nullptr, times(8, n)}};
  auto by_table = [&](unsigned entry) {  // 8 * n * (y[entry] * m + x[entry])
    const SCEV* rows = plus(evolution.getMulExpr(argument(2 + 2 * entry), m), argument(3 + 2 * entry));
    return times(8, evolution.getMulExpr(n, rows));
  };
  for (unsigned entry = 0; entry < 6; ++entry) steps.push_back({nullptr, by_table(entry)});
  std::size_t asked = 0, found = 0;
  for (unsigned entry = 0; entry < 27; ++entry) {
    for (std::int64_t element : {-8, 0, 8, 16}) {
      ++asked;
      found += distances.in_steps(plus(by_table(entry), constant(element)), steps).has_value() ? 1 : 0;
    }
  }
  EXPECT_EQ(found, 6U * 4U);
  EXPECT_LE(tries(), asked * steps.size());
}

TEST_F(StepsOfRunTimeLength, are_given_up_when_all_tries_have_been_taken) {
  std::vector<Step> steps;  // each the half of the next: of no term can be said to which one it belongs
  for (std::int64_t size = 1; size <= 1024; size *= 2) steps.push_back({nullptr, times(size, n)});
  EXPECT_EQ(distances.in_steps(plus(n, m), steps), std::nullopt);
  EXPECT_EQ(distances.tries_left(), 0U);
}

}  // namespace
}  // namespace lbhm::test
