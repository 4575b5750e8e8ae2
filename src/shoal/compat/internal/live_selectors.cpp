#include "shoal/compat/internal/live_selectors.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>

#include "shoal/actor/world.hpp"
#include "shoal/base/internal/ambient.hpp"
#include "shoal/compat/internal/c_selector.hpp"
#include "shoal/compat/internal/reach.hpp"
#include "shoal/conveyor/internal/exchange.hpp"

namespace shoal::internal::compat {

live_selectors& selectors() noexcept {
  static live_selectors& one = *new live_selectors;
  return one;
}

// A PE writes into words of others only after all have made them.
void live_selectors::make_words() {
  world& in = world_for("a selector");
  constexpr std::size_t bytes = n_words * sizeof(selector_words);
  const std::optional<std::size_t> at = blocks().allocate(bytes, alignof(selector_words));
  if (!at) {
    in.end_job(status_usage, "the symmetric heap has no room for what selectors need, " + std::to_string(bytes) +
                                 " bytes; raise SHMEM_SYMMETRIC_SIZE or SHOAL_HEAP");
  }
  words_ = reinterpret_cast<selector_words*>(here.heap + *at);
  std::memset(static_cast<void*>(words_), 0, bytes);
  in.message_exchange().arriving().hold_handlers(true);
  of_job_.emplace([](void* its) noexcept { static_cast<live_selectors*>(its)->forget_job(); }, this);
  in.barrier();
}

selector_words& live_selectors::words_of(std::uint64_t number) {
  if (words_ == nullptr) make_words();
  selector_words& its = words_[number % n_words];
  const auto has_it = [&](const shoal_selector* other) { return other->words == &its; };
  if (std::ranges::any_of(all_, has_it)) {
    end_job(status_usage, "more than " + std::to_string(n_words) + " selectors live at the same time; end some (done)");
  }
  return its;
}

bool live_selectors::settle() {
  bool has_moved = false;
  for (std::size_t i = all_.size(); i > 0; --i) has_moved |= all_[i - 1]->settle();
  return has_moved;
}

}  // namespace shoal::internal::compat
