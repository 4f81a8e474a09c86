// What the cases of blocks.cpp share.
#pragma once

#include <malloc.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

inline constexpr std::size_t KiB = 1024, MiB = 1024 * KiB;
// On both sides of the threshold (64 KiB), and of what malloc maps by itself (128 KiB).
inline constexpr std::size_t sizes[] = {
    1, 100, 4096, 60 * KiB, 64 * KiB - 1, 64 * KiB, 64 * KiB + 1, 100 * KiB + 3, 129 * KiB + 1, MiB + 5, 9 * MiB};

#define CHECK(what)                                                             \
  do {                                                                          \
    if (!(what)) {                                                              \
      std::printf("line %d: %s is false (errno %d)\n", __LINE__, #what, errno); \
      std::exit(1);                                                             \
    }                                                                           \
  } while (false)

/// The compiler must not know what is done with a block.
template <class T>
T* opaque(T* pointer) {
  asm volatile("" : "+r"(pointer)::"memory");
  return pointer;
}
inline std::size_t opaque(std::size_t number) {
  asm volatile("" : "+r"(number));
  return number;
}

inline unsigned char byte_at(std::size_t at, unsigned seed) {
  return static_cast<unsigned char>(at * 131 + at / 4096 + seed);
}

inline void fill(void* block, std::size_t bytes, unsigned seed) {
  auto* const at = static_cast<unsigned char*>(opaque(block));
  for (std::size_t i = 0; i < bytes; ++i) at[i] = byte_at(i, seed);
}

inline bool holds(const void* block, std::size_t bytes, unsigned seed) {
  const auto* const at = static_cast<const unsigned char*>(opaque(block));
  for (std::size_t i = 0; i < bytes; ++i) {
    if (at[i] != byte_at(i, seed)) return false;
  }
  return true;
}

inline bool is_zero(const void* block, std::size_t bytes) {
  const auto* const at = static_cast<const unsigned char*>(opaque(block));
  for (std::size_t i = 0; i < bytes; ++i) {
    if (at[i] != 0) return false;
  }
  return true;
}

inline bool aligned(const void* block, std::size_t to) { return reinterpret_cast<std::uintptr_t>(block) % to == 0; }

inline int wait_for(pid_t child) {
  int status = 0;
  CHECK(waitpid(child, &status, 0) == child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

// Cases of blocks_process.cpp.
void threads();
void forks();
void libraries();
void signals();
void at_exit();

// Cases of blocks_pages.cpp.
void mappings();
void variables();

// Of before.cpp.
extern "C" void* block_from_before();

// Cases of blocks_small.cpp.
void small();
void apart();
void together();
