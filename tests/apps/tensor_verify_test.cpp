#include "apps/tensor/contraction_phases.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <utility>

#include "tests/apps/tensor_example.h"

namespace tensor {
namespace {

class TensorVerification : public ::testing::Test {
 protected:
  double difference(std::uint64_t seed = 1) const {
    return largest_difference(example.x, example.y, example.contraction, example.tasks, seed);
  }

  Entries x = random_entries({10, 12, 8}, 400, 3);
  Entries y = random_entries({8, 9, 11}, 400, 4);
  Example example{x, y, {{2}, {0}}, 4};
};

TEST_F(TensorVerification, AcceptsARightContraction) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) EXPECT_LE(difference(seed), verification_tolerance);
  EXPECT_TRUE(is_sorted(example.tasks));
}

TEST_F(TensorVerification, AcceptsRoundingOfRealValues) {
  for (double& value : x.values) value = std::sin(value + 0.1);
  for (double& value : y.values) value = std::exp(value);
  const Example real(x, y, {{2}, {0}}, 3);
  EXPECT_LE(largest_difference(real.x, real.y, real.contraction, real.tasks, 1), verification_tolerance);
}

TEST_F(TensorVerification, RefusesASingleWrongValue) {
  example.tasks[2].z.data()[1].value += 1;
  EXPECT_GT(difference(), verification_tolerance);
}

TEST_F(TensorVerification, RefusesAValueAtTheWrongPlace) {
  Element* const z = example.tasks[1].z.data();
  std::size_t i = 0;
  while (z[i].value == z[i + 1].value || z[i].major != z[i + 1].major) ++i;
  std::swap(z[i].value, z[i + 1].value);
  EXPECT_GT(difference(), verification_tolerance);
}

TEST_F(TensorVerification, RefusesNotANumber) {
  example.tasks[0].z.data()[0].value = std::numeric_limits<double>::quiet_NaN();
  EXPECT_GT(difference(), verification_tolerance);
}

TEST_F(TensorVerification, RefusesAMissingPart) {
  example.tasks[3].z_nonzeros = 0;
  EXPECT_GT(difference(), verification_tolerance);
}

TEST_F(TensorVerification, RefusesASubtensorThatShouldNotBeThere) {
  example.tasks[3].z.data()[example.tasks[3].z_nonzeros - 1].major += 1000;
  EXPECT_GT(difference(), verification_tolerance);
}

TEST_F(TensorVerification, SeesWhatIsNotSorted) {
  std::swap(example.tasks[1].z.data()[0], example.tasks[1].z.data()[1]);
  EXPECT_FALSE(is_sorted(example.tasks));
  EXPECT_LE(difference(), verification_tolerance) << "the values are right all the same";
}

TEST_F(TensorVerification, ChecksumIsTheSameForAnyNumberOfTasks) {
  const std::uint64_t expected = checksum(example.tasks);
  for (const std::size_t threads : {1, 2, 7, 30}) {
    EXPECT_EQ(checksum(Example(x, y, {{2}, {0}}, threads).tasks), expected) << threads;
  }
}

TEST_F(TensorVerification, ChecksumSeesTheLastBitOfAValueAndThePlace) {
  const std::uint64_t expected = checksum(example.tasks);
  Element& entry = example.tasks[3].z.data()[0];
  const double value = entry.value;
  entry.value = std::nextafter(value, 1e300);
  EXPECT_NE(checksum(example.tasks), expected);
  entry.value = value;
  std::swap(entry.major, entry.minor);
  EXPECT_NE(checksum(example.tasks), expected);
}

}  // namespace
}  // namespace tensor
