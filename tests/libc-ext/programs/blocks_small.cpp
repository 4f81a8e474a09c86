// Small blocks that places ask for so often that they come from arenas: cases of blocks.cpp.
#include <array>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#include "blocks.h"

namespace {

struct Node {
  Node *left = nullptr, *right = nullptr;
  std::size_t key = 0;
};

/// Two places that ask in the same way, through the same operator new and at the same depth.
[[gnu::noinline]] Node* hot_node() { return opaque(new Node); }
[[gnu::noinline]] Node* cold_node() { return opaque(new Node); }

void insert(Node*& root, std::size_t key) {
  Node** place = &root;
  while (*place) place = key < (*place)->key ? &(*place)->left : &(*place)->right;
  *place = hot_node();
  (*place)->key = key;
}

std::size_t removed(Node* root) {
  if (!root) return 0;
  const std::size_t count = removed(root->left) + removed(root->right) + 1;
  delete root;
  return count;
}

std::uintptr_t mib_of(const void* block) { return reinterpret_cast<std::uintptr_t>(block) / MiB; }

struct Block {
  void* at = nullptr;
  std::size_t bytes = 0;
  unsigned seed = 0;
};

/// In one of the ways that there are.
void allocate_again(Block& block, unsigned way, std::size_t bytes) {
  if (way == 0) {
    const std::size_t kept = std::min(bytes, block.bytes);
    block.at = opaque(std::realloc(block.at, bytes + 1));
    CHECK(block.at && holds(block.at, kept, block.seed));
    return;
  }
  std::free(block.at);
  if (way == 1) {
    block.at = opaque(std::calloc(1, bytes + 1));
    CHECK(block.at && is_zero(block.at, bytes + 1));
  } else if (way == 2) {
    block.at = opaque(aligned_alloc(256, bytes + 1));
    CHECK(aligned(block.at, 256));
  } else {
    block.at = opaque(std::malloc(bytes));
    CHECK(block.at && aligned(block.at, 16));
  }
}

/// Blocks of many sizes live at a time; each has what was written, whatever is given back between.
void many_sizes(unsigned seed) {
  std::vector<Block> live(600);
  std::size_t random = seed;
  for (int i = 0; i < 40'000; ++i) {
    random = random * 6364136223846793005ULL + 1442695040888963407ULL;
    Block& block = live[(random >> 33) % live.size()];
    if (block.at) CHECK(holds(block.at, block.bytes, block.seed) && malloc_usable_size(block.at) >= block.bytes);
    const std::size_t bytes = (random >> 20) % 7 == 0 ? (random >> 40) % 60'000 : (random >> 40) % 300;
    allocate_again(block, (random >> 17) % 5, bytes);
    block.bytes = bytes;
    block.seed = static_cast<unsigned>(i);
    fill(block.at, bytes, block.seed);
  }
  for (Block& block : live) {
    if (block.at) CHECK(holds(block.at, block.bytes, block.seed));
    std::free(block.at);
  }
}

}  // namespace

void small() {
  Node* root = nullptr;
  for (std::size_t i = 0; i < 100'000; ++i) insert(root, i * 7919 % 100'003);
  CHECK(removed(root) == 100'000);
  many_sizes(1);
  // One thread allocates, others give back; threads end while their blocks live.
  std::vector<Node*> handed;
  std::thread([&] {
    for (int i = 0; i < 60'000; ++i) handed.push_back(hot_node());
  }).join();
  std::vector<std::thread> threads;
  for (unsigned id = 0; id < 4; ++id) {
    threads.emplace_back([&handed, id] {
      for (std::size_t i = id; i < handed.size(); i += 4) delete handed[i];
      many_sizes(id + 2);
    });
  }
  for (std::thread& thread : threads) thread.join();
  const pid_t child = fork();
  if (child == 0) {
    many_sizes(9);
    _exit(0);
  }
  CHECK(wait_for(child) == 0);
  many_sizes(10);
}

/// Blocks of the two places do not share a MiB, which is what an arena grows by.
void apart() {
  for (int i = 0; i < 400'000; ++i) {
    const bool share = mib_of(hot_node()) == mib_of(cold_node());
    CHECK(!share || i < 300'000);
  }
}

/// No thread asks for 4 MiB at a place, but six do together: the last one has the blocks of the two places apart.
void together() {
  constexpr int nodes = 60'000, last = 1000;  // of 24 bytes: 1.4 MiB a thread
  std::array<int, 6> sharing{};
  for (int& of : sharing) {
    std::thread([&of] {
      for (int i = 0; i < nodes; ++i) {
        const bool share = mib_of(hot_node()) == mib_of(cold_node());
        of += share && i >= nodes - last;
      }
    }).join();
  }
  CHECK(sharing.front() > last / 2);
  CHECK(sharing.back() == 0);
}
