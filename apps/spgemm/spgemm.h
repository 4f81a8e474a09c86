// C = A * B for sparse matrices by Gustavson's row-wise algorithm, in tasks that own a bin of rows each.
// Sources: F. Gustavson, "Two fast algorithms for sparse matrices", ACM TOMS 4(3), 1978; Merchandiser, Figure 1b.
#pragma once

#include <span>

#include "apps/spgemm/csr.h"
#include "apps/spgemm/task.h"

namespace spgemm {

/// Fills c of every task in one parallel region with a thread a task. The columns of a row of C are not sorted; values
/// do not depend on the number of tasks, because each row is computed by one thread in the order of A and B.
void multiply(std::span<Task> tasks, const CsrView& b);

}  // namespace spgemm
