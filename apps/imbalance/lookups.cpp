#include "apps/imbalance/lookups.h"

#include <omp.h>

#include <algorithm>

#include "apps/common/mini_app.h"

namespace imbalance {
namespace {

constexpr std::uint64_t words_per_line = 8;
constexpr std::uint64_t lines_per_page = 64;
constexpr std::uint64_t words_per_page = words_per_line * lines_per_page;
constexpr std::uint64_t stride_lines = 5;              // no divisor of the lines: all are met
constexpr std::uint64_t golden = 0x9e3779b97f4a7c15U;  // SplitMix64's step
constexpr std::uint64_t independent_loads = 3;         // for each dependent one, pattern `both`

/// What is in a word.
std::uint64_t value_at(std::uint64_t salt, std::uint64_t word) { return apps::mix(salt + word); }

/// The page that is the rank-th hottest one.
std::uint64_t page_of(std::uint64_t rank, std::uint64_t pages) {
  return rank % page_stripes * (pages / page_stripes) + rank / page_stripes;
}

/// Which word a random number stands for. With u uniform in [0, 1), pages are hot as u^skew is dense: the self-similar
/// distribution of J. Gray et al., "Quickly Generating Billion-Record Synthetic Databases", SIGMOD 1994. By rank they
/// are dealt to page_stripes parts of the memory. Skew 1 is uniform.
class Places {
 public:
  explicit Places(const Shape& shape) : pages_(shape.pages), skew_(shape.skew) {}

  std::uint64_t operator()(std::uint64_t random) const {
    const std::uint64_t uniform = random >> 32;
    std::uint64_t power = uniform;
    for (unsigned i = 1; i < skew_; ++i) power = (power * uniform) >> 32;
    const std::uint64_t rank = (power * pages_) >> 32;
    const std::uint64_t page = page_of(rank, pages_);
    return page * words_per_page + random % lines_per_page * words_per_line;
  }

 private:
  std::uint64_t pages_;
  unsigned skew_;
};

// Loads by pattern. `read` gives the word at a place; `start` is a random number.

template <class Read>
std::uint64_t chase(const Shape& shape, std::uint64_t start, Read read) {
  const Places place(shape);
  std::uint64_t state = start;
  for (std::uint64_t i = 0; i < shape.loads; ++i) state = apps::mix(state + read(place(state)));
  return state;
}

template <class Read>
std::uint64_t gather(const Shape& shape, std::uint64_t start, Read read) {
  const Places place(shape);
  std::uint64_t sum = 0;
  for (std::uint64_t i = 0; i < shape.loads; ++i) sum += read(place(apps::mix(start + i * golden)));
  return sum;
}

template <class Read>
std::uint64_t chase_and_gather(const Shape& shape, std::uint64_t start, Read read) {
  const Places place(shape);
  std::uint64_t state = start;
  std::uint64_t sum = 0;
  for (std::uint64_t i = 0; i < shape.loads; i += 1 + independent_loads) {
    for (std::uint64_t k = 1; k <= independent_loads; ++k) sum += read(place(apps::mix(start + (i + k) * golden)));
    state = apps::mix(state + read(place(state)));
  }
  return state + sum;
}

template <class Read>
std::uint64_t stream(const Shape& shape, std::uint64_t start, Read read) {
  const std::uint64_t lines = shape.pages * lines_per_page;
  std::uint64_t line = start % lines;
  std::uint64_t sum = 0;
  for (std::uint64_t left = shape.loads; left > 0;) {
    const std::uint64_t end = line + std::min(left, lines - line);
    for (std::uint64_t word = line * words_per_line; word < end * words_per_line; ++word) sum += read(word);
    left -= end - line;
    line = 0;
  }
  return sum;
}

template <class Read>
std::uint64_t stride(const Shape& shape, std::uint64_t start, Read read) {
  const std::uint64_t lines = shape.pages * lines_per_page;
  std::uint64_t line = start % lines;
  std::uint64_t sum = 0;
  for (std::uint64_t left = shape.loads; left > 0;) {
    const std::uint64_t steps = std::min(left, (lines - line + stride_lines - 1) / stride_lines);
    for (std::uint64_t i = 0; i < steps; ++i) sum += read((line + i * stride_lines) * words_per_line);
    left -= steps;
    line = (line + steps * stride_lines) % lines;
  }
  return sum;
}

template <class Read>
std::uint64_t look_up(const Shape& shape, std::uint64_t start, Read read) {
  switch (shape.pattern) {
    case Pattern::chase:
      return chase(shape, start, read);
    case Pattern::gather:
      return gather(shape, start, read);
    case Pattern::both:
      return chase_and_gather(shape, start, read);
    case Pattern::stream:
      return stream(shape, start, read);
    case Pattern::stride:
      return stride(shape, start, read);
  }
  return 0;
}

/// Other loads in every round.
std::uint64_t start_of(const Task& task, unsigned round) { return apps::mix(task.salt ^ (golden * (round + 1))); }

void run_round(Task& task, unsigned round) {
  const std::uint64_t* const words = task.words.data();
  task.found[round] = look_up(task.shape, start_of(task, round), [words](std::uint64_t word) { return words[word]; });
}

/// Writes a task's page with this number, by address or by how hot it is; nothing if it has no so many.
void fill(Task& task, std::uint64_t number, bool hottest_first) {
  const std::uint64_t pages = task.shape.pages;
  if (number >= pages) return;
  const std::uint64_t page = hottest_first ? page_of(number, pages) : number;
  std::uint64_t* const words = task.words.data();
  for (std::uint64_t word = page * words_per_page; word < (page + 1) * words_per_page; ++word)
    words[word] = value_at(task.salt, word);
}

}  // namespace

Task::Task(const Shape& its_shape, unsigned number, std::uint64_t seed, unsigned rounds)
    : shape(its_shape),
      salt(apps::mix(apps::mix(seed) + number)),
      words("words[" + std::to_string(number) + "]", its_shape.pages * words_per_page),
      found(rounds) {}

std::vector<Task> make_tasks(std::span<const Shape> shapes, const Options& options) {
  std::vector<Task> tasks;
  tasks.reserve(shapes.size());
  for (const Shape& shape : shapes)
    tasks.emplace_back(shape, static_cast<unsigned>(tasks.size()), options.seed, options.rounds);
  const std::uint64_t most = std::ranges::max(shapes, {}, &Shape::pages).pages;
  for (std::uint64_t number = 0; number < most; ++number)
    for (Task& task : tasks) fill(task, number, options.hottest_first);
  return tasks;
}

std::vector<const apps::Block*> objects_of(std::span<const Task> tasks) {
  std::vector<const apps::Block*> objects;
  for (const Task& task : tasks) objects.push_back(&task.words);
  return objects;
}

void run_rounds(std::span<Task> tasks, unsigned first, unsigned last, unsigned threads) {
#pragma omp parallel num_threads(static_cast<int>(threads))
  {
    const auto team = static_cast<std::size_t>(omp_get_num_threads());
    const auto thread = static_cast<std::size_t>(omp_get_thread_num());
    for (unsigned round = first; round < last; ++round) {
      for (std::size_t i = thread; i < tasks.size(); i += team) run_round(tasks[i], round);
      if (round + 1 < last) {
#pragma omp barrier
      }
    }
  }
}

APPS_NOT_MEASURED std::uint64_t expected(const Task& task, unsigned round) {
  return look_up(task.shape, start_of(task, round), [&task](std::uint64_t word) { return value_at(task.salt, word); });
}

}  // namespace imbalance
