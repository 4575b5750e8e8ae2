/// A mailbox's part in the supersteps of its PE: whether it may send, and what waves count of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "shoal/actor/internal/work_count.hpp"
#include "shoal/base/internal/owner.hpp"
#include "shoal/base/internal/watched.hpp"
#include "shoal/conveyor/internal/stream.hpp"

namespace shoal::internal {

class adaptive_hops;
class feeders;
class supersteps;
struct wave_share;

/// Messages and items of work, since a superstep began, for the next wave. A message counts once per hop.
struct message_counts {
  std::uint64_t n_sent = 0;
  std::uint64_t n_handled = 0;

  friend message_counts operator+(const message_counts& a, const message_counts& b) noexcept {
    return {a.n_sent + b.n_sent, a.n_handled + b.n_handled};
  }
};

class superstep_part {
public:
  /// What the main program of this PE may do with the mailbox.
  enum class state : std::uint8_t {
    dormant,  // no superstep is open: nobody may send
    open,  // in a superstep
    done,  // in a superstep, but this PE's main program has promised to send no more
  };

  superstep_part(const superstep_part&) = delete;
  superstep_part& operator=(const superstep_part&) = delete;

  /// Those of its world.
  supersteps& steps() const noexcept { return steps_; }
  state current_state() const noexcept { return state_; }
  /// Whether its superstep ended before that of `finish`.
  bool is_closed() const noexcept { return is_closed_; }
  /// The depth of the `finish` to which its superstep belongs; 0: the outermost.
  std::size_t depth() const noexcept { return depth_; }
  bool is_in_scope() const noexcept { return is_in_scope_; }
  /// Whether this PE's main program waits at the end of the superstep.
  bool is_end_awaited() const noexcept { return is_end_awaited_; }

  // --- Called by supersteps

  void begin_superstep(std::size_t depth, const adaptive_hops& hops);
  /// The main program sends no more in this superstep.
  void promise_no_more() noexcept;
  /// The main program waits at the end of the superstep: only handlers and work that was left send from now on. A declared
  /// mailbox stays open for the main program's work.
  void await_end() noexcept;
  void end_superstep() noexcept;
  /// Ends the job if the mailbox is disabled when its superstep ends.
  void require_enabled() const;
  /// Ends its superstep before that of the other mailboxes.
  void close_superstep() noexcept;
  /// The superstep of the others has ended, too: it is now dormant like them.
  void forget_close() noexcept {
    is_closed_ = false;
    forget_graph();
  }
  /// Leaves all supersteps. Keeps the counts for the statistics, if they are wanted.
  void leave() noexcept;

  virtual void record() const = 0;

  // --- Called by waves; see docs/design/termination.md

  /// Whether none of its messages is unhandled or spilled here, and no work that it left.
  bool is_empty() const noexcept { return work_.is_all_done() && messages_.is_empty(); }
  /// Whether a buffer is open here, so that messages in it do not count as sent yet.
  bool has_open_buffers() const noexcept { return messages_.items_of_hops().has_open_buffers; }
  void flush() noexcept { messages_.flush(); }
  /// This PE joins a wave with the share below. Requires is_empty, and no open buffer.
  void join_wave() noexcept { messages_.join_wave(); }
  /// What it has sent and handled, and the work it has left and done, since the superstep began.
  wave_share share(const adaptive_hops& hops) const noexcept;
  message_counts counts_of_superstep() const noexcept;
  std::uint64_t serial() const noexcept { return messages_.serial(); }

  // --- Called for work that its handlers leave for later on this PE (deferred_work.hpp, answers.hpp)

  work_count& work() noexcept { return work_; }
  const work_count& work() const noexcept { return work_; }
  /// For reports: the mailbox.
  std::string describe_owner() const;

  // --- Called for the termination graph (closings.hpp)

  /// Whether the program has said which mailboxes feed it.
  bool is_declared() const noexcept { return is_declared_; }
  std::span<superstep_part* const> feeders() const noexcept;
  bool is_fed_by(const superstep_part& sender) const noexcept;
  void declare(std::span<superstep_part* const> feeders);
  void forget_feeder(const superstep_part& gone) noexcept;
  /// Of all feeders ever declared, in whatever order: PEs may look while one lives on one of them and not on another.
  std::uint64_t digest_of_declared() const noexcept { return digest_of_declared_; }
  /// In this superstep its feeders do not change any more.
  void fix() noexcept { is_fixed_ = true; }
  bool is_fixed() const noexcept { return is_fixed_; }
  void let_send(bool is_allowed) noexcept { messages_.let_send(is_allowed); }
  /// Whether it has closed everywhere, and what waited here for that has ended, too: it feeds nobody any more.
  bool is_over() const noexcept { return !is_in_scope_ && work_.is_all_done() && !work_.is_any_waiting_for_end(); }

protected:
  /// `messages` must outlive the part, except during construction and destruction.
  superstep_part(supersteps& steps, stream& messages) noexcept;
  ~superstep_part();

private:
  void stop() noexcept;
  // If the superstep was broken off, what it left and what waited for its end will not come.
  void forget_graph() noexcept {
    is_fixed_ = false;
    work_.forget();
  }

  /// Called before a superstep begins, the only time at which the route may change. `is_new`: it is the first one.
  virtual void choose_route(bool is_new) = 0;

  supersteps& steps_;
  stream& messages_;
  watched<state> state_ = state::dormant;
  bool is_in_scope_ = false;
  bool is_closed_ = false;
  bool is_end_awaited_ = false;
  bool has_begun_ = false;
  watched<bool> is_declared_ = false;
  bool is_fixed_ = false;
  std::size_t depth_ = 0;
  stream::hop_items items_before_;  // counts when this superstep began
  superstep_traffic traffic_before_;
  work_count work_;
  owner<internal::feeders> feeders_;  // null: it was never declared
  std::uint64_t digest_of_declared_ = 0;
};

}  // namespace shoal::internal
