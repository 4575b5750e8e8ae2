/// A mailbox's part in the supersteps of its PE: whether it may send, and what waves count of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "shoal/conveyor/internal/stream.hpp"

namespace shoal::internal {

class adaptive_hops;
struct wave_share;

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

  state current_state() const noexcept { return state_; }
  /// Whether its superstep ended before that of `finish`.
  bool is_closed() const noexcept { return is_closed_; }
  /// The depth of the `finish` to which its superstep belongs; 0: the outermost.
  std::size_t depth() const noexcept { return depth_; }
  bool is_in_scope() const noexcept { return is_in_scope_; }
  /// Whether any superstep of it has begun.
  bool has_begun() const noexcept { return has_begun_; }

  // --- Called by supersteps

  void begin_superstep(std::size_t depth, const adaptive_hops& hops);
  /// The main program waits; from now on only handlers send.
  void await_end() noexcept { messages_.let_send(true); }
  void end_superstep() noexcept;
  /// Ends its superstep before that of the other mailboxes.
  void close_superstep() noexcept;
  /// The superstep of the others has ended, too: it is now dormant like them.
  void forget_close() noexcept { is_closed_ = false; }
  /// Leaves all supersteps. Keeps the counts for the statistics, if they are wanted.
  void leave() noexcept;

  virtual void record() const = 0;

  // --- Called by waves; see docs/design/termination.md

  /// Whether none of its messages is unhandled, spilled or in an open buffer here, and no work that it left.
  bool is_empty() const noexcept { return n_left_ == n_done_ && messages_.is_empty(); }
  void flush() noexcept { messages_.flush(); }
  /// What it has sent and handled, and the work it has left and done, since the superstep began.
  wave_share share(const adaptive_hops& hops) const noexcept;
  std::uint64_t serial() const noexcept { return messages_.serial(); }

  // --- Called for work that its handlers leave for later on this PE (deferred_work.hpp, answers.hpp)

  void note_left() noexcept { ++n_left_; }
  void note_done() noexcept { ++n_done_; }
  /// For reports: the mailbox.
  std::string describe_owner() const;

protected:
  /// `messages` must outlive the part, except during construction and destruction.
  explicit superstep_part(stream& messages) noexcept : messages_(messages) {}
  ~superstep_part();

  /// The main program sends no more in this superstep.
  void promise_no_more() noexcept;

private:
  /// Called before a superstep begins, the only time at which the route may change.
  virtual void choose_route() = 0;

  stream& messages_;
  state state_ = state::dormant;
  bool is_in_scope_ = false;
  bool is_closed_ = false;
  bool has_begun_ = false;
  std::size_t depth_ = 0;
  stream::hop_items items_before_;  // counts when this superstep began
  superstep_traffic traffic_before_;
  std::uint64_t n_left_ = 0;  // items of work, in this superstep
  std::uint64_t n_done_ = 0;
};

}  // namespace shoal::internal
