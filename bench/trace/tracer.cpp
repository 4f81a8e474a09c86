// What the addresses of a program really did, access by access: for programs that were compiled with the plugin in
// trace mode (docs/patterns.md), which call us for every load and store that the pattern analysis looked at. At the end
// of the program everything goes to the file LBHM_TRACE_FILE, or nowhere.
//
// A step leads from one execution of an access to its next one, unless the loop in which its address moves began anew.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "lbhm/compiled_patterns.h"

namespace {

constexpr std::uint64_t page_bits = 12;
constexpr std::size_t kept_steps = 16;

struct Step {
  std::int64_t bytes = 0;
  std::uint64_t times = 0;
};

/// One access of the program, on one thread.
struct Trace {
  std::uint64_t executions = 0;
  std::uint64_t other_steps = 0;  ///< than those that are told apart
  std::array<Step, kept_steps> steps{};
  std::uint64_t compared = 0;  ///< steps that followed another one since the loop began
  std::uint64_t again = 0;     ///< those of them that were as long as the one before
  std::uintptr_t last = 0;     ///< 0: none since the loop began
  std::int64_t last_step = 0;  ///< 0: none, or it stood still
  std::uint64_t last_page = ~0ULL;
  std::unordered_set<std::uint64_t> pages;

  void add(std::uintptr_t address) {
    ++executions;
    if (last != 0) step(static_cast<std::int64_t>(address - last));
    last = address;
    if (const std::uint64_t page = address >> page_bits; page != last_page) {
      pages.insert(page);
      last_page = page;
    }
  }

  void begin() {
    last = 0;
    last_step = 0;
  }

  void step(std::int64_t bytes) {
    count(bytes, 1);
    if (bytes == 0) return;
    if (last_step != 0) {
      ++compared;
      again += bytes == last_step;
    }
    last_step = bytes;
  }

  /// The first steps of different length that occur are told apart.
  void count(std::int64_t bytes, std::uint64_t times) {
    for (Step& step : steps) {
      if (step.times != 0 && step.bytes != bytes) continue;
      step = {bytes, step.times + times};
      return;
    }
    other_steps += times;
  }

  void merge(const Trace& more) {
    executions += more.executions;
    other_steps += more.other_steps;
    compared += more.compared;
    again += more.again;
    for (const Step& step : more.steps) {
      if (step.times != 0) count(step.bytes, step.times);
    }
    pages.insert(more.pages.begin(), more.pages.end());
  }
};

using Traces = std::unordered_map<std::uint64_t, Trace>;

/// Traces of all threads; those of threads that ended, too. Never destroyed: the program may trace until the very end.
struct Book {
  std::mutex lock;
  std::vector<Traces*> threads;

  static Book& of_process() {
    static auto* book = new Book;
    return *book;
  }
};

Traces& mine() {
  thread_local Traces* traces = [] {
    auto* fresh = new Traces;
    Book& book = Book::of_process();
    const std::lock_guard guard(book.lock);
    book.threads.push_back(fresh);
    return fresh;
  }();
  return *traces;
}

void write_pages(std::FILE* file, const std::unordered_set<std::uint64_t>& pages) {
  std::vector<std::uint64_t> sorted(pages.begin(), pages.end());
  std::sort(sorted.begin(), sorted.end());
  std::fputs("\"pages\":[", file);
  for (std::size_t at = 0; at < sorted.size();) {
    std::size_t end = at + 1;
    while (end < sorted.size() && sorted[end] == sorted[end - 1] + 1) ++end;
    std::fprintf(file, "%s[%llu,%zu]", at == 0 ? "" : ",", static_cast<unsigned long long>(sorted[at]), end - at);
    at = end;
  }
  std::fputs("]", file);
}

void write(std::FILE* file, std::uint64_t access, const Trace& trace) {
  const auto number = [](std::uint64_t value) { return static_cast<unsigned long long>(value); };
  std::fprintf(file, "{\"access\":\"%llx\",\"executions\":%llu,\"other_steps\":%llu,", number(access),
               number(trace.executions), number(trace.other_steps));
  std::fprintf(file, "\"compared\":%llu,\"again\":%llu,\"steps\":[", number(trace.compared), number(trace.again));
  for (const Step& step : trace.steps) {
    if (step.times == 0) break;
    std::fprintf(file, "%s[%lld,%llu]", &step == trace.steps.data() ? "" : ",", static_cast<long long>(step.bytes),
                 static_cast<unsigned long long>(step.times));
  }
  std::fputs("],", file);
  write_pages(file, trace.pages);
  std::fputs("}", file);
}

__attribute__((destructor)) void write_all() {
  const char* name = std::getenv("LBHM_TRACE_FILE");
  std::FILE* file = name ? std::fopen(name, "w") : nullptr;
  if (!file) return;
  Traces sum;
  Book& book = Book::of_process();
  const std::lock_guard guard(book.lock);
  for (const Traces* traces : book.threads) {
    for (const auto& [access, trace] : *traces) sum[access].merge(trace);
  }
  std::fputs("{\"accesses\":[", file);
  bool first = true;
  for (const auto& [access, trace] : sum) {
    if (!first) std::fputs(",\n", file);
    first = false;
    write(file, access, trace);
  }
  std::fputs("]}\n", file);
  std::fclose(file);
}

}  // namespace

#define LBHM_ENTRY __attribute__((visibility("default")))

extern "C" {

LBHM_ENTRY void lbhm_trace_v1(std::uint64_t access, const void* address) {
  mine()[access].add(reinterpret_cast<std::uintptr_t>(address));
}

LBHM_ENTRY void lbhm_trace_begin_v1(std::uint64_t access) { mine()[access].begin(); }
}
