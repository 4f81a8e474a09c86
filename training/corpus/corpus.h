// What the programs of the training corpus share: their arguments, random numbers, the last line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

/// In front of a function whose loops are to stay regions of their own: inlined, they would be parts of the caller's.
#define CORPUS_REGION [[gnu::noinline]]

namespace corpus {

/// Which input: `seed` is the one that events are counted with, `train` the one that times are measured with.
struct Input {
  bool train;
  std::uint64_t seed;  ///< of the random numbers

  /// A size, or what else differs between the two.
  template <class T>
  T pick(T of_seed, T of_train) const {
    return train ? of_train : of_seed;
  }
};

struct Answer {
  double checksum;  ///< depends on all of the work
  bool right;       ///< what the program could check about its own result
};

/// The finaliser of SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014): the
/// i-th number does not depend on which thread asks for it.
inline std::uint64_t random_bits(std::uint64_t seed, std::uint64_t i) {
  std::uint64_t z = (seed + i + 1) * 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

/// In [0, 1).
inline double random_real(std::uint64_t seed, std::uint64_t i) {
  return static_cast<double>(random_bits(seed, i) >> 11) * 0x1p-53;
}

/// In [0, limit), by Lemire's multiplication (ACM TOMACS 29(1), 2019) without the correction; limit below 2^32.
inline std::uint32_t random_below(std::uint32_t limit, std::uint64_t seed, std::uint64_t i) {
  return static_cast<std::uint32_t>(((random_bits(seed, i) >> 32) * limit) >> 32);
}

/// The main of every program: `PROGRAM seed|train`. Status 0; 1 if the result is wrong; 2 for other arguments.
inline int run(int argc, char** argv, Answer (*program)(const Input&)) {
  const bool train = argc == 2 && std::strcmp(argv[1], "train") == 0;
  if (!train && (argc != 2 || std::strcmp(argv[1], "seed") != 0)) {
    std::fprintf(stderr, "%s: it takes one argument, the input: seed or train\n", argv[0]);
    return 2;
  }
  const Answer answer = program({.train = train, .seed = train ? 20230225u : 5u});
  std::printf("checksum %.9g%s\n", answer.checksum, answer.right ? "" : " (wrong result)");
  return answer.right ? 0 : 1;
}

}  // namespace corpus
