// The locks of this room around fork(2).
#pragma once

namespace lbhm::allocators {

/// Waits for those that hold them; nobody else gets them until after_fork, in the parent and in the child.
void before_fork();
void after_fork();

}  // namespace lbhm::allocators
