#include "apps/common/mini_app.h"
#include "apps/spgemm/spgemm.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include "apps/spgemm/matrices.h"

namespace spgemm {
namespace {

class Verification : public ::testing::Test {
 protected:
  static std::vector<Task> product(const Triples& entries, std::size_t count) {
    const Csr a = compress(entries);
    const ManagedCsr b = transpose("B", a.view());
    std::vector<Task> tasks = make_tasks(a.view(), b.view(), count);
    multiply(tasks, b.view());
    return tasks;
  }

  Triples a = make_kronecker(8, 3);
  std::vector<Task> tasks = product(a, 4);
};

TEST_F(Verification, AcceptsARightProduct) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    EXPECT_LE(largest_difference(a, tasks, seed), verification_tolerance);
  }
}

TEST_F(Verification, AcceptsRoundingOfRealValues) {
  std::mt19937_64 random(5);
  for (Triple& entry : a.entries) entry.value = static_cast<double>(random() >> 11) * 0x1p-40;
  EXPECT_LE(largest_difference(a, product(a, 3), 1), verification_tolerance);
}

TEST_F(Verification, RefusesASingleWrongValue) {
  tasks[2].c.values.data()[1] += 1;
  EXPECT_GT(largest_difference(a, tasks, 1), verification_tolerance);
}

TEST_F(Verification, RefusesAValueInTheWrongColumn) {
  // Two neighbours with different values change places.
  double* const values = tasks[1].c.values.data();
  std::size_t i = tasks[1].c.view().begin(0);
  while (values[i] == values[i + 1]) ++i;
  std::swap(values[i], values[i + 1]);
  EXPECT_GT(largest_difference(a, tasks, 1), verification_tolerance);
}

TEST_F(Verification, RefusesNotANumber) {
  tasks[0].c.values.data()[0] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_GT(largest_difference(a, tasks, 1), verification_tolerance);
}

TEST_F(Verification, RefusesMissingRows) {
  tasks.pop_back();
  EXPECT_GT(largest_difference(a, tasks, 1), verification_tolerance);
}

TEST_F(Verification, ChecksumIsTheSameForAnyNumberOfTasks) {
  const std::uint64_t expected = checksum(tasks);
  for (const std::size_t count : {1, 2, 7, 30}) EXPECT_EQ(checksum(product(a, count)), expected) << count;
}

TEST_F(Verification, ChecksumDoesNotDependOnTheOrderWithinARow) {
  const std::uint64_t expected = checksum(tasks);
  Task& task = tasks[0];
  Index row = 0;
  while (task.c.view().length(row) < 2) ++row;
  const std::size_t i = task.c.view().begin(row);
  std::swap(task.c.column_indices.data()[i], task.c.column_indices.data()[i + 1]);
  EXPECT_NE(checksum(tasks), expected) << "columns alone";
  std::swap(task.c.values.data()[i], task.c.values.data()[i + 1]);
  EXPECT_EQ(checksum(tasks), expected) << "columns and values";
}

TEST_F(Verification, ChecksumSeesTheLastBitOfAValue) {
  const std::uint64_t expected = checksum(tasks);
  double& value = tasks[3].c.values.data()[0];
  value = std::nextafter(value, 1e300);
  EXPECT_NE(checksum(tasks), expected);
}

TEST(CombineChecksums, OrderMatters) {
  EXPECT_NE(apps::combine_checksums(apps::combine_checksums(0, 1), 2),
            apps::combine_checksums(apps::combine_checksums(0, 2), 1));
}

}  // namespace
}  // namespace spgemm
