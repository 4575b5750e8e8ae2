/// Both messages in one item, for the forms whose streams have items of one type, and what a PE does with them.
#pragma once

#include <deque>

#include "kernels/toposort/problem.hpp"

namespace shoal::kernels::toposort {

struct either {
  static constexpr std::uint32_t is_taken_column = UINT32_MAX;  // in place of a column, which no message has

  std::uint32_t at;  // the receiver's row or column
  std::uint32_t column;
  std::uint32_t level;
};

/// What one PE has to do, and how much of it is left: every row loses all its entries, and every column is taken.
class search_state {
public:
  explicit search_state(problem& p) : p_(p) {
    n_left_ = static_cast<std::int64_t>(p.columns.n_local_rows()) + p.rows.n_local_entries();
    for (const std::uint32_t row : first_rows(p)) take(row);
  }

  bool is_done() const { return n_left_ == 0 && waiting_.empty(); }

  void receive(const either& e) {
    --n_left_;
    if (e.column == either::is_taken_column) {
      take_column(p_, {e.at, e.level},
                  [&](pe_id pe, lost_entry lost) { waiting_.push_back({pe, {lost.row, lost.column, lost.level}}); });
    } else if (lose(p_, {e.at, e.column, e.level})) {
      take(e.at);
    }
  }

  /// Calls push(item, pe) for what waits, until it returns false.
  template <class Push>
  void send_waiting(Push push) {
    for (; !waiting_.empty() && push(waiting_.front().item, waiting_.front().to); waiting_.pop_front()) {
    }
  }

private:
  struct outgoing {
    pe_id to;
    either item;
  };

  void take(std::uint32_t row) {
    take_row(p_, row,
             [&](pe_id pe, taken_column c) { waiting_.push_back({pe, {c.column, either::is_taken_column, c.level}}); });
  }

  problem& p_;
  std::int64_t n_left_ = 0;  // messages that this PE has still to get
  std::deque<outgoing> waiting_;
};

}  // namespace shoal::kernels::toposort
