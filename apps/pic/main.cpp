// Particle-in-cell simulation of an electron beam in a plasma, in the role of WarpX: for each plasma of a study, steps
// of push, deposition, field solve and exchange. An ordinary OpenMP program; apps/common/placed_memory.cpp has all of
// LB-HM.
#include <omp.h>

#include <algorithm>
#include <cstdio>
#include <string>

#include "apps/common/mini_app.h"
#include "apps/common/placed_memory.h"
#include "apps/pic/conservation.h"
#include "apps/pic/deck.h"
#include "apps/pic/pic_options.h"
#include "apps/pic/plasma_boxes.h"
#include "apps/pic/step.h"

namespace {

using namespace pic;

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

void simulate(Plasma& plasma, const Deck& deck, unsigned threads) {
  for (unsigned step = 1; step <= deck.steps; ++step) {
    apps::plan_placement(objects_of(plasma));
    advance(plasma, threads);
    if (deck.sort_interval != 0 && step % deck.sort_interval == 0) sort_particles(plasma, threads);
  }
}

/// True if every plasma kept what is conserved.
bool run(const Deck& deck, const Options& options) {
  apps::measure(false);
  print_header(deck, options.threads);
  bool all_verified = true;
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < deck.plasmas(); ++i) {
    Plasma plasma = make_plasma(deck, i, options.seed);
    const Conserved start(plasma);
    apps::measure(true);
    const double begin = omp_get_wtime();
    simulate(plasma, deck, options.threads);
    const double seconds = omp_get_wtime() - begin;
    apps::measure(false);

    const Drift drift = drift_since(start, plasma);
    all_verified = all_verified && drift.acceptable();
    sum = apps::combine_checksums(sum, checksum(plasma));
    const std::string name = describe_plasma(deck, i);
    print_plasma(name, plasma, drift);
    if (options.times) apps::print_time(name.c_str(), seconds);
  }
  apps::print_checksum(sum);
  return all_verified;
}

Deck deck_of(const Options& options) {
  if (!options.deck.empty()) return scaled(read_deck_file(options.deck), options.scale);
  return scaled(read_built_in_deck(options.built_in), options.scale);
}

}  // namespace

int main(int argc, char** argv) {
  const apps::Program program{.name = "pic", .smaller = "Use a smaller --scale or deck."};
  return apps::run_program(program, argc, argv, parse_options, [](const Options& options) {
    if (options.print_deck) {
      std::fputs(std::string(built_in_deck(options.built_in)).c_str(), stdout);
      return 0;
    }
    if (run(deck_of(options), options)) return 0;
    std::fputs("pic: a plasma is wrong: charge, energy or particles were not conserved.\n", stderr);
    return 1;
  });
}
