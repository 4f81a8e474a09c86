// What the program prints: the same text for the same input on every run and with any number of threads but the
// header's and the imbalance.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "apps/dmrg/chain.h"
#include "apps/dmrg/options.h"

namespace dmrg {

/// What the steps of a sweep, and all so far, have come to.
struct Progress {
  double energy = 0;     ///< of the last step
  double discarded = 0;  ///< of the last step
  double largest_discarded = 0;
  std::size_t dimension = 0;  ///< the largest of the sweep
  std::size_t sectors = 0;
  std::size_t bytes = 0;       ///< of the step with the largest objects
  double imbalance = 1;        ///< of that step: the largest part of the wave function over the mean
  std::uint64_t checksum = 0;  ///< of the energies and dimensions of all steps

  void start_sweep();
  void add(const StepResult& step);
};

void print_header(const Options& options);
void print_sweep(std::size_t number, const Sweep& sweep, const Progress& progress);
/// `fault`: what is wrong with the result; it goes to the standard error.
void print_result(const Options& options, const Progress& progress, const std::string& fault);

}  // namespace dmrg
