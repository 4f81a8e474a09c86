// Nearest neighbours in many dimensions: exact with heaps, product quantisation with tables of distances, inverted
// lists, hashing by planes to bits, walks in a graph of neighbours that is made better by itself.
// Source: Jegou, Douze, Schmid, IEEE TPAMI 33(1), 2011; Charikar, STOC 2002; Dong, Moses, Li, WWW 2011 (graph); Malkov,
// Yashunin, IEEE TPAMI 42(4), 2020 (walks).
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>

#include "training/corpus/corpus.h"
#include "training/corpus/random.h"

namespace {

constexpr std::size_t dims = 32, near = 8, questions = 36, parts = 8, words = 64, lists = 64;

using Floats = std::vector<float>;
using Bytes = std::vector<std::uint8_t>;
using Numbers = std::vector<std::uint32_t>;

struct Hit {
  float distance;
  std::uint32_t who;
  bool operator<(const Hit& other) const { return distance < other.distance; }
};

using Hits = std::array<Hit, near>;  // a heap, the farthest first

void offer(Hits& hits, Hit hit) {
  if (!(hit < hits[0])) return;
  std::pop_heap(hits.begin(), hits.end());
  hits.back() = hit;
  std::push_heap(hits.begin(), hits.end());
}

constexpr Hits nothing_yet() {
  Hits hits{};
  hits.fill({1e9f, 0});
  return hits;
}

/// Points lie near a surface of four dimensions, as those of the world do.
CORPUS_REGION void make_points(Floats& points, std::uint64_t seed) {
#pragma omp parallel for
  for (std::size_t i = 0; i < points.size() / dims; ++i)
    for (std::size_t d = 0; d < dims; ++d) {
      double value = 0.1 * corpus::random_real(seed, i * dims + d);
      for (std::size_t k = 0; k < 4; ++k)
        value += corpus::random_real(seed + 1, i * 4 + k) * (corpus::random_real(9, d * 4 + k) - 0.5);
      points[i * dims + d] = static_cast<float>(value);
    }
}

float distance(const float* a, const float* b, std::size_t count) {
  float sum = 0;
  for (std::size_t d = 0; d < count; ++d) sum += (a[d] - b[d]) * (a[d] - b[d]);
  return sum;
}

/// Question by question over all points.
CORPUS_REGION void search_exact(const Floats& points, std::vector<Hits>& answers) {
#pragma omp parallel for schedule(static, 1)
  for (std::size_t q = 0; q < questions; ++q)
    for (std::size_t i = 0; i < points.size() / dims; ++i)
      offer(answers[q], {distance(&points[q * dims], &points[i * dims], dims), static_cast<std::uint32_t>(i)});
}

/// Parts of points are replaced by the nearest of 64 words; the words are parts of the first points.
CORPUS_REGION void encode(const Floats& points, Bytes& codes) {
  constexpr std::size_t length = dims / parts;
#pragma omp parallel for
  for (std::size_t i = 0; i < points.size() / dims; ++i)
    for (std::size_t p = 0; p < parts; ++p) {
      float best = 1e9f;
      for (std::size_t w = 0; w < words; ++w) {
        const float d = distance(&points[i * dims + p * length], &points[w * dims + p * length], length);
        if (d < best) best = d, codes[i * parts + p] = static_cast<std::uint8_t>(w);
      }
    }
}

/// Sums of eight numbers from a table of 2 KiB, for each question.
CORPUS_REGION void search_codes(const Floats& points, const Bytes& codes, std::vector<Hits>& answers) {
  constexpr std::size_t length = dims / parts;
#pragma omp parallel for schedule(static, 1)
  for (std::size_t q = 0; q < questions; ++q) {
    std::array<float, parts * words> table;
    for (std::size_t p = 0; p < parts; ++p)
      for (std::size_t w = 0; w < words; ++w)
        table[p * words + w] = distance(&points[q * dims + p * length], &points[w * dims + p * length], length);
    for (std::size_t i = 0; i < codes.size() / parts; ++i) {
      float sum = 0;
      for (std::size_t p = 0; p < parts; ++p) sum += table[p * words + codes[i * parts + p]];
      offer(answers[q], {sum, static_cast<std::uint32_t>(i)});
    }
  }
}

/// Each point belongs to the list of the nearest of 64 points, by the first eight dimensions.
CORPUS_REGION void choose_lists(const Floats& points, Numbers& list) {
#pragma omp parallel for
  for (std::size_t i = 0; i < list.size(); ++i) {
    float best = 1e9f;
    for (std::uint32_t l = 0; l < lists; ++l) {
      const float d = distance(&points[i * dims], &points[l * dims], 8);
      if (d < best) best = d, list[i] = l;
    }
  }
}

CORPUS_REGION void fill_lists(const Numbers& list, Numbers& start, Numbers& members) {
  for (const std::uint32_t l : list) ++start[l + 2];
  std::partial_sum(start.begin(), start.end(), start.begin());
  for (std::size_t i = 0; i < list.size(); ++i) members[start[list[i] + 1]++] = static_cast<std::uint32_t>(i);
}

/// The list of the question itself: rows of points, gathered.
CORPUS_REGION void search_lists(const Floats& points, const Numbers& list, const Numbers& start, const Numbers& members,
                                std::vector<Hits>& answers) {
#pragma omp parallel for schedule(dynamic, 1)
  for (std::size_t q = 0; q < questions; ++q)
    for (std::size_t m = start[list[q]]; m < start[list[q] + 1]; ++m)
      offer(answers[q], {distance(&points[q * dims], &points[members[m] * dims], dims), members[m]});
}

/// 64 planes, each a difference of two points: on which side of them is it?
CORPUS_REGION void hash(const Floats& points, std::vector<std::uint64_t>& codes) {
#pragma omp parallel for
  for (std::size_t i = 0; i < codes.size(); ++i) {
    std::uint64_t code = 0;
    for (std::size_t plane = 0; plane < 64; ++plane) {
      float sum = 0;
      for (std::size_t d = 0; d < dims; d += 2)
        sum += points[i * dims + d] * (points[2 * plane * dims + d] - points[(2 * plane + 1) * dims + d]);
      code = code << 1 | (sum > 0 ? 1 : 0);
    }
    codes[i] = code;
  }
}

CORPUS_REGION void search_bits(const std::vector<std::uint64_t>& codes, std::vector<Hits>& answers) {
#pragma omp parallel for schedule(static, 1)
  for (std::size_t q = 0; q < questions; ++q)
    for (std::size_t i = 0; i < codes.size(); ++i)
      offer(answers[q], {static_cast<float>(std::popcount(codes[i] ^ codes[q])), static_cast<std::uint32_t>(i)});
}

struct Node {
  std::array<Hit, near> neighbours;  ///< the nearest that are known, in order
};

using Graph = std::vector<Node>;

CORPUS_REGION void random_graph(const Floats& points, Graph& graph, std::uint64_t seed) {
#pragma omp parallel for
  for (std::size_t i = 0; i < graph.size(); ++i) {
    for (std::size_t k = 0; k < near; ++k) {
      const std::uint32_t who = corpus::random_below(static_cast<std::uint32_t>(graph.size() - 1), seed, i * near + k);
      graph[i].neighbours[k] = {distance(&points[i * dims], &points[who * dims], dims), who};
    }
    std::sort(graph[i].neighbours.begin(), graph[i].neighbours.end());
  }
}

void insert(Node& node, Hit hit) {
  if (!(hit < node.neighbours.back())) return;
  for (const Hit& known : node.neighbours)
    if (known.who == hit.who) return;
  node.neighbours.back() = hit;
  for (std::size_t k = near - 1; k > 0 && node.neighbours[k] < node.neighbours[k - 1]; --k)
    std::swap(node.neighbours[k], node.neighbours[k - 1]);
}

/// Neighbours of neighbours may be nearer.
CORPUS_REGION void descend(const Floats& points, const Graph& from, Graph& to) {
#pragma omp parallel for schedule(dynamic, 64)
  for (std::size_t i = 0; i < from.size(); ++i) {
    to[i] = from[i];
    for (std::size_t k = 0; k < 4; ++k)
      for (std::size_t l = 0; l < 4; ++l) {
        const std::uint32_t who = from[from[i].neighbours[k].who].neighbours[l].who;
        if (who != i) insert(to[i], {distance(&points[i * dims], &points[who * dims], dims), who});
      }
  }
}

CORPUS_REGION double mean_distance(const Graph& graph) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t i = 0; i < graph.size(); ++i) sum += static_cast<double>(graph[i].neighbours[0].distance);
  return sum / static_cast<double>(graph.size());
}

/// From random nodes, always to the neighbour that is nearest to the question, until none is nearer.
CORPUS_REGION void walk(const Floats& points, const Graph& graph, std::vector<Hits>& answers) {
#pragma omp parallel for schedule(dynamic, 1)
  for (std::size_t q = 0; q < questions; ++q)
    for (std::size_t start = 0; start < 64; ++start) {
      Hit at{1e9f, corpus::random_below(static_cast<std::uint32_t>(graph.size() - 1), q, start)}, best = at;
      do {
        at = best;
        for (const Hit& next : graph[at.who].neighbours) {
          const Hit hit{distance(&points[q * dims], &points[next.who * dims], dims), next.who};
          if (hit < best) best = hit;
        }
      } while (best < at);
      offer(answers[q], at);
    }
}

/// Of how many questions the nearest point, itself, was found.
std::size_t found(std::vector<Hits>& answers) {
  std::size_t count = 0;
  for (std::uint32_t q = 0; q < questions; ++q) {
    count += std::any_of(answers[q].begin(), answers[q].end(), [q](const Hit& hit) { return hit.who == q; });
    answers[q] = nothing_yet();
  }
  return count;
}

corpus::Answer program(const corpus::Input& input) {
  const std::size_t n = input.pick<std::size_t>(10'000, 18'000);
  Floats points(n * dims);
  make_points(points, input.seed);
  std::vector<Hits> answers(questions, nothing_yet());
  search_exact(points, answers);
  bool right = found(answers) == questions;
  Bytes codes(n * parts);
  encode(points, codes);
  search_codes(points, codes, answers);
  double checksum = static_cast<double>(found(answers));
  Numbers list(n), start(lists + 2), members(n);
  choose_lists(points, list);
  fill_lists(list, start, members);
  search_lists(points, list, start, members, answers);
  right = right && found(answers) == questions;
  std::vector<std::uint64_t> planes(n);
  hash(points, planes);
  search_bits(planes, answers);
  right = right && found(answers) == questions;
  Graph graph(n), better(n);
  random_graph(points, graph, input.seed);
  const double before = mean_distance(graph);
  for (int round = 0; round < 3; ++round) {
    descend(points, graph, better);
    graph.swap(better);
  }
  walk(points, graph, answers);
  checksum += static_cast<double>(found(answers));
  const double after = mean_distance(graph);
  return {.checksum = checksum + after, .right = right && after < before / 2};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, program); }
