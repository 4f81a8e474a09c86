// What can be left out of lbhm.
#pragma once

#include "runtime/placement/placement.h"

namespace lbhm::policies {

/// What can be left out, to see what it brings (setting without).
struct LbhmParts {
  bool background, contention, costs, followed_pages, sparse_samples, hottest_first, regions, corrections,
      prediction_error, middle, shrunk_heat, exposed_latency, gain, catching_up, first_prediction, unmanaged,
      best_layout, congestion, ghost_scans, caution, blocks, waits;

  explicit LbhmParts(const PolicyOptions& options)
      : background(options.with("background")),
        contention(options.with("contention")),
        costs(options.with("costs")),
        followed_pages(options.with("followed-pages")),
        sparse_samples(options.with("sparse-samples")),
        hottest_first(options.with("hottest-first")),
        regions(options.with("regions")),
        corrections(options.with("corrections")),
        prediction_error(options.with("prediction-error")),
        middle(options.with("middle")),
        shrunk_heat(options.with("shrunk-heat")),
        exposed_latency(options.with("exposed-latency")),
        gain(options.with("gain")),
        catching_up(options.with("catching-up")),
        first_prediction(options.with("first-prediction")),
        unmanaged(options.with("unmanaged")),
        best_layout(options.with("best-layout")),
        congestion(options.with("congestion")),
        ghost_scans(options.with("ghost-scans")),
        caution(options.with("caution")),
        blocks(options.with("blocks")),
        waits(options.with("waits")) {}
};

}  // namespace lbhm::policies
