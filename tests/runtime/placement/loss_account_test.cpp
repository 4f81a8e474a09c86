// What may be lost against first touch?
#include "runtime/placement/value/loss_account.h"

#include <gtest/gtest.h>

namespace lbhm::placement {
namespace {

TEST(LossAccountTest, HoldsTheCreditAPartOfTheTimeAndGainsLessWhatIsPaid) {
  LossAccount account;
  account.begin(100);
  account.pass(Nanoseconds(1000));
  account.pay(30);
  EXPECT_DOUBLE_EQ(account.holds(), 100 + 20 - 30);
  account.realise(5), account.realise(-15);
  EXPECT_DOUBLE_EQ(account.holds(), 80);
}

}  // namespace
}  // namespace lbhm::placement
