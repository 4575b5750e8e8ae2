/// How a mailbox with a parallel handler lends its buffers to tasks. docs/design/tasks.md
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "shoal/conveyor/internal/sink.hpp"
#include "shoal/substrate/internal/buffer.hpp"

namespace shoal {
class world;
}

namespace shoal::internal {

class pe_tasks;
class substrate;

/// The part of the mailbox that does not depend on its type. With one worker it lends nothing.
class buffer_lender {
public:
  buffer_lender(const buffer_lender&) = delete;
  buffer_lender& operator=(const buffer_lender&) = delete;

protected:
  /// Handles the messages of a copy from `offset` on. On any worker; several calls may run at once. Returns how many there were.
  using handle_copy = std::size_t (*)(buffer_lender& self, const buffer& copy, std::uint32_t offset);

  /// `of`: the mailbox. Makes the tasks of the PE if it has several workers.
  buffer_lender(world& home, const sink& of, handle_copy handle);
  ~buffer_lender() = default;

  /// Lets a task handle the `n` messages of `b` from `offset` on, in a copy. The task counts for the mailbox, in whose sink
  /// this is called. False: let the caller handle them, since all copies are in use or it takes hardly longer.
  bool lend(const buffer& b, std::uint32_t offset, std::size_t n);

  /// When the caller begins to handle messages itself, and that it has handled `n` of them.
  std::uint64_t begin_ns() noexcept;
  void note_handled(std::size_t n, std::uint64_t begin_ns) noexcept;

private:
  struct lent;

  const sink& mailbox_;
  const handle_copy handle_;  // not virtual: the mailbox's destructor begins while tasks still call it
  substrate& backend_;
  pe_tasks* const tasks_;  // null: there is one worker
  std::atomic<double> ns_per_message_;  // as measured last
};

}  // namespace shoal::internal
