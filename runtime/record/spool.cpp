#include "runtime/record/spool.h"

namespace lbhm {

void Spool::add(const std::string& record) {
  if (!on_disk_ && waiting_.size() + record.size() > most_in_memory) {
    ++left_out_;
    return;
  }
  if (const std::size_t needed = waiting_.size() + record.size() + 4; needed > waiting_.capacity())
    waiting_.reserve(2 * needed);  // all of the record or nothing
  waiting_ += first_ ? "\n  " : ",\n  ";
  first_ = false;
  waiting_ += record;
  if (!on_disk_ || waiting_.size() < batch) return;
  on_disk_ = file_.append(waiting_);
  if (on_disk_) waiting_.clear();
}

Result<std::string> Spool::array() const {
  auto text = file_.content();
  if (!text) return text;
  return "[" + *text + waiting_ + "\n ]";
}

}  // namespace lbhm
