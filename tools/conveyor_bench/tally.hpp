/// Tests steadiness: no PE declares itself done before every item of a session has been pulled.
///
/// So a conveyor that waits with a partly filled buffer until its sender is done would never end. Through a second
/// conveyor every PE tells PE 0 how many items it has pulled; when these are all, PE 0 tells every PE.
#pragma once

#include "shoal/actor/world.hpp"
#include "shoal/conveyor/conveyor.hpp"

namespace shoal::cli {

class tally {
public:
  tally(world& w, int n_hops) : world_(w), conveyor_(w, {.steady = true, .n_hops = n_hops}) {}

  void begin(std::uint64_t n_items_of_all) {
    n_items_ = n_items_of_all;
    n_reported_ = n_counted_ = 0;
    next_to_tell_ = world_.n_pes() - 1;
    is_all_ = false;
    conveyor_.begin();
  }

  /// `n_pulled`: by this PE, so far. Returns whether all items of the session have been pulled.
  bool advance(std::uint64_t n_pulled) {
    conveyor_.advance(is_all_);
    if (is_all_) return true;
    if (n_pulled != n_reported_ && conveyor_.push(n_pulled - n_reported_, 0)) n_reported_ = n_pulled;
    while (const std::uint64_t* count = conveyor_.pull()) {
      is_all_ = is_all_ || *count == all;
      if (*count != all) n_counted_ += *count;
    }
    // PE 0 tells itself last, so it is done when it has told every PE.
    const bool tells = world_.my_pe() == 0 && n_counted_ == n_items_;
    while (tells && next_to_tell_ >= 0 && conveyor_.push(all, next_to_tell_)) --next_to_tell_;
    return is_all_;
  }

  /// Called when all items have been pulled and the session is complete.
  void end() {
    while (conveyor_.advance(true) != progress::complete) {
      while (conveyor_.pull() != nullptr) {
      }
    }
    conveyor_.reset();
  }

private:
  static constexpr std::uint64_t all = UINT64_MAX;  // instead of a count

  world& world_;
  conveyor<std::uint64_t> conveyor_;
  std::uint64_t n_items_ = 0;
  std::uint64_t n_reported_ = 0;
  std::uint64_t n_counted_ = 0;  // on PE 0
  pe_id next_to_tell_ = 0;
  bool is_all_ = false;
};

}  // namespace shoal::cli
