// Exceptions that are caught inside of regions, around them, and on threads.
#include <cstdio>
#include <stdexcept>
#include <string>
#include <thread>

#include "tests/faults/programs/program.h"

namespace {

int thrown_and_caught(int repeats) {
  int caught = 0;
  for (int i = 0; i < repeats; ++i) {
    try {
      throw std::runtime_error(std::to_string(i));
    } catch (const std::exception& error) { caught += error.what() == std::to_string(i); }
  }
  return caught;
}

}  // namespace

int main() {
  const faults::Array array(1 << 16);
  int caught = 0;
  for (int repeat = 0; repeat < 5; ++repeat) {
    try {
      faults::add_one(array);
#pragma omp parallel num_threads(3) reduction(+ : caught)
      caught += thrown_and_caught(50);
      throw repeat;
    } catch (int value) { caught += value == repeat; }
  }
  std::thread([&] { caught += thrown_and_caught(10); }).join();
  std::printf("caught %d, sum %.0f\n", caught, array.sum());
  return faults::finish();
}
