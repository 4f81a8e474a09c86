// A graph that changes: edges are inserted into chains of blocks, into an array with gaps, into tables by hash and as
// sorted batches that are merged; deleted again; degrees, components and ranks follow each batch.
// Source: Ediger, McColl, Riedy, Bader, HPEC 2012 (blocked adjacency); Bender, Demaine, Farach-Colton, SIAM J.
// Computing 35, 2005 (arrays with gaps); O'Neil et al., Acta Informatica 33, 1996 (levels of sorted runs); Tarjan, JACM
// 22, 1975 (components).
#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <vector>

#include "training/corpus/corpus.h"
#include "training/corpus/random.h"

namespace {

using Node = std::uint32_t;
using Nodes = std::vector<Node>;
using Keys = std::vector<std::uint64_t>;  // sender and receiver of an edge in one number
constexpr Node none = ~Node{0};
constexpr std::uint64_t empty = ~std::uint64_t{0};

Node from(std::uint64_t key) { return static_cast<Node>(key >> 32); }
Node to(std::uint64_t key) { return static_cast<Node>(key); }

/// A stream of edges in no order, the same one never twice: edges of a sender are numbered one after the other, and
/// fewer than nodes. The first nodes send most.
CORPUS_REGION void make_stream(Node nodes, std::uint64_t seed, Keys& stream) {
#pragma omp parallel for
  for (std::size_t i = 0; i < stream.size(); ++i) {
    const std::uint64_t number = (i * 7919 + seed) % stream.size();
    const double share = static_cast<double>(number) / static_cast<double>(stream.size());
    const auto sender = static_cast<std::uint64_t>(share * share * nodes);
    stream[i] = sender << 32 | (sender * 31 + number * 17) % nodes;
  }
}

struct Block {
  std::array<Node, 13> to;
  std::uint16_t count, pad;
  Node next;
  Node unused;
};

struct Blocks {
  std::vector<Block> pool;
  Nodes first;
};

/// Into the newest block of the sender, or into a new one in front of it.
CORPUS_REGION void insert_into_blocks(const Keys& stream, Blocks& g) {
  for (const std::uint64_t key : stream) {
    Node& first = g.first[from(key)];
    if (first == none || g.pool[first].count == g.pool[first].to.size()) {
      g.pool.push_back({.to = {}, .count = 0, .pad = 0, .next = first, .unused = 0});
      first = static_cast<Node>(g.pool.size() - 1);
    }
    g.pool[first].to[g.pool[first].count++] = to(key);
  }
}

/// Along the chains of blocks; the hole is filled from the newest block.
CORPUS_REGION std::size_t erase_from_blocks(const Keys& stream, std::size_t step, Blocks& g) {
  std::size_t erased = 0;
  for (std::size_t i = 0; i < stream.size(); i += step) {
    Node& first = g.first[from(stream[i])];
    for (Node b = first; b != none; b = g.pool[b].next) {
      Block& block = g.pool[b];
      Node* const end = block.to.data() + block.count;
      Node* const place = std::find(block.to.data(), end, to(stream[i]));
      if (place == end) continue;
      Block& newest = g.pool[first];
      *place = newest.to[--newest.count];
      if (newest.count == 0) first = newest.next;
      ++erased;
      break;
    }
  }
  return erased;
}

CORPUS_REGION void chain_degrees(const Blocks& g, Nodes& degree) {
#pragma omp parallel for schedule(static, 64)
  for (std::size_t node = 0; node < degree.size(); ++node)
    for (Node b = g.first[node]; b != none; b = g.pool[b].next) degree[node] += g.pool[b].count;
}

/// One step of ranks along the chains.
CORPUS_REGION void push_ranks(const Blocks& g, const Nodes& degree, const Keys& rank, Keys& next) {
  for (std::size_t node = 0; node < degree.size(); ++node)
    for (Node b = g.first[node]; b != none; b = g.pool[b].next)
      for (Node k = 0; k < g.pool[b].count; ++k) next[g.pool[b].to[k]] += rank[node] / degree[node];
}

/// All chains into one array, each in a piece of its own.
CORPUS_REGION void pack(const Blocks& g, const Nodes& begin, Nodes& packed) {
#pragma omp parallel for
  for (std::size_t node = 0; node < g.first.size(); ++node) {
    Node next = begin[node];
    for (Node b = g.first[node]; b != none; b = g.pool[b].next)
      for (Node k = 0; k < g.pool[b].count; ++k) packed[next++] = g.pool[b].to[k];
  }
}

/// By receivers' hashes, with marks of what is gone.
struct Table {
  Keys slots;
  std::size_t start(std::uint64_t key) const { return corpus::random_bits(7, key) & (slots.size() - 1); }
  std::size_t after(std::size_t slot) const { return (slot + 1) & (slots.size() - 1); }
};

CORPUS_REGION void insert_into_table(const Keys& stream, Table& table) {
  for (const std::uint64_t key : stream) {
    std::size_t slot = table.start(key);
    while (table.slots[slot] != empty) slot = table.after(slot);
    table.slots[slot] = key;
  }
}

/// What follows is moved back, so that no mark is left.
CORPUS_REGION std::size_t erase_from_table(const Keys& stream, std::size_t step, Table& table) {
  std::size_t erased = 0;
  for (std::size_t i = 0; i < stream.size(); i += step) {
    std::size_t hole = table.start(stream[i]);
    while (table.slots[hole] != stream[i] && table.slots[hole] != empty) hole = table.after(hole);
    if (table.slots[hole] == empty) continue;
    ++erased;
    for (std::size_t slot = table.after(hole); table.slots[slot] != empty; slot = table.after(slot)) {
      const std::size_t mask = table.slots.size() - 1, start = table.start(table.slots[slot]);
      if (((slot - start) & mask) < ((slot - hole) & mask)) continue;
      table.slots[hole] = table.slots[slot];
      hole = slot;
    }
    table.slots[hole] = empty;
  }
  return erased;
}

CORPUS_REGION std::size_t ask(const Table& table, const Keys& questions) {
  std::size_t found = 0;
#pragma omp parallel for reduction(+ : found)
  for (std::size_t i = 0; i < questions.size(); ++i) {
    std::size_t slot = table.start(questions[i]);
    while (table.slots[slot] != questions[i] && table.slots[slot] != empty) slot = table.after(slot);
    found += table.slots[slot] == questions[i];
  }
  return found;
}

/// Edges in order with gaps between them; segments of 32 slots have their edges at the front.
struct Gapped {
  Keys slots;
  std::vector<std::uint8_t> used;
};
constexpr std::size_t segment = 32;

/// Spreads the edges of segments first to last - 1 evenly.
void spread(Gapped& g, std::size_t first, std::size_t last, Keys& scratch) {
  scratch.clear();
  for (std::size_t s = first; s < last; ++s)
    scratch.insert(scratch.end(), &g.slots[s * segment], &g.slots[s * segment] + g.used[s]);
  for (std::size_t s = first, taken = 0; s < last; ++s) {
    const std::size_t until = scratch.size() * (s + 1 - first) / (last - first);
    std::copy(&scratch[taken], scratch.data() + until, &g.slots[s * segment]);
    g.used[s] = static_cast<std::uint8_t>(until - taken);
    taken = until;
  }
}

/// Finds the segment by halving, shifts within it; a full one shares with neighbours, as many as it takes.
CORPUS_REGION void insert_into_gaps(const Keys& stream, Gapped& g) {
  Keys scratch;
  for (const std::uint64_t key : stream) {
    std::size_t low = 0;
    for (std::size_t size = g.used.size() / 2; size > 0; size /= 2)
      if (g.slots[(low + size) * segment] <= key) low += size;
    std::uint64_t* const begin = &g.slots[low * segment];
    std::size_t place = g.used[low];
    for (; place > 0 && begin[place - 1] > key; --place) begin[place] = begin[place - 1];
    begin[place] = key;
    if (++g.used[low] < segment) continue;
    for (std::size_t size = 2; size <= g.used.size(); size *= 2) {
      const std::size_t first = low / size * size;
      const auto sum = std::accumulate(&g.used[first], &g.used[first] + size, std::size_t{0});
      if (sum > size * segment * 7 / 10 && size < g.used.size()) continue;
      spread(g, first, first + size, scratch);
      break;
    }
  }
}

CORPUS_REGION std::uint64_t scan_gaps(const Gapped& g, Nodes& degree) {
  std::uint64_t sum = 0, last = 0;
  for (std::size_t s = 0; s < g.used.size(); ++s)
    for (std::size_t i = s * segment; i < s * segment + g.used[s]; ++i) {
      ++degree[from(g.slots[i])];
      sum += g.slots[i] < last;
      last = g.slots[i];
    }
  return sum;
}

/// Two sorted runs into one.
CORPUS_REGION void merge_runs(const Keys& a, const Keys& b, Keys& both) {
  std::size_t i = 0, j = 0;
  for (std::uint64_t& key : both) key = j == b.size() || (i < a.size() && a[i] < b[j]) ? a[i++] : b[j++];
}

/// Batches are sorted, and runs of equal size merged, as a counter of bits does it.
CORPUS_REGION std::size_t insert_batches(const Keys& stream, std::size_t batch, std::vector<Keys>& levels) {
  std::size_t merges = 0;
  for (std::size_t i = 0; i < stream.size(); i += batch) {
    Keys run(&stream[i], &stream[i] + batch);
    std::sort(run.begin(), run.end());
    std::size_t level = 0;
    for (; !levels[level].empty(); ++level, ++merges) {
      Keys both(run.size() + levels[level].size());
      merge_runs(run, levels[level], both);
      run.swap(both);
      levels[level].clear();
    }
    levels[level].swap(run);
  }
  return merges;
}

CORPUS_REGION std::size_t ask_levels(const std::vector<Keys>& levels, const Keys& questions) {
  std::size_t found = 0;
#pragma omp parallel for reduction(+ : found)
  for (std::size_t i = 0; i < questions.size(); ++i)
    for (const Keys& run : levels) found += std::binary_search(run.begin(), run.end(), questions[i]);
  return found;
}

/// Components by union with halving, while edges come in.
CORPUS_REGION Node join(const Keys& stream, Nodes& parent) {
  Node joined = 0;
  for (const std::uint64_t key : stream) {
    Node a = from(key), b = to(key);
    while (parent[a] != a) a = parent[a] = parent[parent[a]];
    while (parent[b] != b) b = parent[b] = parent[parent[b]];
    if (a == b) continue;
    parent[std::max(a, b)] = std::min(a, b);
    ++joined;
  }
  return joined;
}

corpus::Answer program(const corpus::Input& input) {
  const Node nodes = input.pick<Node>(16'384, 24'576);
  Keys stream(4 * nodes), rank(nodes, 1u << 20), next(nodes);
  make_stream(nodes, input.seed, stream);
  Blocks blocks{{}, Nodes(nodes, none)};
  insert_into_blocks(stream, blocks);
  const std::size_t erased = erase_from_blocks(stream, 5, blocks);
  Nodes degree(nodes), begin(nodes + 1), parent(nodes), gaps(nodes);
  chain_degrees(blocks, degree);
  push_ranks(blocks, degree, rank, next);
  std::partial_sum(degree.begin(), degree.end(), begin.begin() + 1);
  Nodes packed(begin[nodes]);
  pack(blocks, begin, packed);
  Table table{Keys(std::bit_ceil(stream.size() * 4 / 3), empty)};
  insert_into_table(stream, table);
  bool right = ask(table, stream) == stream.size() && erase_from_table(stream, 5, table) == erased;
  right = right && ask(table, stream) == packed.size() && erased == (stream.size() + 4) / 5;
  Gapped gapped{Keys(2 * std::bit_ceil(stream.size())), std::vector<std::uint8_t>(std::bit_ceil(stream.size()) / 16)};
  for (std::size_t s = 1; s < gapped.used.size(); ++s) gapped.slots[s * segment] = empty - 1;
  insert_into_gaps(stream, gapped);
  right = right && scan_gaps(gapped, gaps) == 0;
  std::vector<Keys> levels(20);
  const std::size_t merges = insert_batches(stream, nodes / 16, levels);
  right = right && ask_levels(levels, stream) == stream.size() && ask_levels(levels, rank) == 0;
  std::iota(parent.begin(), parent.end(), 0u);
  const Node joined = join(stream, parent);
  for (std::size_t node = 0; node < nodes; ++node) right = right && gaps[node] >= degree[node];
  const auto sum = std::accumulate(next.begin(), next.end(), std::accumulate(packed.begin(), packed.end(), 0.0));
  return {.checksum = sum + static_cast<double>(joined + merges), .right = right};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, program); }
