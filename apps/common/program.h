// What every program has: options, how it ends, and what it prints at the end.
#pragma once

#include <cstdint>
#include <cstdio>
#include <functional>
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

}  // namespace apps
