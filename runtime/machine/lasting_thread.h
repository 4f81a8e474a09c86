// Where libraries are opened that remember the thread which opens them.
#pragma once

#include <chrono>
#include <functional>

namespace lbhm::host {

/// Runs `work`, which throws nothing, on a thread that no later one can be taken for. Libraries know a thread by the
/// address of its control block, and once it has ended the next thread may have the same. The process's first thread
/// never gives its own away. When another one calls, `work` runs on a thread that ends but whose control block stays.
///
/// False: there can be no such thread, or `work` has not ended within `patience` and goes on, so it owns what it uses.
/// That is so if it opens a library while the caller is in the constructor of one: the loader's lock is the caller's.
bool run_on_lasting_thread(const std::function<void()>& work, std::chrono::milliseconds patience);

}  // namespace lbhm::host
