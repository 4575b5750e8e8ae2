#include "shoal/control/internal/counting_wave.hpp"

#include <cstring>
#include <utility>

#include "shoal/base/internal/contract.hpp"

namespace shoal::internal {

counting_wave::counting_wave(control_plane& plane, std::shared_ptr<const group> among, wave_name name,
                             const counting_options& options)
    : options_(options),
      n_members_(static_cast<std::uint64_t>(among->size())),
      wave_(plane, std::move(among), name,
            {.bytes = options.digest ? sizeof(counts) : bytes_without_digest, .combine = add}) {}

void counting_wave::begin() {
  SHOAL_REQUIRE(wave_.is_open());
  last_handled_ = 0;
  has_last_ = false;
  is_over_ = false;
}

bool counting_wave::advance(bool is_idle, std::uint64_t sent, std::uint64_t handled) {
  if (wave_.is_complete()) {
    const std::span<const std::byte> result = wave_.take();
    counts all;
    std::memcpy(&all, result.data(), result.size());
    judge(all);
  }
  if (is_idle && !is_over_ && wave_.is_open()) {
    const counts mine{sent, handled, options_.digest.value_or(0)};
    wave_.contribute(std::as_bytes(std::span(&mine, 1)).first(options_.digest ? sizeof mine : bytes_without_digest));
  }
  return is_over_;
}

// The scope has ended if nothing was sent, or if this generation's count of sent messages equals the last generation's
// count of handled ones: between the two, nothing was in transit. If the count of sent messages was final in every
// contribution, it bounds what will ever be handled, so one generation tells.
void counting_wave::judge(const counts& all) {
  SHOAL_ASSERT(last_handled_ <= all.sent && last_handled_ <= all.handled);
  SHOAL_ASSERT(!options_.are_sends_final || all.handled <= all.sent);
  // Members with other digests than this one, all in all, move the sum away from that many times its own. So a member
  // notices unless the differences cancel out, with a probability of 2^-63.
  are_digests_different_ = options_.digest && all.digests != n_members_ * *options_.digest;
  const bool is_final = options_.are_sends_final && all.sent == all.handled;
  is_over_ = !are_digests_different_ && (all.sent == 0 || is_final || (has_last_ && all.sent == last_handled_));
  last_handled_ = all.handled;
  has_last_ = true;
}

void counting_wave::add(std::byte* into, const std::byte* from, std::size_t bytes) {
  SHOAL_ASSERT(bytes == sizeof(counts) || bytes == bytes_without_digest);
  counts sum;
  counts more;
  std::memcpy(&sum, into, bytes);
  std::memcpy(&more, from, bytes);
  sum.sent += more.sent;
  sum.handled += more.handled;
  sum.digests += more.digests;
  std::memcpy(into, &sum, bytes);
}

}  // namespace shoal::internal
