#include "apps/common/number_options.h"

#include <omp.h>

#include <CLI/CLI.hpp>
#include <cstdio>

namespace apps {

std::optional<int> read_options(int argc, char** argv, const char* program, const char* description,
                                std::initializer_list<NumberOption> options) {
  CLI::App line(description, program);
  line.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  for (const auto& [name, number, least, most, meaning] : options)
    line.add_option(name, number, meaning)->check(CLI::Range(least, most));
  int threads = omp_get_max_threads();
  line.add_option("--threads", threads, "threads (what OpenMP would use)")->check(CLI::Range(1, 1024));
  line.footer("Exit status: 0 verified, 1 wrong result or not enough memory, 2 bad option.");
  try {
    line.parse(argc, argv);
    omp_set_num_threads(threads);
    return std::nullopt;
  } catch (const CLI::CallForHelp&) {
    std::fputs(line.help().c_str(), stdout);
    return 0;
  } catch (const CLI::ParseError& error) {
    std::fprintf(stderr, "%s: %s. See --help.\n", program, error.what());
    return 2;
  }
}

}  // namespace apps
