#include "runtime/machine/kernel_settings.h"

#include <algorithm>

namespace lbhm::host {

std::vector<std::string> contrary_settings(const Sysfs& sysfs) {
  std::vector<std::string> sentences;
  // Memory with a policy of its own (all that is managed) is passed over by the scan for hint faults, but what
  // LB_HM_config names of other memory is not (kernel/sched/fair.c, task_numa_work).
  if (const auto balancing = sysfs.number("proc/sys/kernel/numa_balancing"); balancing && *balancing != 0)
    sentences.push_back(
        "the kernel balances memory by itself (kernel.numa_balancing=" +
        std::to_string(static_cast<int>(std::clamp(*balancing, -1e9, 1e9))) +
        ") and may move pages back that are not managed; sysctl kernel.numa_balancing=0 leaves them to LB-HM");
  const auto demotion = sysfs.text("sys/kernel/mm/numa/demotion_enabled");
  if (demotion && (*demotion == "true" || *demotion == "1"))
    sentences.push_back(
        "the kernel moves pages to slower memory when fast memory is short, whatever their policy; "
        "echo 0 > /sys/kernel/mm/numa/demotion_enabled leaves them to LB-HM");
  return sentences;
}

}  // namespace lbhm::host
