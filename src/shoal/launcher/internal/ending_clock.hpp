/// When a job that has to end is asked to end, when it is killed, and when the launcher gives up.
#pragma once

#include <algorithm>
#include <chrono>

namespace shoal::internal::launcher {

/// Has no effects: callers pass the time and learn what is due.
///
/// After a failure the whole ending takes at most 2 s, since nobody should wait for a job that cannot succeed. After a
/// signal from the user, the PEs have that signal already and get a little longer, for example to save their work.
///
/// Each step is timed from the moment at which the previous step was taken, so a launcher that was stopped for a while
/// skips none.
class ending_clock {
public:
  using time = std::chrono::steady_clock::time_point;
  enum class action { nothing, ask, kill, give_up };

  static constexpr std::chrono::milliseconds patience{300};  // before asking, if a PE has failed
  static constexpr std::chrono::milliseconds notice{700};  // from asking to killing
  static constexpr std::chrono::milliseconds users_grace{3000};  // from the user's signal to killing
  static constexpr std::chrono::milliseconds resistance{800};  // from killing to giving up
  static constexpr std::chrono::milliseconds repetition{50};  // kill again, for processes forked meanwhile

  bool has_begun() const noexcept { return has_begun_; }

  void begin_after_failure(time now, bool be_patient) noexcept {
    has_begun_ = true;
    ask_at_ = be_patient ? now + patience : now;
  }

  void begin_after_signal(time now) noexcept {
    has_begun_ = true;
    kill_at_ = now + users_grace;
  }

  /// Kills at once.
  void hurry(time now) noexcept {
    has_begun_ = true;
    ask_at_ = never;
    kill_at_ = std::min(kill_at_, now);
  }

  /// The earliest time at which `due` may return more than `nothing`.
  time next() const noexcept { return std::min({ask_at_, kill_at_, give_up_at_}); }

  action due(time now) noexcept {
    if (now >= ask_at_) {
      ask_at_ = never;
      kill_at_ = now + notice;
      return action::ask;
    }
    if (now >= give_up_at_) {
      kill_at_ = give_up_at_ = never;
      return action::give_up;
    }
    if (now >= kill_at_) {
      kill_at_ = now + repetition;
      give_up_at_ = std::min(give_up_at_, now + resistance);
      return action::kill;
    }
    return action::nothing;
  }

private:
  static constexpr time never = time::max();

  bool has_begun_ = false;
  time ask_at_ = never;
  time kill_at_ = never;
  time give_up_at_ = never;  // set by the first kill
};

}  // namespace shoal::internal::launcher
