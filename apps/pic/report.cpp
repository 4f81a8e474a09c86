#include "apps/pic/report.h"

#include <algorithm>
#include <cstdio>

namespace pic {

void print_header(const Deck& deck, unsigned threads) {
  std::printf("PIC, beam and plasma: %zu plasmas, %u steps each, %d x %d boxes, %u threads\n", deck.plasmas(),
              deck.steps, deck.boxes(0), deck.boxes(1), threads);
  std::printf("%-32s %10s %10s %9s %9s %9s\n", "plasma", "particles", "imbalance", "charge", "energy", "verified");
}

void print_plasma(const std::string& name, const Plasma& plasma, const Drift& drift) {
  std::size_t fullest = 0;
  for (const Box& box : plasma.boxes) fullest = std::max(fullest, box.particles.count());
  const std::size_t count = particle_count(plasma);
  const double mean = static_cast<double>(count) / static_cast<double>(plasma.boxes.size());
  // Imbalance: particles of the fullest box over the mean. Then how far conserved quantities went off.
  std::printf("%-32s %10zu %10.2f %9.1e %9.1e %9s\n", name.c_str(), count, static_cast<double>(fullest) / mean,
              drift.charge, drift.energy, drift.acceptable() ? "yes" : "NO");
}

}  // namespace pic
