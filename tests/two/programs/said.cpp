// said HOW: places a block itself, asks LB-HM to move it (lbhm_move), and says where its pages are; and where those of
// the next block are, of which nothing is said. Blocks are asked for again and again at one place.
//   mbind      binds the block to node 1 before it touches it
//   touched    the same after it has touched it
//   half       the second half alone
//   by-turns   pages on both nodes by turns
//   grown      binds the block, touches it, and lets realloc make it larger: what it had stays where it was
//   libnuma    numa_tonode_memory
//   home       set_mempolicy_home_node
//   moved      move_pages
//   thread     the thread is bound to node 1 while the block is asked for and touched
//   before     the thread is bound when the block is there, and nobody has touched it yet
//   back       binds the block and takes that back
//   nothing    says nothing
#include <dlfcn.h>
#include <lbhm/lbhm.h>
#include <linux/mempolicy.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "facts/memory.h"

namespace {

constexpr std::size_t bytes = std::size_t{4} << 20;
constexpr long home_node_call = 450;

char* get() {
  auto* const block = static_cast<char*>(std::aligned_alloc(4096, bytes));
  asm volatile("" ::"r"(block) : "memory");
  return block;
}

void bind(const char* memory, std::size_t size, int mode, unsigned long nodes) {
  if (syscall(SYS_mbind, memory, size, mode, nodes ? &nodes : nullptr, nodes ? 64 : 0, 0) != 0) std::perror("mbind");
}

void choose(int mode, unsigned long nodes) {
  if (syscall(SYS_set_mempolicy, mode, nodes ? &nodes : nullptr, nodes ? 64 : 0) != 0) std::perror("set_mempolicy");
}

void move_away(char* memory) {
  std::vector<void*> pages;
  for (char* page = memory; page < memory + bytes; page += 4096) pages.push_back(page);
  const std::vector<int> nodes(pages.size(), facts::slow);
  std::vector<int> status(pages.size());
  if (syscall(SYS_move_pages, 0, pages.size(), pages.data(), nodes.data(), status.data(), MPOL_MF_MOVE) != 0)
    std::perror("move_pages");
}

void by_libnuma(void* memory) {
  void* const library = dlopen("libnuma.so.1", RTLD_NOW);
  auto* const bind_to =
      library ? reinterpret_cast<void (*)(void*, std::size_t, int)>(dlsym(library, "numa_tonode_memory")) : nullptr;
  if (bind_to) bind_to(memory, bytes, facts::slow);
}

void print(const char* name, const char* block, bool listened) {
  int on[2] = {0, 0};
  for (const int node : facts::nodes_of(block, bytes)) ++on[node == facts::slow];
  std::printf("%s %d %d %s\n", name, on[0], on[1], listened ? "moved" : "stayed");
}

}  // namespace

int main(int, char** words) {
  const std::string how = words[1];
#pragma omp parallel
  asm volatile("" ::: "memory");
  for (int i = 0; i < 3; ++i) {  // a kept block has pages that were touched
    char* const block = get();
    std::memset(block, 1, bytes);
    std::free(block);
  }
  if (how == "thread") choose(MPOL_BIND, 2);
  char* block = how == "before" ? static_cast<char*>(std::aligned_alloc(4096, bytes + 4096)) : get();
  if (how == "touched" || how == "moved") std::memset(block, 2, bytes);
  if (how == "before") choose(MPOL_BIND, 2);
  if (how == "mbind" || how == "touched" || how == "back" || how == "grown") bind(block, bytes, MPOL_BIND, 2);
  if (how == "half") bind(block + bytes / 2, bytes / 2, MPOL_BIND, 2);
  if (how == "by-turns") bind(block, bytes, MPOL_INTERLEAVE, 3);
  if (how == "libnuma") by_libnuma(block);
  if (how == "home") {
    bind(block, bytes, MPOL_BIND, 2);
    syscall(home_node_call, block, bytes, facts::slow, 0);
  }
  if (how == "moved") move_away(block);
  if (how == "back") bind(block, bytes, MPOL_DEFAULT, 0);
  std::memset(block, 2, bytes);
  if (how == "thread" || how == "before") choose(MPOL_DEFAULT, 0);
  if (how == "grown")
    if (auto* const grown = static_cast<char*>(std::realloc(block, 4 * bytes))) block = grown;
  const auto move_to = [&](int tier) { return lbhm_move && lbhm_move(block, tier) == 0; };
  bool moved = move_to(facts::slow);
  moved = move_to(facts::fast) && moved;
  print("said", block, moved);
  std::free(block);
  block = get();
  std::memset(block, 3, bytes);
  print("next", block, lbhm_move && lbhm_move(block, facts::fast) == 0);
}
