// A queue between threads that holds a few things at most.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

template <class T>
class Queue {
 public:
  explicit Queue(std::size_t room) : room_(room) {}

  void put(T thing) {
    std::unique_lock lock(mutex_);
    not_full_.wait(lock, [this] { return things_.size() < room_; });
    things_.push_back(std::move(thing));
    not_empty_.notify_one();
  }

  /// Nothing when the queue is closed and empty.
  std::optional<T> take() {
    std::unique_lock lock(mutex_);
    not_empty_.wait(lock, [this] { return closed_ || !things_.empty(); });
    if (things_.empty()) return std::nullopt;
    T thing = std::move(things_.front());
    things_.pop_front();
    not_full_.notify_one();
    return thing;
  }

  void close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    not_empty_.notify_all();
  }

 private:
  const std::size_t room_;
  bool closed_ = false;
  std::mutex mutex_;
  std::condition_variable not_full_;
  std::condition_variable not_empty_;
  std::deque<T> things_;
};
