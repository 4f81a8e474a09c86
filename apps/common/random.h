// Random numbers that are the same with every standard library.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

namespace apps {

/// A number from [0, bound). `bound` > 0.
std::uint64_t draw_below(std::mt19937_64& random, std::uint64_t bound);
/// A number from [0, 1), with 53 random bits.
double draw_unit(std::mt19937_64& random);
/// A random order of 0 .. count-1.
std::vector<std::uint32_t> random_permutation(std::uint32_t count, std::mt19937_64& random);

}  // namespace apps
