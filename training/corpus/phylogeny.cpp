// Likelihoods along sequences: trees of descent with likelihoods of sites by pruning, their parsimony and distances,
// joining of neighbours; hidden chains of a profile, forward, backward and the best path in a band, rate style.
// Source: Felsenstein, J. Molecular Evolution 17, 1981; Jukes, Cantor, Mammalian Protein Metabolism, 1969; Fitch,
// Systematic Zoology 20, 1971; Saitou, Nei, Molecular Biology and Evolution 4, 1987; Durbin, Eddy, Krogh, Mitchison,
// Biological Sequence Analysis, chapters 2 to 5.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <vector>

#include "training/corpus/corpus.h"
#include "training/corpus/random.h"

namespace {

using Index = std::size_t;
using Letters = std::vector<std::uint8_t>;
using Values = std::vector<double>;
using Floats = std::vector<float>;
using Chances = std::array<double, 4>;
using Table = std::array<double, 16>;

/// Two nodes join in the one above: species are 0 to count - 1, inner nodes follow, the last one is the root.
struct Join {
  Index left, right;
};

std::vector<Join> make_tree(Index species, corpus::Random& random) {
  std::vector<Index> open(species);
  for (Index i = 0; i < species; ++i) open[i] = i;
  std::vector<Join> joins;
  while (open.size() > 1) {
    const Index last = open.size() - 1;
    std::swap(open[random.below(last)], open[last - 1]);
    joins.push_back({open[last - 1], open[last]});
    open.pop_back();
    open.back() = species + joins.size() - 1;
  }
  return joins;
}

/// Letters of every node from the root on, one row a node.
CORPUS_REGION void evolve(const std::vector<Join>& joins, Index species, Index sites, std::uint64_t seed,
                          Letters& letters) {
  for (Index i = 0; i < sites; ++i)
    letters[(species + joins.size() - 1) * sites + i] = static_cast<std::uint8_t>(corpus::random_bits(seed, i) & 3);
#pragma omp parallel for schedule(static)
  for (Index i = 0; i < sites; ++i)
    for (Index j = joins.size(); j-- > 0;)
      for (const Index child : {joins[j].left, joins[j].right}) {
        const std::uint64_t dice = corpus::random_bits(seed + child, i);
        const unsigned change = dice % 16 == 0 ? dice / 16 % 4 : 0;
        letters[child * sites + i] = static_cast<std::uint8_t>((letters[(species + j) * sites + i] + change) & 3);
      }
}

/// Chances of every letter after some time, in the model of Jukes and Cantor.
Table changes(double time) {
  Table table;
  for (Index i = 0; i < 16; ++i)
    table[i] = i / 4 == i % 4 ? 0.25 + 0.75 * std::exp(-4 * time / 3) : 0.25 - 0.25 * std::exp(-4 * time / 3);
  return table;
}

Chances after(const Table& table, const Chances& below) {
  Chances result;
  for (Index a = 0; a < 4; ++a)
    result[a] = table[a * 4] * below[0] + table[a * 4 + 1] * below[1] + table[a * 4 + 2] * below[2] +
                table[a * 4 + 3] * below[3];
  return result;
}

CORPUS_REGION void fill_tips(const Letters& letters, std::vector<Chances>& partial, Index size) {
#pragma omp parallel for
  for (Index i = 0; i < size; ++i)
    for (Index a = 0; a < 4; ++a) partial[i][a] = letters[i] == a ? 1 : 0;
}

/// Felsenstein's pruning, one inner node for all sites: two streams in, one out.
CORPUS_REGION void prune(const Join& join, Index above, const Table& table, Index sites,
                         std::vector<Chances>& partial) {
#pragma omp parallel for
  for (Index i = 0; i < sites; ++i) {
    const Chances left = after(table, partial[join.left * sites + i]);
    const Chances right = after(table, partial[join.right * sites + i]);
    for (Index a = 0; a < 4; ++a) partial[above * sites + i][a] = left[a] * right[a];
  }
}

CORPUS_REGION double root_likelihood(const Chances* root, Index sites) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (Index i = 0; i < sites; ++i) sum += std::log(0.25 * (root[i][0] + root[i][1] + root[i][2] + root[i][3]));
  return sum;
}

/// The same site by site: the whole tree in a small table of the lane's, letters at a stride.
CORPUS_REGION double likelihood_by_sites(const Letters& letters, const std::vector<Join>& joins, Index species,
                                         Index sites, const Table& table) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (Index i = 0; i < sites; ++i) {
    std::array<Chances, 128> node{};
    for (Index s = 0; s < species; ++s) node[s][letters[s * sites + i]] = 1;
    for (Index j = 0; j < joins.size(); ++j) {
      const Chances left = after(table, node[joins[j].left]), right = after(table, node[joins[j].right]);
      for (Index a = 0; a < 4; ++a) node[species + j][a] = left[a] * right[a];
    }
    const Chances& root = node[species + joins.size() - 1];
    sum += std::log(0.25 * (root[0] + root[1] + root[2] + root[3]));
  }
  return sum;
}

/// Sets of letters as four planes of bits: 64 sites a word.
CORPUS_REGION void make_planes(const Letters& letters, Index words, std::vector<std::uint64_t>& planes) {
#pragma omp parallel for
  for (Index w = 0; w < words; ++w)
    for (Index i = 0; i < 64; ++i) planes[w * 4 + letters[w * 64 + i]] |= std::uint64_t{1} << i;
}

/// Fitch: the sets' intersection, or their union for one change. Returns the number of changes.
CORPUS_REGION std::uint64_t parsimony(const std::vector<Join>& joins, Index species, Index words,
                                      std::vector<std::uint64_t>& planes) {
  std::uint64_t sum = 0;
  for (Index j = 0; j < joins.size(); ++j)
    for (Index w = 0; w < words; ++w) {
      const std::uint64_t* const left = &planes[(joins[j].left * words + w) * 4];
      const std::uint64_t* const right = &planes[(joins[j].right * words + w) * 4];
      std::uint64_t some = 0;
      for (Index a = 0; a < 4; ++a) some |= left[a] & right[a];
      for (Index a = 0; a < 4; ++a)
        planes[((species + j) * words + w) * 4 + a] = (left[a] & right[a]) | ((left[a] | right[a]) & ~some);
      sum += static_cast<std::uint64_t>(std::popcount(~some));
    }
  return sum;
}

/// How different two stretches of so many words are, for all pairs: bits that no plane has in common.
CORPUS_REGION void distances(const std::vector<std::uint64_t>& planes, Index count, Index words, Values& distance) {
#pragma omp parallel for schedule(static, 1)
  for (Index a = 0; a < count; ++a)
    for (Index b = 0; b < count; ++b) {
      int same = 0;
      for (Index i = 0; i < words * 4; ++i)
        same += std::popcount(planes[a * words * 4 + i] & planes[b * words * 4 + i]);
      const double share = std::min(0.74, 1 - same / (64.0 * static_cast<double>(words)));
      distance[a * count + b] = -0.75 * std::log(1 - 4 * share / 3);
    }
}

/// The first steps of joining neighbours in a table of distances. Returns the sum of their criterion.
CORPUS_REGION double join_neighbours(Index n, Index steps, Values& d) {
  std::vector<Index> open(n);
  for (Index i = 0; i < n; ++i) open[i] = i;
  double total = 0;
  Values sums(n);
  for (; steps > 0; --steps) {
    double best = 1e30;
    Index left = 0, right = 1;
    for (const Index i : open) {
      sums[i] = 0;
      for (const Index j : open) sums[i] += d[i * n + j];
    }
    for (Index i = 1; i < open.size(); ++i)
      for (Index j = 0; j < i; ++j) {
        const double gain =
            static_cast<double>(open.size() - 2) * d[open[i] * n + open[j]] - sums[open[i]] - sums[open[j]];
        if (gain < best) best = gain, left = j, right = i;
      }
    const Index a = open[left], b = open[right];
    for (const Index k : open) d[a * n + k] = d[k * n + a] = (d[a * n + k] + d[b * n + k] - d[a * n + b]) / 2;
    d[a * n + a] = 0;
    open.erase(open.begin() + static_cast<std::ptrdiff_t>(right));
    total += best;
  }
  return total;
}

/// A profile of a family: chances of the letters at each place. States: match, insert, delete.
struct Profile {
  Index size;
  Floats match;  ///< [place][letter]
};
constexpr float open_gap = 0.02f, longer_gap = 0.4f, keep = 1 - 2 * open_gap, close_gap = 1 - longer_gap;

/// Chances of the sequence's beginnings, scaled; [letter][place][state] is kept. Returns the logarithm of the chance.
CORPUS_REGION double forward(const Profile& p, const std::uint8_t* sequence, Index length, float* table, float* scale) {
  const Index row = 3 * (p.size + 1);
  double sum = 0;
  std::fill_n(table, row, 0.0f);
  table[0] = 1;
  for (Index i = 1; i <= length; ++i) {
    float *const now = table + i * row, *const old = now - row;
    float total = 0;
    now[0] = now[1] = now[2] = 0;
    for (Index k = 1; k <= p.size; ++k) {
      const float* const left = old + 3 * (k - 1);
      now[3 * k] = p.match[(k - 1) * 4 + sequence[i - 1]] * (keep * left[0] + close_gap * (left[1] + left[2]));
      now[3 * k + 1] = 0.25f * (open_gap * old[3 * k] + longer_gap * old[3 * k + 1]);
      now[3 * k + 2] = open_gap * now[3 * k - 3] + longer_gap * now[3 * k - 1];
      total += now[3 * k] + now[3 * k + 1];
    }
    if (total <= 0) total = 1e-30f;
    for (Index k = 0; k < row; ++k) now[k] /= total;
    scale[i] = total;
    sum += std::log(static_cast<double>(total));
  }
  return sum;
}

/// The same from the ends, in two rows; with the forward table the chance that each letter stems from a match.
CORPUS_REGION double backward(const Profile& p, const std::uint8_t* sequence, Index length, const float* table,
                              const float* scale, float* rows) {
  const Index row = 3 * (p.size + 1);
  float *next = rows, *now = rows + row;
  std::fill_n(next, row, 1.0f);
  for (Index k = 0; k <= p.size; ++k) next[3 * k + 2] = 0;
  double matched = 0;
  for (Index i = length; i-- > 1; std::swap(now, next)) {
    for (Index k = p.size + 1; k-- > 0;) {
      const bool last = k == p.size;
      const float match = last ? 0 : p.match[k * 4 + sequence[i]] * next[3 * k + 3] / scale[i + 1];
      const float insert = 0.25f * next[3 * k + 1] / scale[i + 1], gap = last ? 0 : now[3 * k + 5];
      now[3 * k] = keep * match + open_gap * (insert + gap);
      now[3 * k + 1] = close_gap * match + longer_gap * insert;
      now[3 * k + 2] = close_gap * match + longer_gap * gap;
      matched += static_cast<double>(now[3 * k] * table[i * row + 3 * k]);
    }
  }
  return matched;
}

/// The best path instead of all of them, by logarithms, in a band around the diagonal; decisions are kept.
CORPUS_REGION double best_path(const Profile& p, const Floats& logs, const std::uint8_t* sequence, Index length,
                               Index band, float* score, std::uint8_t* from) {
  const Index row = p.size + 1;
  std::fill_n(score, 2 * row, -1e30f);
  score[0] = 0;
  for (Index i = 1; i <= length; ++i) {
    float *const now = score + i % 2 * row, *const old = score + (i + 1) % 2 * row;
    const Index first = i > band ? i - band : 1, last = std::min(p.size, i + band);
    now[first - 1] = -1e30f;
    for (Index k = first; k <= last; ++k) {
      const float match = old[k - 1] + logs[(k - 1) * 4 + sequence[i - 1]];
      const float insert = old[k] - 5, gap = now[k - 1] - 5;
      now[k] = std::max(match, std::max(insert, gap));
      from[i * row + k] = now[k] == match ? 0 : now[k] == insert ? 1 : 2;
    }
    if (last < p.size) now[last + 1] = -1e30f;
  }
  return static_cast<double>(*std::max_element(score + length % 2 * row, score + length % 2 * row + row));
}

CORPUS_REGION Index walk_back(const std::uint8_t* from, Index length, Index size) {
  Index matches = 0;
  for (Index i = length, k = std::min(length, size); i > 0 && k > 0;) {
    const std::uint8_t way = from[i * (size + 1) + k];
    matches += way == 0;
    i -= way != 2, k -= way != 1;
  }
  return matches;
}

/// What lanes need for their sequences.
struct Scratch {
  Floats table, scale, rows, score;
  Letters from;
};

corpus::Answer program(const corpus::Input& input) {
  corpus::Random random(input.seed);
  const Index species = 40, sites = input.pick<Index>(1'920, 3'072), words = sites / 64;
  const std::vector<Join> joins = make_tree(species, random);
  const Index nodes = species + joins.size();
  Letters letters(nodes * sites);
  evolve(joins, species, sites, input.seed, letters);
  const Table table = changes(0.06);
  std::vector<Chances> partial(nodes * sites);
  fill_tips(letters, partial, species * sites);
  for (Index j = 0; j < joins.size(); ++j) prune(joins[j], species + j, table, sites, partial);
  const double likely = root_likelihood(&partial[(nodes - 1) * sites], sites);
  bool right = std::fabs(likely - likelihood_by_sites(letters, joins, species, sites, table)) < 1e-6 * sites;
  std::vector<std::uint64_t> planes(nodes * words * 4);
  make_planes(letters, nodes * words, planes);
  const Index thirds = 3 * nodes;  // of each sequence
  Values distance(thirds * thirds);
  distances(planes, thirds, words / 3, distance);
  const double joined = join_neighbours(thirds, 40, distance);
  const std::uint64_t fewest = parsimony(joins, species, words, planes);
  Index real = 0;  // no history can have fewer changes than the most parsimonious one
  for (Index j = 0; j < joins.size(); ++j)
    for (const Index child : {joins[j].left, joins[j].right})
      for (Index i = 0; i < sites; ++i) real += letters[child * sites + i] != letters[(species + j) * sites + i];
  right = right && fewest <= real;

  const Index length = input.pick<Index>(90, 120);
  Profile profile{length, Floats(4 * length)};
  Floats logs(4 * length);
  for (Index k = 0; k < length; ++k)
    for (Index a = 0; a < 4; ++a) {
      profile.match[k * 4 + a] = letters[k] == a ? 0.85f : 0.05f;
      logs[k * 4 + a] = std::log(profile.match[k * 4 + a] / 0.25f);
    }
  constexpr Index lanes = 12;
  const Index row = 3 * (length + 1);
  std::vector<Scratch> scratch(lanes);
  for (Scratch& s : scratch)
    s = {Floats(row * (length + 1)), Floats(length + 1), Floats(2 * row), Floats(row),
         Letters((length + 1) * (length + 1))};
  double chance = 0, matched = 0, best = 0;
#pragma omp parallel for schedule(static, 1) reduction(+ : chance, matched, best)
  for (Index lane = 0; lane < lanes; ++lane) {
    Scratch& s = scratch[lane];
    const std::uint8_t* const sequence = &letters[lane * sites];
    chance += forward(profile, sequence, length, s.table.data(), s.scale.data());
    matched += backward(profile, sequence, length, s.table.data(), s.scale.data(), s.rows.data());
    best += best_path(profile, logs, sequence, length, 20, s.score.data(), s.from.data());
    best += static_cast<double>(walk_back(s.from.data(), length, length));
  }
  // Each letter stems from a match with a chance of at most 1, and most of them do.
  const auto all = static_cast<double>(lanes * length);
  right = right && matched > 0.5 * all && matched < all;
  return {.checksum = likely + joined + chance + matched + best + static_cast<double>(fewest), .right = right};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, program); }
