#include "apps/dmrg/chain.h"

#include <omp.h>

#include <utility>

#include "apps/dmrg/davidson.h"
#include "apps/dmrg/effective.h"

namespace dmrg {
namespace {

/// In the order in which LB-HM sees them: the same number of objects for every step.
std::vector<const apps::Block*> objects_of(const SiteTensor& first, const SiteTensor& second, const Environment& left,
                                           const Environment& right, const DavidsonMemory& memory,
                                           const Splitter& splitter) {
  std::vector<const apps::Block*> objects{&first.memory, &second.memory};
  for (std::size_t thread = 0; thread < left.arenas().size(); ++thread) {
    objects.insert(objects.end(), {&left.arenas()[thread], &right.arenas()[thread], &memory.basis[thread],
                                   &memory.images[thread], &memory.scratch[thread], &splitter.arenas()[thread]});
  }
  return objects;
}

std::size_t bytes_of(std::span<const apps::Block* const> objects) {
  std::size_t sum = 0;
  for (const apps::Block* object : objects) sum += object->bytes();
  return sum;
}

}  // namespace

Chain::Chain(Model model, std::size_t threads)
    : model_(std::move(model)),
      threads_(threads),
      bonds_(model_.sites() + 1),
      sites_(model_.sites()),
      left_(model_.sites() + 1),
      right_(model_.sites() + 1) {
  start_from_product_state();
}

void Chain::start_from_product_state() {
  const std::size_t sites = model_.sites();
  Quantum quantum;
  bonds_[0] = {{quantum, 1}};
  for (std::size_t i = 0; i < sites; ++i) {
    quantum = quantum + model_.states[model_.product_state[i]];
    bonds_[i + 1] = {{quantum, 1}};
  }
  left_[0].emplace(make_boundary(Side::left, bonds_[0], model_.channels[0], threads_));
  right_[sites].emplace(make_boundary(Side::right, bonds_[sites], model_.channels[sites], threads_));
  for (std::size_t i = sites; i-- > 0;) {
    sites_[i].emplace("site", bonds_[i + 1], bonds_[i], model_.states, false);
    *sites_[i]->from(0, model_.product_state[i]) = 1;
  }
  // The first pair is sites 0 and 1: the environment of bond 2 is the last one to be made. Site 0 is in left form.
  for (std::size_t bond = sites - 1; bond >= 2; --bond) {
    right_[bond].emplace(Side::right, bonds_[bond], model_.channels[bond], threads_);
#pragma omp parallel num_threads(static_cast<int>(threads_))
    make_right(bond);
  }
  sites_[0].emplace("site", bonds_[0], bonds_[1], model_.states, true);
  *sites_[0]->from(0, model_.product_state[0]) = 1;
}

void Chain::make_left(std::size_t bond) {
  const std::size_t site = bond - 1;
  extend(Side::left, *left_[site], bonds_[site], *sites_[site], model_.elements[site], bonds_[bond], *left_[bond]);
}

void Chain::make_right(std::size_t bond) {
  extend(Side::right, *right_[bond + 1], bonds_[bond + 1], *sites_[bond], model_.elements[bond], bonds_[bond],
         *right_[bond]);
}

StepResult Chain::optimise(const Step& step, const Planner& plan) {
  const std::size_t p = step.pair;
  const bool new_left = !left_[p];
  const bool new_right = !right_[p + 2];
  if (new_left) left_[p].emplace(Side::left, bonds_[p], model_.channels[p], threads_);
  if (new_right) right_[p + 2].emplace(Side::right, bonds_[p + 2], model_.channels[p + 2], threads_);
  const PairLayout layout(bonds_[p], bonds_[p + 2], model_.states, threads_);
  const std::vector<PairElement> elements = combine(model_.elements[p], model_.elements[p + 1]);
  const EffectiveHamiltonian hamiltonian(*left_[p], bonds_[p], *right_[p + 2], bonds_[p + 2], elements, layout);
  std::vector<std::size_t> scratch;
  scratch.reserve(threads_);
  for (std::size_t thread = 0; thread < threads_; ++thread) {
    scratch.push_back(hamiltonian.scratch_size(thread, threads_));
  }
  const DavidsonMemory memory(layout, scratch, step.iterations);
  Splitter splitter(layout, model_.states, bonds_[p], bonds_[p + 2], memory, step.truncation, step.to_right);
  const auto objects = objects_of(*sites_[p], *sites_[p + 1], *left_[p], *right_[p + 2], memory, splitter);
  plan(objects);

  const Pair pair{model_.states, bonds_[p], bonds_[p + 1], bonds_[p + 2], *sites_[p], *sites_[p + 1]};
  PartialSums partial{std::vector<double>(layout.blocks.size()), std::vector<double>(layout.blocks.size())};
  DavidsonResult ground;
#pragma omp parallel num_threads(static_cast<int>(threads_))
  {
    if (new_left) make_left(p);
    if (new_right) make_right(p + 2);
#pragma omp barrier
    const DavidsonResult mine = davidson(hamiltonian, layout, pair, step.iterations, memory, partial);
    if (omp_get_thread_num() == 0) ground = mine;
#pragma omp barrier
    splitter.run();
  }
  SplitResult parts = splitter.take();
  bonds_[p + 1] = std::move(parts.middle);
  const std::size_t bytes = bytes_of(objects);
  sites_[p].emplace(std::move(parts.first));
  sites_[p + 1].emplace(std::move(parts.second));
  forget(step);
  return {ground.energy, parts.discarded, dimension_of(bonds_[p + 1]), bonds_[p + 1].size(), layout.sizes, bytes};
}

/// The environment of the bond that the sweep goes to will be that of the other side.
void Chain::forget(const Step& step) {
  if (step.to_right && step.pair + 2 != model_.sites()) right_[step.pair + 2].reset();
  if (!step.to_right && step.pair != 0) left_[step.pair].reset();
}

std::vector<Step> make_sweep(std::size_t sites, bool first, std::size_t iterations, const Truncation& truncation) {
  std::vector<Step> steps;
  const std::size_t last = sites - 2;
  for (std::size_t pair = first ? 0 : 1; pair <= last; ++pair)
    steps.push_back({pair, pair != last, iterations, truncation});
  for (std::size_t pair = last; pair-- > 0;) steps.push_back({pair, pair == 0, iterations, truncation});
  return steps;
}

}  // namespace dmrg
