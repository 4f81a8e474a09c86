// Figures as JSON, one after the other: what was measured is not lost when what follows fails.
#pragma once

#include <cstdio>
#include <functional>
#include <optional>
#include <string>

#include "bench/measure/figure.h"

namespace measure {

/// Prints `"name": {"value", "spread"}`, or null where something cannot be measured, between braces that others print.
/// What is measured next goes to stderr, one name a line.
class Printer {
 public:
  using Measurement = std::function<double()>;
  std::optional<Figure> operator()(const std::string& name, const Measurement& measurement, Noise noise,
                                   int times = repetitions) {
    std::fprintf(stderr, "%s\n", name.c_str());
    const std::optional<Figure> figure = repeated(measurement, noise, times);
    if (figure) {
      std::printf("%s\n \"%s\": {\"value\": %.6g, \"spread\": %.3g}", separator_, name.c_str(), figure->value,
                  figure->spread);
    } else {
      std::printf("%s\n \"%s\": null", separator_, name.c_str());
    }
    std::fflush(stdout);
    separator_ = ",";
    return figure;
  }

 private:
  const char* separator_ = "";
};

}  // namespace measure
