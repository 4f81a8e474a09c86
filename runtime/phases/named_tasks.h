// Tasks that have names: by the program (lbhm_task), or by the construct of explicit tasks. Any lane may do their work.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/base/units.h"
#include "runtime/phases/reading.h"
#include "runtime/phases/work_at.h"

namespace lbhm {

/// Names of one process at most; further ones are none.
inline constexpr TaskNumber most_task_names = 1u << 16;

/// Any thread. Throws std::bad_alloc.
TaskNumber number_of_task(std::string_view name);
/// Of the explicit tasks with that code: "program+0x12ab", where it lies. Any thread. Throws std::bad_alloc.
TaskNumber number_of_construct(const void* code);
/// Empty for 0.
std::string name_of_task(TaskNumber number);

/// What one lane did for each task in a region. Begins without any.
class LaneTasks {
 public:
  struct Part {
    TaskNumber task = 0;
    Reading did;
  };
  /// Of a region; behind them the lane stays with the task that it has.
  static constexpr std::size_t most_switches = 1u << 16;

  void clear();
  /// False: the program named no task.
  bool any() const { return !switches_.empty(); }
  /// From `now` on the lane works at `task`. `begin`: what was read when the lane began. Throws std::bad_alloc.
  void work_on(TaskNumber task, const Reading& now, const Reading& begin);
  /// What the lane works at since its last change is `task`.
  void rename(TaskNumber task);
  /// The lane is done. Throws std::bad_alloc.
  void end(const Reading& now);
  /// In the order in which the lane met them; the first one is 0, what it did before it named a task.
  std::span<const Part> parts() const { return parts_; }
  /// The task at that time of the lane's clock.
  TaskNumber at(Nanoseconds time) const;

 private:
  struct Switch {
    Nanoseconds time;
    TaskNumber to = 0;
  };
  /// False: no main memory was accessed in the meantime, as far as that is counted.
  bool close_part(const Reading& now);

  std::vector<Part> parts_;
  std::vector<Switch> switches_;
  std::map<TaskNumber, std::size_t> places_;  ///< in parts_
  TaskNumber task_ = 0;
  Reading since_;
};

/// Numbers of a region's tasks in profiles and plans, from 0: a lane's own work has the lane's number, if the team had
/// the lane before the program named a task. Takes no memory until then.
class TaskIndex {
 public:
  std::uint32_t of_lane(std::uint32_t lane);
  std::uint32_t of_task(TaskNumber task);
  /// False: all numbers are the lanes' own.
  bool named() const { return !tasks_.empty(); }

 private:
  std::uint32_t lanes_ = 0;  ///< with their own numbers
  std::uint32_t size_ = 0;
  std::map<TaskNumber, std::uint32_t> tasks_;
  std::map<std::uint32_t, std::uint32_t> later_lanes_;
};

}  // namespace lbhm
