/// Guards of a mailbox on one PE: whether its handlers may run now, and before which others.
#pragma once

#include <source_location>

namespace shoal {

namespace internal {
class exchange;
class stream;
}  // namespace internal

/// A part of every mailbox. All functions are local and do not wait; the main program, handlers and deferred work may call
/// them, in supersteps and outside.
class mailbox_guards {
public:
  mailbox_guards(const mailbox_guards&) = delete;
  mailbox_guards& operator=(const mailbox_guards&) = delete;

  /// While a mailbox is disabled on a PE, its messages wait there, and its handlers do not run. They keep the buffers in
  /// which they came, so their senders run out of credits in the end, and wait as for any slow receiver. A handler that
  /// disables its own mailbox finishes its message (or its batch); the next one waits. It has to be enabled everywhere when
  /// its superstep ends; otherwise the job ends with a report. It stays disabled until it is enabled, outside supersteps,
  /// too.
  void disable(const std::source_location where = std::source_location::current()) noexcept;
  void enable();
  /// In a task on another worker than the PE's own thread, what that thread has done last: what tasks disable or enable, it does
  /// in one of its waits, so it may not have done yet what this task has asked for.
  bool is_enabled() const noexcept;

  /// Where messages of several mailboxes have arrived, this PE handles those of the greatest priority first, and looks
  /// again after each buffer. 0 is the default; mailboxes of equal priority take turns. Messages of one mailbox stay in
  /// order. A PE with much to handle may leave small priorities for long. A priority does not send messages sooner: limit
  /// the latency of urgent ones, too (mailbox::limit_latency). For the life of the mailbox.
  void set_priority(int priority) noexcept;

protected:
  /// Both outlive it. `messages` need not be constructed yet.
  mailbox_guards(internal::exchange& through, internal::stream& messages) noexcept
      : exchange_(through), messages_(messages) {}
  ~mailbox_guards() = default;

private:
  internal::exchange& exchange_;
  internal::stream& messages_;
};

}  // namespace shoal
