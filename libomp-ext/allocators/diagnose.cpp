#include "libomp-ext/allocators/diagnose.h"

#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>

#include "runtime/base/printable.h"

namespace lbhm::allocators {
namespace {

void write_line(const char* sentence, const char* note) {
  std::array<char, 512> line;
  const int length = std::snprintf(line.data(), line.size(), "%s%s", sentence, note);
  print_line("LB-HM: ", {line.data(), static_cast<std::size_t>(length)});
}

}  // namespace

Sentence Sentence::format(const char* format, ...) {
  Sentence sentence;
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(sentence.text.data(), sentence.text.size(), format, arguments);
  va_end(arguments);
  return sentence;
}

void say(const Sentence& sentence) { write_line(sentence.text.data(), ""); }

void say_limited(const Sentence& sentence) {
  constexpr int limit = 20;
  static constinit std::atomic<int> shown{0};
  if (shown.load(std::memory_order_relaxed) >= limit) return;
  const int now = shown.fetch_add(1, std::memory_order_relaxed) + 1;
  if (now <= limit) write_line(sentence.text.data(), now == limit ? " (more of these are not shown)" : "");
}

void say_and_abort(const Sentence& sentence) {
  say(sentence);
  std::abort();
}

}  // namespace lbhm::allocators
