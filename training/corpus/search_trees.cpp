// Searching: a B+ tree built from sorted keys, an unbalanced binary search tree, a trie over words, binary search in a
// sorted array and in Eytzinger's order. Source: Bayer and McCreight, Acta Informatica 1, 1972; Knuth, The Art of
// Computer Programming 3, sections 6.2 and 6.3; Khuong and Morin, ACM JEA 22, 2017.
#include <algorithm>
#include <vector>

#include "training/corpus/corpus.h"
#include "training/corpus/random.h"

namespace {

using Key = std::uint32_t;
using Keys = std::vector<Key>;

CORPUS_REGION Keys make_sorted(std::size_t count, corpus::Random& random) {
  Keys keys(count);
  Key last = 0;
  for (Key& key : keys) key = last += 1 + random.below(5);
  return keys;
}

CORPUS_REGION Keys make_questions(const Keys& keys, std::size_t count, corpus::Random& random) {
  Keys questions(count);
  for (Key& question : questions) question = keys[random.below(keys.size())];
  return questions;
}

constexpr std::size_t fanout = 16;

/// Levels from the leaves up; a node is 16 keys side by side, the smallest of each child.
CORPUS_REGION std::vector<Keys> build_btree(const Keys& sorted) {
  std::vector<Keys> levels{sorted};
  while (levels.back().size() > fanout) {
    Keys above;
    for (std::size_t i = 0; i < levels.back().size(); i += fanout) above.push_back(levels.back()[i]);
    levels.push_back(above);
  }
  return levels;
}

CORPUS_REGION std::uint64_t search_btree(const std::vector<Keys>& levels, const Keys& questions) {
  std::uint64_t sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t i = 0; i < questions.size(); ++i) {
    std::size_t node = 0;
    for (std::size_t level = levels.size(); level-- > 0;) {
      const Keys& keys = levels[level];
      const std::size_t end = std::min(node + fanout, keys.size());
      std::size_t child = node;
      while (child + 1 < end && keys[child + 1] <= questions[i]) ++child;
      node = level > 0 ? child * fanout : child;
    }
    sum += node;
  }
  return sum;
}

CORPUS_REGION std::uint64_t search_sorted(const Keys& keys, const Keys& questions) {
  std::uint64_t sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t i = 0; i < questions.size(); ++i) {
    std::size_t low = 0, high = keys.size();
    while (high - low > 1) {
      const std::size_t middle = (low + high) / 2;
      if (keys[middle] <= questions[i])
        low = middle;
      else
        high = middle;
    }
    sum += low;
  }
  return sum;
}

CORPUS_REGION void to_eytzinger(const Keys& sorted, Keys& tree) {
  std::vector<std::size_t> path;
  std::size_t next = 0, node = 1;
  while (node < tree.size() || !path.empty()) {
    for (; node < tree.size(); node *= 2) path.push_back(node);
    node = path.back();
    path.pop_back();
    tree[node] = sorted[next++];
    node = 2 * node + 1;
  }
}

/// No branches but the loop's: the addresses of the next level depend on the comparison.
CORPUS_REGION std::uint64_t search_eytzinger(const Keys& tree, const Keys& questions) {
  std::uint64_t found = 0;
#pragma omp parallel for reduction(+ : found)
  for (std::size_t i = 0; i < questions.size(); ++i) {
    std::size_t node = 1, last = 1;
    while (node < tree.size()) {
      last = tree[node] <= questions[i] ? node : last;
      node = 2 * node + (tree[node] <= questions[i]);
    }
    found += tree[last] == questions[i];
  }
  return found;
}

struct Node {
  Key key;
  std::uint32_t child[2];
  std::uint32_t asked;
};

CORPUS_REGION void insert_all(std::vector<Node>& tree, const Keys& keys) {
  for (const Key key : keys) {
    std::uint32_t at = 0;
    while (tree[at].key != key) {
      std::uint32_t& child = tree[at].child[key > tree[at].key];
      if (child == 0) {
        child = static_cast<std::uint32_t>(tree.size());
        tree.push_back({key, {0, 0}, 0});
        break;
      }
      at = child;
    }
  }
}

CORPUS_REGION std::uint64_t search_tree(const std::vector<Node>& tree, const Keys& questions) {
  std::uint64_t depth = 0;
#pragma omp parallel for schedule(dynamic, 128) reduction(+ : depth)
  for (std::size_t i = 0; i < questions.size(); ++i) {
    std::uint32_t at = 0;
    do {
      at = tree[at].child[questions[i] > tree[at].key];
      ++depth;
    } while (at != 0 && tree[at].key != questions[i]);
  }
  return depth;
}

struct Letter {
  std::uint32_t next[8];
  std::uint32_t words;
};

/// A key is a word of letters of three bits, the last ones first.
CORPUS_REGION void add_words(std::vector<Letter>& trie, const Keys& keys) {
  for (const Key key : keys) {
    std::uint32_t at = 0;
    for (int shift = 0; shift < 21; shift += 3) {
      const std::size_t letter = key >> shift & 7;
      if (trie[at].next[letter] == 0) {
        trie[at].next[letter] = static_cast<std::uint32_t>(trie.size());
        trie.push_back({});
      }
      at = trie[at].next[letter];
    }
    ++trie[at].words;
  }
}

CORPUS_REGION std::uint64_t find_words(const std::vector<Letter>& trie, const Keys& keys) {
  std::uint64_t found = 0;
#pragma omp parallel for reduction(+ : found)
  for (std::size_t i = 0; i < keys.size(); ++i) {
    std::uint32_t at = 0;
    for (int shift = 0; shift < 21 && (shift == 0 || at != 0); shift += 3) at = trie[at].next[keys[i] >> shift & 7];
    found += at != 0 && trie[at].words > 0;
  }
  return found;
}

corpus::Answer program(const corpus::Input& input) {
  corpus::Random random(input.seed);
  const Keys sorted = make_sorted(input.pick<std::size_t>(200'000, 360'000), random);
  const Keys questions = make_questions(sorted, input.pick<std::size_t>(12'000, 20'000), random);
  const std::uint64_t by_tree = search_btree(build_btree(sorted), questions);
  bool right = by_tree == search_sorted(sorted, questions);
  Keys order(sorted.size() + 1);
  to_eytzinger(sorted, order);
  right = right && search_eytzinger(order, questions) == questions.size();
  std::vector<Node> tree{{sorted[sorted.size() / 2], {0, 0}, 0}};
  tree.reserve(questions.size() + 1);
  insert_all(tree, questions);
  const std::uint64_t depth = search_tree(tree, questions);
  std::vector<Letter> trie(1);
  trie.reserve(questions.size() * 4);
  add_words(trie, questions);
  right = right && find_words(trie, questions) == questions.size();
  return {.checksum = static_cast<double>(by_tree + depth + trie.size()), .right = right};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, program); }
