// Events that both tools want, or whose data have to be told apart: libomp calls us, and we call both.
#pragma once

#include <omp-tools.h>

#include "libomp-ext/ompt/parallel_data.h"

namespace lbhm::openmp {

/// `set`: libomp's own entry point. `callback` null: the tool wants the event no longer.
ompt_set_result_t set_callback(Tool tool, ompt_callbacks_t event, ompt_callback_t callback, ompt_set_callback_t set);
/// What the tool has set; null: nothing.
ompt_callback_t callback_of(Tool tool, ompt_callbacks_t event);
/// The tool wants no event.
void forget_callbacks(Tool tool, ompt_set_callback_t set);

}  // namespace lbhm::openmp
