// A library that blocks.cpp is linked with: its constructor runs before those of LB-HM, which is preloaded.
#include <cstdlib>
#include <cstring>

namespace {

void* early_block;

__attribute__((constructor)) void begin() {
  early_block = std::malloc(300'001);
  std::memset(early_block, 9, 300'001);
}

}  // namespace

extern "C" void* block_from_before() { return early_block; }
