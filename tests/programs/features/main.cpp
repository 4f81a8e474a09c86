// features [NAME]: all features of OpenMP that this program knows, or one of them.
#include <omp.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

#include "features.h"

int main(int argc, char** argv) {
  omp_set_max_active_levels(2);
  int failures = 0, tried = 0;
  for (const FeatureList list :
       {loop_features(), task_features(), sharing_features(), synchronisation_features(), nesting_features()})
    for (std::size_t i = 0; i < list.count; ++i) {
      const Feature& feature = list.first[i];
      if (argc > 1 && std::strcmp(argv[1], feature.name) != 0) continue;
      ++tried;
      const bool works = feature.works();
      failures += !works;
      std::printf("%s: %s\n", feature.name, works ? "works" : "WRONG");
      std::fflush(stdout);
    }
  std::puts(failures == 0 && tried > 0 ? "verified" : "FAILED");
  return failures == 0 && tried > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
