// Are the parts of a step right, and does it matter who computes them?
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "apps/common/random_graphs.h"
#include "apps/pic/box_step.h"
#include "apps/pic/conservation.h"
#include "apps/pic/plasma_boxes.h"
#include "apps/pic/step.h"
#include "tests/apps/pic_plasma.h"

namespace pic {
namespace {

std::vector<Particle> random_particles(std::size_t count, std::array<int, 2> cells) {
  std::mt19937_64 random(5);
  std::vector<Particle> particles(count);
  for (Particle& p : particles) {
    p = {cells[0] * apps::draw_unit(random), cells[1] * apps::draw_unit(random), 0, 0, 0, 1e-3};
    for (double* u : {&p.ux, &p.uy, &p.uz}) *u = 20 * apps::draw_unit(random) - 10;
  }
  return particles;
}

TEST(Grid, EveryCellIsInOneBoxAndNeighboursTouch) {
  const Grid grid({17, 10}, {4, 2});
  for (int y = 0; y < 10; ++y) {
    for (int x = 0; x < 17; ++x) {
      const Extent extent = grid.extent(grid.box_of(x, y));
      EXPECT_EQ(extent.side(0, x), 0);
      EXPECT_EQ(extent.side(1, y), 0);
    }
  }
  for (std::size_t b = 0; b < grid.boxes(); ++b) {
    for (std::size_t d = 0; d < directions; ++d) {
      EXPECT_EQ(grid.neighbour(grid.neighbour(b, d), opposite(d)), b);
      EXPECT_EQ(direction_of(offsets[d][0], offsets[d][1]), d);
    }
  }
}

TEST(Deposit, TotalCurrentIsThatOfTheParticles) {
  Plasma plasma = plasma_of({16, 12}, {1, 1}, 0.3, 0.9, random_particles(200, {16, 12}));
  Box& box = plasma.boxes[0];
  push(box, plasma.h, plasma.dt);
  deposit(box, plasma.h, plasma.dt);
  double expected[3]{};
  for (std::size_t i = 0; i < box.particles.count(); ++i) {
    const Particle p = box.particles.get(i);
    const double gamma = std::sqrt(1 + p.ux * p.ux + p.uy * p.uy + p.uz * p.uz);
    for (const auto& [axis, u] : {std::pair{0, p.ux}, {1, p.uy}, {2, p.uz}}) expected[axis] -= p.weight * u / gamma;
  }
  for (const auto& [axis, component] : {std::pair{0, Jx}, {1, Jy}, {2, Jz}}) {
    double sum = 0;
    for (const double j : box.fields.arrays[component]) sum += j;
    EXPECT_NEAR(sum * plasma.h * plasma.h, expected[axis], 1e-12) << axis;
  }
}

TEST(Exchange, EveryParticleArrivesInItsBoxOnce) {
  const auto particles = random_particles(500, {16, 12});
  Plasma plasma = plasma_of({16, 12}, {4, 3}, 0.3, 0.99, particles);
  std::vector<std::array<double, 2>> expected;
  for (Box& box : plasma.boxes) {
    push(box, plasma.h, plasma.dt);
    for (std::size_t i = 0; i < box.particles.count(); ++i) {
      const Particle p = box.particles.get(i);
      expected.push_back({std::fmod(p.x + 16, 16), std::fmod(p.y + 12, 12)});
    }
  }
  make_room(plasma);
  for (std::size_t b = 0; b < plasma.boxes.size(); ++b) send(plasma, b);
  for (std::size_t b = 0; b < plasma.boxes.size(); ++b) receive(plasma, b);
  std::vector<std::array<double, 2>> found;
  for (const Box& box : plasma.boxes) {
    for (std::size_t i = 0; i < box.particles.count(); ++i) {
      const Particle p = box.particles.get(i);
      EXPECT_EQ(box.extent.side(0, p.x), 0);
      EXPECT_EQ(box.extent.side(1, p.y), 0);
      found.push_back({p.x, p.y});
    }
  }
  std::ranges::sort(expected);
  std::ranges::sort(found);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i][0], expected[i][0], 1e-12);
}

TEST(Exchange, MemoryGrowsWhenACrowdArrives) {
  const std::vector<Particle> crowd(1000, Particle{7.9, 3, 50, 0, 0, 1e-6});
  Plasma plasma = plasma_of({16, 8}, {2, 1}, 0.3, 0.99, crowd);
  ASSERT_LT(plasma.boxes[1].particles.capacity(), 1000U);
  advance(plasma, 2);
  EXPECT_EQ(plasma.boxes[0].particles.count(), 0U);
  EXPECT_EQ(plasma.boxes[1].particles.count(), 1000U);
  sort_particles(plasma, 2);
  EXPECT_EQ(plasma.boxes[1].particles.get(999).weight, 1e-6);
}

TEST(Sort, OrdersByCellAndKeepsAllParticles) {
  Plasma plasma = plasma_of({16, 12}, {1, 1}, 0.3, 0.9, random_particles(300, {16, 12}));
  const std::uint64_t before = checksum(plasma);
  sort_by_cell(plasma.boxes[0]);
  EXPECT_EQ(checksum(plasma), before);
  int last = -1;
  for (std::size_t i = 0; i < 300; ++i) {
    const Particle p = plasma.boxes[0].particles.get(i);
    const int cell = static_cast<int>(p.y) * 16 + static_cast<int>(p.x);
    EXPECT_GE(cell, last);
    last = cell;
  }
}

TEST(Boxes, ResultDoesNotDependOnHowTheDomainIsCutButForRounding) {
  const auto particles = random_particles(400, {16, 12});
  Plasma one = plasma_of({16, 12}, {1, 1}, 0.3, 0.9, particles);
  Plasma many = plasma_of({16, 12}, {3, 2}, 0.3, 0.9, particles);
  for (int step = 0; step < 10; ++step) {
    advance(one, 1);
    advance(many, 3);
  }
  for (const Box& box : many.boxes) {
    for (int x = 0; x < box.extent.cells[0]; ++x) {
      const std::size_t there = one.boxes[0].fields.index(x + box.extent.begin[0], box.extent.begin[1]);
      for (const Component c : {Ex, Ey, Ez, Bx, By, Bz}) {
        EXPECT_NEAR(box.fields[c][box.fields.index(x, 0)], one.boxes[0].fields[c][there], 1e-10);
      }
    }
  }
}

TEST(Objects, HaveTheSameNamesInTheSameOrderForEveryPlasmaAndStep) {
  const Deck deck = read_built_in_deck("small");
  const auto names_of = [](const Plasma& plasma) {
    std::vector<std::string> names;
    for (const apps::Block* object : objects_of(plasma)) names.push_back(object->name());
    return names;
  };
  Plasma plasma = make_plasma(deck, 0, 1);
  const std::vector<std::string> names = names_of(plasma);
  EXPECT_EQ(names.size(), plasma.boxes.size() * (components + attributes + 3));
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size()) << "names are unique";
  for (int step = 0; step < 8; ++step) advance(plasma, 2);
  EXPECT_EQ(names_of(plasma), names);
  EXPECT_EQ(names_of(make_plasma(deck, 2, 1)), names);
}

}  // namespace
}  // namespace pic
