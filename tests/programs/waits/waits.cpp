#include <string>
#include <utility>

#include "waits.h"

int main(int count, char** words) {
  const std::string only = count > 1 ? words[1] : "";
  const std::pair<const char*, void (*)()> parts[] = {{"meetings", meetings},     {"library_barrier", library_barrier},
                                                      {"hand_outs", hand_outs},   {"files", files},
                                                      {"exclusions", exclusions}, {"joins", joins},
                                                      {"deadlines", deadlines},   {"others", others}};
#pragma omp parallel num_threads(lanes)
  work(omp_get_thread_num());
  for (const auto& [name, part] : parts)
    if (only.empty() || only == name) part();
  std::puts("verified 0 0");
}
