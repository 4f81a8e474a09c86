#include "apps/adversary/windows.h"

#include <atomic>
#include <cstddef>

#include "apps/common/mini_app.h"

namespace adversary {

#pragma omp declare reduction(+ : Found : omp_out += omp_in)

namespace {

constexpr std::uint64_t golden = 0x9e3779b97f4a7c15U;  // SplitMix64's step
constexpr std::size_t words_per_line = 8;

using apps::mix;

std::uint64_t value_at(std::size_t word) { return word * golden; }

/// Loads are in so many parts, so that what is found does not depend on the number of threads.
constexpr int parts = 48;

Found look_up_part(std::uint64_t* words, std::size_t size, const Shape& shape, Window window, std::uint64_t loads,
                   std::uint64_t start) {
  Found all;
  std::uint64_t state = start;
  for (std::uint64_t i = 0; i < loads; ++i) {
    const std::uint64_t random = mix(shape.chase ? state + i : start + i * golden);
    const bool hot = random % 100 < shape.hot;
    const std::size_t from = hot ? window.begin : 0, among = hot ? window.end - window.begin : size;
    const std::size_t word = from + (random >> 32) * among / (std::uint64_t{1} << 32);
    const std::atomic_ref<std::uint64_t> at(words[word]);  // others write it, too
    const std::uint64_t found = at.load(std::memory_order_relaxed);
    all.wrong += found != value_at(word);
    all.sum += state = random + found;
    if ((random >> 8) % 100 < shape.writes) at.store(found, std::memory_order_relaxed);
  }
  return all;
}

}  // namespace

const char* name_of(Kind kind) {
  constexpr const char* names[kinds] = {"even", "streams", "swaps", "flees", "tables", "prelude"};
  return names[static_cast<std::size_t>(kind)];
}

Shape draw_shape(std::uint64_t seed) {
  constexpr unsigned hot[] = {70, 90, 100}, writes[] = {0, 30};
  const std::uint64_t random = mix((seed + 1) * golden);
  Shape shape{.kind = static_cast<Kind>(seed % kinds),
              .stays = 2U << random % 6,
              .hot = hot[(random >> 8) % 3],
              .chase = (random >> 16) % 2 == 0,
              .writes = writes[(random >> 24) % 2]};
  if (shape.kind == Kind::even || shape.kind == Kind::streams) shape.hot = 100;  // all is one window
  if (shape.kind == Kind::streams) shape.chase = false, shape.writes = 0;
  return shape;
}

Words::Words(std::size_t size) : words_(size) {
  for (std::size_t word = 0; word < size; ++word) words_[word] = value_at(word);
}

Found Words::look_up(const Shape& shape, Window window, std::uint64_t loads, std::uint64_t stay, bool alone) {
  const auto part = [&, words = words_.data()](int number) {
    const std::uint64_t start = mix(stay * parts + static_cast<std::uint64_t>(number));
    return look_up_part(words, words_.size(), shape, window, loads / parts, start);
  };
  Found all;
  if (alone) {
    for (int number = 0; number < parts; ++number) all += part(number);
    return all;
  }
#pragma omp parallel for schedule(static) reduction(+ : all)
  for (int number = 0; number < parts; ++number) all += part(number);
  return all;
}

Found Words::go_through(std::uint64_t loads, std::uint64_t stay) const {
  const std::uint64_t* const words = words_.data();
  const std::size_t part = words_.size() / parts, lines = loads / parts;
  Found all;
#pragma omp parallel for schedule(static) reduction(+ : all)
  for (int number = 0; number < parts; ++number) {
    for (std::uint64_t line = stay * lines; line < (stay + 1) * lines; ++line) {
      const std::size_t word = static_cast<std::size_t>(number) * part + line * words_per_line % part;
      all += {.wrong = static_cast<std::uint64_t>(words[word] != value_at(word)), .sum = words[word]};
    }
  }
  return all;
}

}  // namespace adversary
