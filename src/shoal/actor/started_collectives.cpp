#include "shoal/actor/started_collectives.hpp"

#include "shoal/actor/internal/background_calls.hpp"
#include "shoal/actor/world.hpp"

namespace shoal {

using namespace internal;

future<void> started_collectives::start_barrier(std::source_location where) {
  return start<void>({"start_barrier", 0, 1, nullptr, give_value<bare_answer>, 0}, bare_answer{}, where);
}

pending_answer& started_collectives::start_bytes(const background_call& call, std::span<const std::byte> mine,
                                                 const std::source_location& where) {
  if (background_ == nullptr) {
    world& home = static_cast<world&>(*this);
    background_.reset(new background_calls(home, *home.exchange_, home.main_));
  }
  return static_cast<background_calls&>(*background_).start(call, mine, where);
}

}  // namespace shoal
