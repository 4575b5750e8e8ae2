#include "shoal/substrate/internal/sim/rounds.hpp"

#include <algorithm>
#include <cstring>

namespace shoal::internal::sim {

bool rounds::arrive(std::uint64_t number, pe_id pe, std::span<const std::byte> contribution, combine_function combine,
                    std::uint64_t now_ns) noexcept {
  if (n_arrived_ == 0) {
    combine_ = nullptr;
    latest_ns_ = 0;
  }
  // All PEs pass equally many bytes and equivalent functions, or none. If they do not, the fold of the layer above may
  // report that better than we can; so keep the size that belongs to one of the functions.
  if (n_arrived_ == 0 || combine != nullptr) bytes_ = contribution.size();
  if (combine != nullptr) combine_ = combine;
  latest_ns_ = std::max(latest_ns_, now_ns);
  if (!contribution.empty()) {
    std::memcpy(place(number, static_cast<std::size_t>(pe)), contribution.data(), contribution.size());
  }
  if (++n_arrived_ < n_pes_) return false;

  n_arrived_ = 0;
  if (combine_ != nullptr) {
    std::byte* const result = place(number, n_pes_);
    std::memcpy(result, place(number, 0), bytes_);
    // In ascending order, so that floating-point results do not depend on the order of arrival.
    for (std::size_t i = 1; i < n_pes_; ++i) combine_(result, place(number, i), bytes_);
  }
  return true;
}

}  // namespace shoal::internal::sim
