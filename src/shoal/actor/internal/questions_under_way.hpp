/// How many questions of a PE may be under way. Their messages, and those that they cause, need memory on other PEs.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "shoal/base/types.hpp"

namespace shoal::internal {

class exchange;

class questions_under_way {
public:
  questions_under_way(exchange& through, std::size_t budget_bytes, pe_id n_pes);

  /// A question is asked. If there are many, the main program first waits until there are fewer, as long as answers come.
  void note() {
    if (is_shared_) [[unlikely]]
      return note_of_any_worker();
    ++n_;
    if (n_ > single_.n_now) [[unlikely]]
      let_answers_come(n_, single_);
  }
  /// The same for a question of ask_all, of which `n` are under way. They have one place together.
  void note_in_order(std::uint64_t& n) {
    if (++n > in_order_.n_now) [[unlikely]]
      let_answers_come(n, in_order_);
  }
  void note_reply() noexcept { --n_; }

private:
  struct limit {
    std::uint64_t n_most;
    std::uint64_t n_now = n_most;  // more, while no answers come
    std::uint64_t n_more = 1;  // how many more after the next wait in vain
  };
  [[gnu::cold]] void note_of_any_worker();
  void take_in_those_of_workers() noexcept;
  [[gnu::cold]] void let_answers_come(const std::uint64_t& n, limit& most);

  exchange& exchange_;
  const bool is_shared_;  // tasks on other workers of the PE ask, too
  limit single_;
  limit in_order_{8 * single_.n_most};
  std::uint64_t n_ = 0;  // of ask, whose replies have not come
  std::atomic<std::uint64_t> n_of_workers_{0};  // asked by other workers, and not in n_ yet
};

}  // namespace shoal::internal
