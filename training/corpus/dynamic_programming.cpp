// Dynamic programming: edit distance by squares along diagonals, Smith and Waterman's local alignments (each lane pairs
// of its own), knapsack, steps of Floyd and Warshall, the order of a chain of matrices, states of a hidden Markov
// chain. Source: Cormen et al., Introduction to Algorithms, chapters 15, 25; Smith, Waterman, J. Mol. Biol. 147, 1981;
// Viterbi, IEEE Trans. Information Theory 13, 1967.
#include <algorithm>
#include <cstdlib>
#include <vector>

#include "training/corpus/corpus.h"
#include "training/corpus/random.h"

namespace {

using Text = std::vector<std::uint8_t>;
using Numbers = std::vector<std::int32_t>;

CORPUS_REGION Text make_text(std::size_t length, corpus::Random& random) {
  Text text(length);
  for (std::uint8_t& letter : text) letter = static_cast<std::uint8_t>(random.below(4));
  return text;
}

/// The whole table [i][j]; cells of a diagonal do not depend on each other.
CORPUS_REGION void edit_distance(const Text& a, const Text& b, Numbers& table) {
  const auto rows = static_cast<std::ptrdiff_t>(a.size()) + 1, columns = static_cast<std::ptrdiff_t>(b.size()) + 1;
  std::int32_t* const t = table.data();
  for (std::ptrdiff_t i = 0; i < rows; ++i) t[i * columns] = static_cast<std::int32_t>(i);
  for (std::ptrdiff_t j = 0; j < columns; ++j) t[j] = static_cast<std::int32_t>(j);
#pragma omp parallel
  for (std::ptrdiff_t band = 0; band < (rows + columns) / 64 + 2; ++band) {
    // Squares of 64 x 64 along a diagonal.
#pragma omp for schedule(static, 1)
    for (std::ptrdiff_t row = 0; row <= band; ++row)
      for (std::ptrdiff_t i = row * 64 + 1; i < std::min(row * 64 + 65, rows); ++i)
        for (std::ptrdiff_t j = (band - row) * 64 + 1; j < std::min((band - row) * 64 + 65, columns); ++j) {
          const std::int32_t change =
              t[(i - 1) * columns + j - 1] + (a[static_cast<std::size_t>(i) - 1] != b[static_cast<std::size_t>(j) - 1]);
          t[i * columns + j] = std::min(change, std::min(t[(i - 1) * columns + j], t[i * columns + j - 1]) + 1);
        }
  }
}

/// The same number with two rows only.
CORPUS_REGION std::int32_t edit_distance_rows(const Text& a, const Text& b) {
  Numbers above(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) above[j] = static_cast<std::int32_t>(j);
  for (std::size_t i = 0; i < a.size(); ++i, above.swap(row)) {
    row[0] = static_cast<std::int32_t>(i) + 1;
    for (std::size_t j = 0; j < b.size(); ++j)
      row[j + 1] = std::min(above[j] + (a[i] != b[j]), std::min(above[j + 1], row[j]) + 1);
  }
  return above[b.size()];
}

/// How the distance comes about, from the end of the table to its beginning: a walk at a stride.
CORPUS_REGION std::size_t walk_back(const Text& a, const Text& b, const Numbers& table) {
  const std::size_t columns = b.size() + 1;
  std::size_t i = a.size(), j = b.size(), kept = 0;
  while (i > 0 && j > 0) {
    const std::int32_t here = table[i * columns + j];
    if (here == table[(i - 1) * columns + j - 1] + (a[i - 1] != b[j - 1])) {
      kept += a[i - 1] == b[j - 1];
      --i, --j;
    } else if (here == table[(i - 1) * columns + j] + 1) {
      --i;
    } else {
      --j;
    }
  }
  return kept;
}

/// Gaps cost 2, other letters 1, equal ones gain 2. The table of scores is kept. Returns the best score.
CORPUS_REGION std::int32_t align(const Text& a, const Text& b, std::vector<std::int16_t>& score) {
  const std::size_t columns = b.size() + 1;
  int best = 0;
  for (std::size_t i = 1; i <= a.size(); ++i)
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int diagonal = score[(i - 1) * columns + j - 1] + (a[i - 1] == b[j - 1] ? 2 : -1);
      const int gap = std::max(score[(i - 1) * columns + j], score[i * columns + j - 1]) - 2;
      const int here = std::max(0, std::max(diagonal, gap));
      score[i * columns + j] = static_cast<std::int16_t>(here);
      best = std::max(best, here);
    }
  return best;
}

/// Decisions are kept as a row of bytes for each thing.
CORPUS_REGION void knapsack(const Numbers& weight, const Numbers& value, Numbers& best, Numbers& next, Text& taken) {
  for (std::size_t thing = 0; thing < weight.size(); ++thing) {
    const auto w = static_cast<std::size_t>(weight[thing]);
    std::uint8_t* const row = taken.data() + thing * best.size();
#pragma omp parallel for
    for (std::size_t room = w; room < best.size(); ++room) {
      const std::int32_t with = best[room - w] + value[thing];
      row[room] = with > best[room];
      next[room] = std::max(best[room], with);
    }
    std::copy_n(best.begin(), w, next.begin());
    best.swap(next);
  }
}

CORPUS_REGION std::int32_t value_taken(const Numbers& weight, const Numbers& value, const Text& taken,
                                       std::size_t room) {
  const std::size_t width = room + 1;
  std::int32_t sum = 0;
  for (std::size_t thing = weight.size(); thing-- > 0;) {
    if (!taken[thing * width + room]) continue;
    room -= static_cast<std::size_t>(weight[thing]);
    sum += value[thing];
  }
  return sum;
}

/// Steps first to last - 1 of Floyd and Warshall.
CORPUS_REGION void shortest_paths(Numbers& distance, std::size_t nodes, std::size_t first, std::size_t last) {
#pragma omp parallel
  for (std::size_t k = first; k < last; ++k) {
#pragma omp for
    for (std::size_t i = 0; i < nodes; ++i) {
      const std::int32_t to_k = distance[i * nodes + k];
      for (std::size_t j = 0; j < nodes; ++j)
        distance[i * nodes + j] = std::min(distance[i * nodes + j], to_k + distance[k * nodes + j]);
    }
  }
}

/// cost[i][j], by growing lengths of the chain: a row and a column are read for each.
CORPUS_REGION std::int64_t chain_order(const std::vector<std::int64_t>& size, std::vector<std::int64_t>& cost) {
  const std::size_t count = size.size() - 1;
  for (std::size_t length = 2; length <= count; ++length) {
#pragma omp parallel for
    for (std::size_t i = 0; i <= count - length; ++i) {
      const std::size_t j = i + length - 1;
      std::int64_t best = std::int64_t{1} << 60;
      for (std::size_t k = i; k < j; ++k)
        best = std::min(best, cost[i * count + k] + cost[(k + 1) * count + j] + size[i] * size[k + 1] * size[j + 1]);
      cost[i * count + j] = best;
    }
  }
  return cost[count - 1];
}

/// The most likely states of a hidden chain; [time][state] of where each came from.
CORPUS_REGION std::size_t viterbi(const std::vector<float>& change, const Text& seen, std::size_t states, Text& from) {
  std::vector<float> score(states), next(states);
  for (std::size_t t = 0; t < seen.size(); ++t) {
    for (std::size_t to = 0; to < states; ++to) {
      float best = -1e30f;
      for (std::size_t s = 0; s < states; ++s) {
        const float through = score[s] + change[s * states + to];
        if (through > best) best = through, from[t * states + to] = static_cast<std::uint8_t>(s);
      }
      next[to] = best - ((to & 3) == seen[t] ? 0.0f : 1.5f);
    }
    score.swap(next);
  }
  std::size_t state = 0, sum = 0;
  for (std::size_t t = seen.size(); t-- > 0; sum += state) state = from[t * states + state];
  return sum;
}

corpus::Answer program(const corpus::Input& input) {
  corpus::Random random(input.seed);
  const std::size_t length = input.pick<std::size_t>(500, 760);
  const Text a = make_text(length, random), b = make_text(length + 40, random);
  Numbers table((a.size() + 1) * (b.size() + 1));
  edit_distance(a, b, table);
  bool right = table.back() == edit_distance_rows(a, b);
  const std::size_t kept = walk_back(a, b, table);
  std::vector<Text> texts;
  for (int i = 0; i < 24; ++i) texts.push_back(make_text(input.pick<std::size_t>(150, 220), random));
  std::vector<std::vector<std::int16_t>> scores(12, std::vector<std::int16_t>(221 * 221));
  double sum = static_cast<double>(kept);
#pragma omp parallel for schedule(static, 1) reduction(+ : sum)
  for (int i = 0; i < 12; ++i) sum += align(texts[2 * i], texts[2 * i + 1], scores[i]);
  const std::size_t things = 24, room = input.pick<std::size_t>(30'000, 60'000);
  Numbers weight(things), value(things), best(room + 1), next(room + 1);
  for (std::size_t i = 0; i < things; ++i) {
    weight[i] = 1 + static_cast<std::int32_t>(random.below(room / 6));
    value[i] = 1 + static_cast<std::int32_t>(random.below(1000));
  }
  Text taken(things * (room + 1));
  knapsack(weight, value, best, next, taken);
  right = right && value_taken(weight, value, taken, room) == best[room];
  const std::size_t nodes = input.pick<std::size_t>(420, 560);
  Numbers distance(nodes * nodes);
  for (std::int32_t& d : distance) d = 1 + static_cast<std::int32_t>(random.below(1000));
  shortest_paths(distance, nodes, 0, 10);
  const std::size_t chain = input.pick<std::size_t>(140, 200);
  std::vector<std::int64_t> size(chain + 1), cost(chain * chain);
  for (std::int64_t& s : size) s = 1 + random.below(100);
  sum += static_cast<double>(chain_order(size, cost));
  std::vector<float> change(24 * 24);
  for (float& c : change) c = -static_cast<float>(random.unit());
  const Text seen = make_text(input.pick<std::size_t>(5'000, 9'000), random);
  Text from(seen.size() * 24);
  sum += static_cast<double>(viterbi(change, seen, 24, from)) + distance[nodes + 5];
  return {.checksum = sum, .right = right};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, program); }
