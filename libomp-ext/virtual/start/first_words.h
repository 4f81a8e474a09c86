// The words that a program begins with: its arguments and its environment.
#pragma once

namespace lbhm::openmp {

/// Copies of what the kernel put on the stack for main, in the same order: the vectors of the arguments, of the
/// environment and of the auxiliary entries behind each other, and likewise their texts. The vectors begin at a page
/// and so does the text of the first argument behind the program's name, whatever the environment and that name are.
/// `argv` itself if there is no memory for them. Before there are threads, and once.
char** words_at_pages(int argc, char** argv);

}  // namespace lbhm::openmp
