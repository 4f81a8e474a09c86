#include <string>
#include <utility>

#include "waits.h"

int main(int count, char** words) {
  const std::string only = count > 1 ? words[1] : "meetings";
  const std::pair<const char*, void (*)()> parts[] = {{"meetings", meetings},
                                                      {"library_meetings", library_meetings},
                                                      {"hand_outs", hand_outs},
                                                      {"conditions", conditions},
                                                      {"once", once},
                                                      {"files", files},
                                                      {"exclusions", exclusions},
                                                      {"joins", joins},
                                                      {"deadlines", deadlines},
                                                      {"others", others},
                                                      {"kernel", kernel},
                                                      {"stuck", stuck}};
#pragma omp parallel num_threads(lanes)
  work(omp_get_thread_num());
  for (const auto& [name, part] : parts)
    if (only == name) part();
  std::puts("verified 0 0");
}
