// Frequency, width, and what a misprediction costs.
#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "bench/measure/measured_core.h"

namespace measure {
namespace {

constexpr std::uint64_t rounds = 200'000;
constexpr std::size_t body = 240;  // instructions a round: those of the loop hardly count, and the body fits any cache

double instructions_per_ns(std::initializer_list<Bytes> pattern) {
  Code code;
  for (std::size_t i = 0; i < body / pattern.size(); ++i) {
    for (const Bytes instruction : pattern) code.append(instruction);
  }
  code.run(nullptr, nullptr, rounds / 10);  // warm
  const double count = static_cast<double>(body / pattern.size() * pattern.size() * rounds);
  return count / (code.run(nullptr, nullptr, rounds) * 1e9);
}

double seconds_of_branches(const std::vector<std::uint8_t>& outcomes) {
  Code code;
  code.append(op::branch_on_rdi);
  code.append(op::next_rdi);
  return code.run(outcomes.data(), nullptr, outcomes.size());
}

}  // namespace

double frequency_ghz() { return instructions_per_ns({op::add_rax_rcx}); }

double addition_cycles() { return frequency_ghz() / instructions_per_ns({op::addsd_xmm0_xmm1}); }

double dispatch_width() {
  // Six chains, one for each free register, so that no chain is the limit.
  const double mixed = instructions_per_ns({{0x48, 0x01, 0xc0},  // add rax, rax
                                            {0x48, 0x01, 0xc9},  // add rcx, rcx
                                            op::nop,
                                            {0x4d, 0x01, 0xc0},  // add r8, r8
                                            {0x4d, 0x01, 0xc9},  // add r9, r9
                                            op::nop,
                                            {0x4d, 0x01, 0xd2},    // add r10, r10
                                            {0x4d, 0x01, 0xdb}});  // add r11, r11
  return std::max(mixed, instructions_per_ns({op::nop})) / frequency_ghz();
}

double misprediction_cycles() {
  std::vector<std::uint8_t> outcomes(std::size_t{1} << 20, 0);
  seconds_of_branches(outcomes);  // warm
  const double predicted = seconds_of_branches(outcomes);
  std::mt19937_64 random(1);
  for (std::uint8_t& outcome : outcomes) outcome = random() & 1;
  const double half_wrong = seconds_of_branches(outcomes);
  return (half_wrong - predicted) * 1e9 / (static_cast<double>(outcomes.size()) / 2) * frequency_ghz();
}

}  // namespace measure
