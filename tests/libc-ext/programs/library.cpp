// A library of blocks.cpp: memory at its begin and end, and for others.
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

std::vector<char> held(200'000, 'x');
struct Ends {
  Ends() : block(std::malloc(500'000)) { std::memset(block, 1, 500'000); }
  ~Ends() { std::free(block); }
  void* block;
};
const Ends ends;

}  // namespace

extern "C" void* make_block(std::size_t bytes) {
  void* const block = std::malloc(bytes + held.size() * 0);
  return block;
}

extern "C" unsigned char table_of_library[500'000];
unsigned char table_of_library[500'000];
