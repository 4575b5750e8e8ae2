#include "shoal/actor/started_collectives.hpp"

#include "shoal/actor/internal/background_calls.hpp"
#include "shoal/actor/world.hpp"

namespace shoal {

using namespace internal;

pending_answer& started_collectives::start_bytes(const background_call& call, std::span<const std::byte> mine,
                                                 const std::source_location& where) {
  if (background_ == nullptr) {
    world& home = static_cast<world&>(*this);
    background_.reset(new background_calls(home, *home.exchange_, home.main_));
  }
  return static_cast<background_calls&>(*background_).start(call, mine, where);
}

}  // namespace shoal
