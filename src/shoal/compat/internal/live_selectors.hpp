/// The selectors of this process that have been started and have not ended, and words of the symmetric heap for them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "shoal/compat/internal/process_world.hpp"

struct shoal_selector;

namespace shoal::internal::compat {

/// Words of one selector, and of those that have the same words later. A call may be late: it may reach a PE on which the selector
/// has ended. So what others write names the selector, and nobody sets it back.
struct selector_words {
  int global_done;  // written here alone; -1: all mailboxes are done
  int local_done;  // -1: this PE has asked for that
  std::uint64_t signalled;  // by others: the last selector that is done globally, its number + 1
  std::uint64_t asked;  // on PE 0: the last selector of which PEs have asked for that, its number + 1, and how many
};
inline constexpr unsigned n_asked_bits = 24;

class live_selectors {
public:
  /// Collective for the first selector of a job, which makes the words.
  selector_words& words_of(std::uint64_t number);

  void enter(shoal_selector& its) { all_.push_back(&its); }
  void leave(shoal_selector& its) noexcept { std::erase(all_, &its); }

  /// Ends what has nothing left. Returns whether anything moved. Not in a handler. Local, does not wait.
  bool settle();

  /// Programs make one selector an iteration. So in the statistics only the first have rows of their own.
  static constexpr std::uint64_t n_with_rows = 16;
  /// The number of the others' common row, which is that of the first mailbox that asks. All PEs ask in the same order.
  std::uint64_t row_of_later(std::uint64_t serial) noexcept {
    if (!row_of_later_) row_of_later_ = serial;
    return *row_of_later_;
  }

  /// Numbers selectors in the order of their construction, which is the same on all PEs.
  std::uint64_t next_number() noexcept { return n_made_++; }

private:
  // So many selectors may live at the same time, from start to end.
  static constexpr std::uint64_t n_words = 4096;

  void make_words();
  void forget_job() noexcept {
    words_ = nullptr;
    n_made_ = 0;
    row_of_later_.reset();
  }

  std::vector<shoal_selector*> all_;
  selector_words* words_ = nullptr;  // of the open job
  std::optional<end_with_job> of_job_;  // forgets them
  std::uint64_t n_made_ = 0;
  std::optional<std::uint64_t> row_of_later_;  // of the open job
};

/// Of this process: functions of the headers have no parameter for it.
live_selectors& selectors() noexcept;

}  // namespace shoal::internal::compat
