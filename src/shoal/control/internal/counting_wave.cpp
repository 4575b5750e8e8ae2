#include "shoal/control/internal/counting_wave.hpp"

#include <cstring>
#include <utility>

#include "shoal/base/internal/contract.hpp"

namespace shoal::internal {

counting_wave::counting_wave(control_plane& plane, std::shared_ptr<const group> among, wave_name name)
    : wave_(plane, std::move(among), name, {.bytes = sizeof(counts), .combine = add}) {}

void counting_wave::begin() {
  SHOAL_REQUIRE(wave_.is_open());
  last_handled_ = 0;
  has_last_ = false;
  is_over_ = false;
}

bool counting_wave::advance(bool is_idle, std::uint64_t sent, std::uint64_t handled) {
  if (wave_.is_complete()) {
    counts all;
    std::memcpy(&all, wave_.take().data(), sizeof all);
    judge(all);
  }
  if (is_idle && !is_over_ && wave_.is_open()) {
    const counts mine{sent, handled};
    wave_.contribute(std::as_bytes(std::span(&mine, 1)));
  }
  return is_over_;
}

// The scope has ended if nothing was sent, or if this generation's count of sent messages equals the last generation's
// count of handled ones: between the two, nothing was in transit.
void counting_wave::judge(const counts& all) {
  SHOAL_ASSERT(last_handled_ <= all.sent && last_handled_ <= all.handled);
  is_over_ = all.sent == 0 || (has_last_ && all.sent == last_handled_);
  last_handled_ = all.handled;
  has_last_ = true;
}

void counting_wave::add(std::byte* into, const std::byte* from, std::size_t bytes) {
  SHOAL_ASSERT(bytes == sizeof(counts));
  counts sum;
  counts more;
  std::memcpy(&sum, into, sizeof sum);
  std::memcpy(&more, from, sizeof more);
  sum.sent += more.sent;
  sum.handled += more.handled;
  std::memcpy(into, &sum, sizeof sum);
}

}  // namespace shoal::internal
