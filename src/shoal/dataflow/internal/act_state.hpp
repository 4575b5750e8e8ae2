/// Whether an actor is to act.
#pragma once

#include <atomic>
#include <cstdint>

namespace shoal::internal {

/// An actor is *idle*, *due* or *acting*, and may be due again while it acts. From due on it stands in the list of its
/// PE, once, until its act begins. So it acts on one worker at a time, and no change is lost. The PE's own thread may
/// *hold* one that does not act: it does not begin to meanwhile. Where the PE has one worker, nothing on the way of an
/// act is an atomic operation.
class act_state {
public:
  void join(bool is_shared) noexcept { is_shared_ = is_shared; }

  /// From now on it can act: it is due, and who calls puts it into the list.
  void open() noexcept { word_.exchange(due, std::memory_order_acq_rel); }
  bool is_acting() const noexcept { return (word_.load(std::memory_order_relaxed) & acting) != 0; }
  bool is_idle() const noexcept { return word_.load(std::memory_order_relaxed) == idle; }

  /// Something has changed for it. True: who calls puts it into the list.
  bool note_change() noexcept {
    if (is_shared_) return word_.fetch_or(due, std::memory_order_acq_rel) == idle;
    const std::uint8_t before = word_.load(std::memory_order_relaxed);
    word_.store(before | due, std::memory_order_relaxed);
    return before == idle;
  }

  /// It has left the list. What changed before this is seen now, and what changes from now on makes it due again.
  /// False: it is held, and does not act.
  bool begin() noexcept {
    if (is_shared_) return begin_shared();
    word_.store(acting, std::memory_order_relaxed);
    return true;
  }

  struct ended {
    bool is_due = false;  // who calls puts it into the list
    bool is_awaited = false;  // somebody could not hold it
  };
  /// `may_act`: whether to act again is of use. Where several workers may change its ports, it acts again in any case.
  template <class MayAct>
  ended end(MayAct may_act) noexcept {
    if (is_shared_) return end_shared();
    const std::uint8_t now = word_.load(std::memory_order_relaxed);
    const bool is_due = (now & due) != 0 && may_act();
    word_.store(is_due ? due : idle, std::memory_order_relaxed);
    return {is_due, (now & awaited) != 0};
  }
  /// It never acts again: due, and in no list.
  void end_for_ever() noexcept { word_.store(due, std::memory_order_release); }

  // --- Of the PE's own thread

  /// False: it acts, and its end will say that somebody waits for it.
  bool try_hold() noexcept;
  /// True: it has become due meanwhile, and who calls puts it into the list.
  bool release() noexcept;
  /// While it is held: it stands in the list, or is about to.
  bool is_in_list() const noexcept { return was_due_ && (word_.load(std::memory_order_acquire) & missed) == 0; }

private:
  static constexpr std::uint8_t idle = 0;
  static constexpr std::uint8_t due = 1;
  static constexpr std::uint8_t acting = 2;
  static constexpr std::uint8_t awaited = 4;
  static constexpr std::uint8_t held = 8;
  static constexpr std::uint8_t missed = 16;  // while it was held, it has left the list

  bool begin_shared() noexcept;
  ended end_shared() noexcept;

  std::atomic<std::uint8_t> word_{acting};  // until it is open, so that no change puts it into the list
  bool is_shared_ = false;  // the PE has several workers
  bool was_due_ = false;  // when it was held
};

}  // namespace shoal::internal
