// What libomp sees of the environment while it starts.
//
// It copies all of it to the heap (kmp_environment.cpp, __kmp_env_blk_init), in front of the program's blocks: in
// virtual time, what a program takes would then depend on how long the name of some folder is.
#pragma once

namespace lbhm::openmp {

/// From now on the environment has the variables alone that OpenMP runtimes read, and one that asks for reductions in
/// the same order every time.
void hide_environment();
/// It is whole again.
void show_environment();

}  // namespace lbhm::openmp
