/// Counts what was left for later on this PE, for one mailbox (deferred_work.hpp, answers.hpp).
#pragma once

#include <cstdint>

namespace shoal::internal {

/// In one superstep. Waves count it with messages: what was left as sent, what is done as handled.
class work_count {
public:
  void note_left() noexcept { ++n_left_; }
  void note_done() noexcept { ++n_done_; }

  /// The same for items of work and tasks; whether the main program has left them, which send as it does then.
  void note_item_left(bool is_of_main) noexcept {
    n_of_main_ += is_of_main;
    note_left();
  }
  void note_item_done(bool is_of_main) noexcept {
    n_of_main_ -= is_of_main;
    note_done();
  }
  /// How many of the main program's are not done; its tasks count as one.
  std::uint64_t n_of_main() const noexcept { return n_of_main_; }

  /// The same for work that can begin only after the mailbox has closed: it keeps others open, but not this one.
  void note_waiting_for_end() noexcept { ++n_waiting_for_end_; }
  /// Of those, `n` may begin: they were left.
  void note_end_has_come(std::uint64_t n) noexcept {
    n_waiting_for_end_ -= n;
    n_left_ += n;
  }

  std::uint64_t n_left() const noexcept { return n_left_; }
  std::uint64_t n_done() const noexcept { return n_done_; }
  bool is_all_done() const noexcept { return n_left_ == n_done_; }
  bool is_any_waiting_for_end() const noexcept { return n_waiting_for_end_ != 0; }

  /// The superstep has ended. If it was broken off, what was left will not be done.
  void forget() noexcept {
    n_done_ = n_left_;
    n_of_main_ = n_waiting_for_end_ = 0;
  }

private:
  std::uint64_t n_left_ = 0;
  std::uint64_t n_done_ = 0;
  std::uint64_t n_of_main_ = 0;
  std::uint64_t n_waiting_for_end_ = 0;
};

}  // namespace shoal::internal
