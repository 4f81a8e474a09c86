// Programs that cannot load us: what another loader starts (musl, an older glibc, 32 bits), and what is started in a
// root or a folder from where our files are not to be seen. Their loaders would complain, or end them before main.
//
// Asked before an exec, so also in a child of vfork, whose memory is its parent's, and in handlers of signals: all is
// on the stack, and nothing is a point of cancellation.
#pragma once

#include <cstddef>

namespace lbhm::start {

/// The entry LD_PRELOAD of `environment` that has to go without our libraries, which is said in one line; null: none.
/// file: of the program, open; -1: not known. name: of the program, for that line.
const char* preloads_in_vain(int file, const char* name, char* const* environment);

/// Whether the kernel reads this address; false, too, where it may not be asked (process_vm_readv).
bool readable(const void* address);

/// Copies `environment` into `list`, with our libraries left out of the entry `preloads`. `list` has room for all that
/// `environment` has, `text` for the entry.
void copy_without_ours(char* const* environment, const char* preloads, char** list, char* text);

/// As open, and as execvp looks for `file`: in PATH if there is no slash in it. -1: none that can be read.
int open_program(int folder, const char* path);
int open_in_path(const char* file);
void close_program(int file);

}  // namespace lbhm::start
