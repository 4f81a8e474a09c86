#include "apps/pic/conservation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "apps/pic/box_step.h"
#include "apps/pic/plasma_boxes.h"
#include "apps/pic/step.h"

namespace pic {
namespace {

class PicVerification : public ::testing::Test {
 protected:
  PicVerification() {
    for (int step = 0; step < 5; ++step) advance(plasma, 2);
  }
  Drift drift() const { return drift_since(start, plasma); }

  Plasma plasma = make_plasma(read_built_in_deck("small"), 0, 3);
  Conserved start{plasma};
};

TEST_F(PicVerification, AcceptsARightRun) {
  EXPECT_TRUE(drift().acceptable());
  EXPECT_LT(drift().charge, 1e-13) << "rounding alone";
  EXPECT_GT(energy_of(plasma).field, 0) << "something happened";
}

TEST_F(PicVerification, RefusesAMissingParticle) {
  plasma.boxes[3].particles.remove(7);
  EXPECT_FALSE(drift().acceptable());
}

TEST_F(PicVerification, RefusesAParticleInAnotherBox) {
  plasma.boxes[0].particles[X][0] += 8;
  EXPECT_FALSE(drift().complete);
}

TEST_F(PicVerification, RefusesAParticleThatMovedWithoutACurrent) {
  Box& box = plasma.boxes[0];
  box.particles[X][0] = box.extent.begin[0] + (box.particles[X][0] < box.extent.begin[0] + 1 ? 1.5 : 0.5);
  EXPECT_TRUE(drift().complete);
  EXPECT_GT(drift().charge, charge_tolerance);
}

TEST_F(PicVerification, RefusesAWrongField) {
  plasma.boxes[5].fields[Ex][plasma.boxes[5].fields.index(2, 2)] += 1e-6;
  EXPECT_GT(drift().charge, charge_tolerance);
}

TEST_F(PicVerification, RefusesEnergyFromNowhere) {
  for (Box& box : plasma.boxes) {
    for (std::size_t i = 0; i < box.particles.count(); ++i) box.particles[Ux][i] *= 1.05;
  }
  EXPECT_GT(drift().energy, energy_tolerance);
  EXPECT_FALSE(drift().acceptable());
}

TEST_F(PicVerification, RefusesNotANumber) {
  plasma.boxes[2].fields[Ey][plasma.boxes[2].fields.index(1, 1)] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(drift().acceptable());
}

TEST_F(PicVerification, ChecksumSeesTheLastBitOfAMomentum) {
  const std::uint64_t before = checksum(plasma);
  double& value = plasma.boxes[1].particles[Uz][4];
  value = std::nextafter(value, 1e300);
  EXPECT_NE(checksum(plasma), before);
}

// What the electrons and the field lose, the ions at rest get: the force on them is their charge times E.
TEST_F(PicVerification, MomentumOfElectronsFieldAndIonsIsConserved) {
  Plasma run = make_plasma(read_built_in_deck("small"), 0, 3);
  const double before = momentum_of(run)[0];
  double to_ions = 0;
  double most = 0;
  for (int step = 0; step < 20; ++step) {
    advance(run, 2);
    for (const Box& box : run.boxes) {
      for (int y = 0; y < box.extent.cells[1]; ++y) {
        for (int x = 0; x < box.extent.cells[0]; ++x) {
          const std::size_t node = static_cast<std::size_t>(y + box.extent.begin[1]) * 32 +
                                   static_cast<std::size_t>(x + box.extent.begin[0]);
          const std::size_t i = box.fields.index(x, y);
          to_ions += run.dt * run.h * run.h * start.residual[node] * (box.fields[Ex][i] + box.fields[Ex][i - 1]) / 2;
        }
      }
    }
    most = std::max(most, std::fabs(momentum_of(run)[0] - before));
  }
  EXPECT_GT(most, 0);
  EXPECT_NEAR(momentum_of(run)[0] - before + to_ions, 0, 0.1 * most);
}

}  // namespace
}  // namespace pic
