#include "shoal/actor/started_collectives.hpp"

#include "shoal/actor/internal/background_calls.hpp"

namespace shoal {

using namespace internal;

started_collectives::started_collectives() noexcept = default;
started_collectives::~started_collectives() = default;

void started_collectives::begin_background(owner<background_calls> its) noexcept { background_ = std::move(its); }
void started_collectives::end_background() noexcept { background_.reset(); }

pending_answer& started_collectives::start_bytes(const background_call& call, std::span<const std::byte> mine,
                                                 const std::source_location& where) {
  return background_->start(call, mine, where);
}

}  // namespace shoal
