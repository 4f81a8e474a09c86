#include "runtime/record/spool.h"

namespace lbhm {

void Spool::add(const std::string& record) {
  if (!on_disk_ && waiting_.size() + record.size() > most_in_memory) {
    ++left_out_;
    return;
  }
  if (const std::size_t needed = waiting_.size() + record.size() + 4; needed > waiting_.capacity())
    waiting_.reserve(2 * needed);  // all of the record or nothing
  waiting_ += records_ > 0 ? ",\n  " : "\n  ";
  waiting_ += record;
  ++records_;
  if (!on_disk_ || waiting_.size() < batch) return;
  on_disk_ = file_.append(waiting_);
  if (!on_disk_) return;
  waiting_.clear();
  on_disk_records_ = records_;
}

std::string Spool::array(std::uint64_t& lost) const {
  const auto text = file_.content();
  lost = text ? 0 : on_disk_records_;
  if (text) return "[" + *text + waiting_ + "\n ]";
  return "[" + (waiting_.starts_with(',') ? waiting_.substr(1) : waiting_) + "\n ]";
}

}  // namespace lbhm
