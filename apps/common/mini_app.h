// What every program has: options, how it ends, and what it prints at the end.
#pragma once

#include <cstdint>
#include <cstdio>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace apps {

/// What every program takes.
struct CommonOptions {
  unsigned threads = 0;    ///< --threads; as many tasks. Default: what OpenMP would use
  std::uint64_t seed = 1;  ///< --seed; programs without chance refuse it
  bool times = false;      ///< --times
  std::string help;        ///< --help: the text to print, instead of running
};

/// A program as its main() sees it.
struct Program {
  const char* name;
  const char* smaller;  ///< the advice how to need less memory
};

/// What main() of every program does: `body` gets the arguments and returns an exit status; exceptions become one line
/// on the standard error and a status: 2 for InputError, 1 for std::bad_alloc.
int run_guarded(const Program& program, int argc, char** argv,
                const std::function<int(const std::vector<std::string_view>&)>& body);

/// The same with parse(arguments) -> options, and run(options) -> exit status unless only help was asked for.
template <class Parse, class Run>
int run_program(const Program& program, int argc, char** argv, Parse parse, Run run) {
  return run_guarded(program, argc, argv, [&](const auto& arguments) {
    const auto options = parse(arguments);
    if (options.help.empty()) return run(options);
    std::fputs(options.help.c_str(), stdout);
    return 0;
  });
}

/// Standard output is the same on every run, so times go to standard error.
void print_time(const char* what, double seconds);
void print_checksum(std::uint64_t checksum);

// What the user gave cannot be used: the sentence goes to stderr and the program ends with status 2.

struct InputError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// One number for a result, the same on every machine and under every policy.

/// SplitMix64's finaliser: every bit of the result depends on every bit of the argument.
constexpr std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

/// Adds the checksum of the next input; the order of inputs matters.
constexpr std::uint64_t combine_checksums(std::uint64_t before, std::uint64_t next) { return mix(before) + next; }

}  // namespace apps
