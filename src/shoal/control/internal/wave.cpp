#include "shoal/control/internal/wave.hpp"

#include <utility>

#include "shoal/control/internal/plane.hpp"

namespace shoal::internal {

std::string to_string(wave_name name) {
  static constexpr const char* kinds[] = {"world", "scope", "mailbox", "team", "background"};
  const auto kind = static_cast<std::size_t>(name.kind);
  return (kind < std::size(kinds) ? kinds[kind] : "of unknown kind") + (" " + std::to_string(name.number));
}

wave::wave(control_plane& plane, std::shared_ptr<const group> among, wave_name name, wave_options options)
    : plane_(plane), protocol_(plane.attach(std::move(among), name, std::move(options))) {}

wave::~wave() { plane_.detach(protocol_); }

void wave::contribute(std::span<const std::byte> mine) {
  protocol_.contribute(mine);
  plane_.wake(protocol_);
}

bool wave::is_open() const noexcept { return protocol_.is_open(); }

bool wave::is_complete() const noexcept { return protocol_.is_complete(); }

bool wave::owes() const noexcept { return protocol_.owes(); }

std::vector<pe_id> wave::lacking() const { return protocol_.lacking(); }

std::span<const std::byte> wave::take() noexcept {
  const std::span<const std::byte> result = protocol_.take();
  plane_.wake(protocol_);  // a call for the next generation may have arrived
  return result;
}

void wave::call() {
  protocol_.call();
  plane_.wake(protocol_);
}

}  // namespace shoal::internal
