// Programs find the environment behind argv and the auxiliary vector behind that (Go's runtime), take all texts for one
// piece of memory, and write another name for themselves over it (setproctitle). All of that is so in the copies, too,
// and the kernel is told of them: /proc/self/cmdline and environ show them from now on.
#include "libomp-ext/virtual/start/first_words.h"

#include <elf.h>
#include <linux/prctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "libomp-ext/virtual/start/process_fields.h"

namespace lbhm::openmp {
namespace {

constexpr std::uintptr_t page = 4096;

std::size_t in_pages(std::size_t bytes) { return (bytes + page - 1) / page * page; }

/// Whole pages; null if there is no memory. Few of them come from this library: a mapping would lie now below and now
/// above all objects, and who goes through pages by address would meet it earlier or later.
char* pages_for(std::size_t bytes) {
  alignas(page) static constinit std::array<char, 32 * page> few{};
  if (bytes <= few.size()) return few.data();
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? nullptr : static_cast<char*>(memory);
}

/// All three vectors: words with the null pointers that end the first two.
struct Vectors {
  std::span<char*> words;  ///< of arguments and environment
  std::size_t bytes;
};

Vectors vectors_at(int argc, char** argv) {
  char** end = argv + argc + 1;
  while (*end != nullptr) ++end;
  auto* auxiliary = reinterpret_cast<Elf64_auxv_t*>(end + 1);
  while (auxiliary->a_type != AT_NULL) ++auxiliary;
  const auto bytes = reinterpret_cast<char*>(auxiliary + 1) - reinterpret_cast<char*>(argv);
  return {.words = {argv, end + 1}, .bytes = static_cast<std::size_t>(bytes)};
}

/// Where the texts lie: the arguments', and behind them the environment's. Any that somebody has put elsewhere by now
/// is not among them.
struct Texts {
  char *begin, *arguments_end, *end;

  std::size_t bytes() const { return static_cast<std::size_t>(end - begin); }
  bool has(const char* text) const { return text >= begin && text < end; }
};

Texts texts_of(int argc, std::span<char* const> words) {
  Texts texts{words[0], words[0], words[0]};
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i == static_cast<std::size_t>(argc)) texts.arguments_end = texts.end;
    if (words[i] == texts.end) texts.end += std::strlen(texts.end) + 1;
  }
  return texts;
}

std::uint64_t number_of(const void* address) { return reinterpret_cast<std::uint64_t>(address); }

/// Kernels that cannot, and sandboxes that forbid it, go on to show the originals.
void tell_kernel(const Texts& texts) {
  std::array<std::uint64_t, 52> field{};
  if (!read_process_fields(field)) return;
  const std::uint64_t brk = number_of(sbrk(0));
  // Names and numbers: proc(5), /proc/PID/stat.
  const prctl_mm_map map{.start_code = field[26],
                         .end_code = field[27],
                         .start_data = field[45],
                         .end_data = field[46],
                         .start_brk = field[47],
                         .brk = brk,
                         .start_stack = field[28],
                         .arg_start = number_of(texts.begin),
                         .arg_end = number_of(texts.arguments_end),
                         .env_start = number_of(texts.arguments_end),
                         .env_end = number_of(texts.end),
                         .auxv = nullptr,
                         .auxv_size = 0,
                         .exe_fd = static_cast<std::uint32_t>(-1)};
  prctl(PR_SET_MM, PR_SET_MM_MAP, &map, sizeof map, 0);
}

}  // namespace

char** words_at_pages(int argc, char** argv) {
  if (argc < 1) return argv;
  const Vectors from = vectors_at(argc, argv);
  const Texts texts = texts_of(argc, from.words);
  const std::size_t name_bytes = texts.bytes() > 0 ? std::strlen(argv[0]) + 1 : 0;
  const std::size_t before_texts = in_pages(from.bytes) + in_pages(name_bytes);
  char* const memory = pages_for(before_texts + texts.bytes() - name_bytes);
  if (memory == nullptr) return argv;

  char* const begin = memory + before_texts - name_bytes;
  std::memcpy(memory, static_cast<const void*>(argv), from.bytes);
  std::memcpy(begin, texts.begin, texts.bytes());
  auto** const copies = reinterpret_cast<char**>(memory);
  for (std::size_t i = 0; i < from.words.size(); ++i) {
    if (texts.has(copies[i])) copies[i] = begin + (copies[i] - texts.begin);
  }
  const int before = errno;
  tell_kernel({begin, begin + (texts.arguments_end - texts.begin), begin + texts.bytes()});
  errno = before;
  return copies;
}

}  // namespace lbhm::openmp
