// One function a feature; each checks itself.
#pragma once

#include <cstddef>

struct Feature {
  const char* name;
  bool (*works)();
};

struct FeatureList {
  const Feature* first;
  std::size_t count;
};

FeatureList loop_features();
FeatureList task_features();
FeatureList sharing_features();
FeatureList synchronisation_features();
FeatureList nesting_features();
