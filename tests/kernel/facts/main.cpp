// Runs the facts that --gtest_filter names; none at all is a failure.
#include <gtest/gtest.h>

#include <cstdio>

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const int status = RUN_ALL_TESTS();
  if (testing::UnitTest::GetInstance()->test_to_run_count() == 0) {
    std::puts("--gtest_filter matches no test");
    return 1;
  }
  return status;
}
