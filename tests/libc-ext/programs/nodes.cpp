// A program of small nodes: a search tree that is used all the time, and a list that is gone through once, each node a
// block of its own. The list comes first, so that first touch fills fast memory with it. A third word: lanes race for
// nodes.
#include <omp.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace {

struct Node {
  Node *left, *right;
  std::uint64_t key, value;
};

std::uint64_t next_random(std::uint64_t& state) {
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

/// Front of a list of `count` nodes. Each of the two has a place of its own.
[[gnu::noinline]] Node* log_of(std::uint64_t count) {
  Node* first = nullptr;
  for (std::uint64_t i = 0; i < count; ++i) first = new Node{first, nullptr, i, 1};
  return first;
}

[[gnu::noinline]] Node* index_of(std::uint64_t count) {
  Node* root = nullptr;
  std::uint64_t state = 88172645463325252ULL;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t key = next_random(state);
    Node** place = &root;
    while (*place) place = key < (*place)->key ? &(*place)->left : &(*place)->right;
    *place = new Node{nullptr, nullptr, key, i};
  }
  return root;
}

void remove(Node* root) {
  if (!root) return;
  remove(root->left);
  remove(root->right);
  delete root;
}

std::uint64_t looked_up(const Node* root, std::uint64_t seed, int times) {
  std::uint64_t state = seed * 2654435761ULL + 1, sum = 0;
  for (int i = 0; i < times; ++i) {
    const std::uint64_t key = next_random(state);
    for (const Node* at = root; at; at = key < at->key ? at->left : at->right) sum += at->value;
  }
  return sum;
}

/// Lanes that race for nodes: each builds a tree, and the next one removes it in the round after.
void race(std::uint64_t nodes, int rounds) {
  constexpr int lanes = 4;
  Node* trees[lanes] = {};
  std::uint64_t sum = 0;
  for (int round = 0; round < rounds; ++round) {
#pragma omp parallel num_threads(lanes) reduction(+ : sum)
    {
      const auto lane = static_cast<std::size_t>(omp_get_thread_num());
      remove(trees[(lane + 1) % lanes]);
#pragma omp barrier
      trees[lane] = index_of(nodes);
      sum += looked_up(trees[lane], lane, 300);
    }
  }
  std::printf("sum %llu\n", static_cast<unsigned long long>(sum));
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t nodes = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1'000'000;
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 12;
  if (argc > 3) {
    race(nodes, rounds);
    return 0;
  }
  const Node* const first = log_of(nodes - nodes / 5);
  const Node* const root = index_of(nodes / 5);
  std::uint64_t sum = 0;
  for (int round = 0; round < rounds; ++round) {
#pragma omp parallel for reduction(+ : sum)
    for (int lane = 0; lane < 4; ++lane) sum += looked_up(root, static_cast<std::uint64_t>(round * 4 + lane), 500);
  }
  for (const Node* at = first; at; at = at->left) sum += at->value;
  std::printf("sum %llu\n", static_cast<unsigned long long>(sum));
}
