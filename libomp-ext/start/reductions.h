// Reductions in the same order every time, in virtual time.
#pragma once

namespace lbhm::openmp {

/// Before libomp reads its settings: asks it to combine the lanes' parts in a tree. Otherwise small teams combine them
/// in the order in which they come, in real time. A setting of the user's stays.
void fix_order_of_reductions();
/// libomp has read it: programs that this one starts must not.
void forget_order_of_reductions();

}  // namespace lbhm::openmp
