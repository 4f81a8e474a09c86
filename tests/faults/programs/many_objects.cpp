// 20,000 managed objects of a page each: mappings and threads must not run out, and a plan may name them all.
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#include "tests/faults/programs/program.h"

namespace {

void touch(const std::vector<unsigned char*>& objects) {
#pragma omp parallel for
  for (std::size_t i = 0; i < objects.size(); ++i) ++objects[i][1];
}

void plan_all(const std::vector<unsigned char*>& objects) {
  std::vector<lbhm_object> list;
  for (unsigned char* object : objects) list.push_back({object, 4096, nullptr});
  if (lbhm_config) lbhm_config(list.data(), list.size());
}

}  // namespace

int main() {
  const omp_allocator_handle_t managed = faults::managed_allocator();
  std::vector<unsigned char*> objects(20'000);
  for (std::size_t i = 0; i < objects.size(); ++i) {
    objects[i] = static_cast<unsigned char*>(omp_calloc(1, 4096, managed));
    objects[i][0] = static_cast<unsigned char>(i);
  }
  std::thread([] {}).join();
  std::free(std::malloc(64 << 20));
  for (int repeat = 0; repeat < 3; ++repeat) {
    plan_all(objects);
    touch(objects);
  }
  int wrong = 0;
  for (std::size_t i = 0; i < objects.size(); ++i) {
    wrong += objects[i][0] != static_cast<unsigned char>(i) || objects[i][1] != 3;
    omp_free(objects[i], omp_null_allocator);
  }
  std::printf("wrong objects: %d\n", wrong);
  return faults::finish();
}
