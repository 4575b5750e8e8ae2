#include "shoal/substrate/sim/rounds.hpp"

#include <algorithm>
#include <cstring>

namespace shoal::sim {

bool rounds::arrive(std::uint64_t number, pe_id pe, std::span<const std::byte> contribution,
                    combine_function combine, std::uint64_t now_ns) noexcept {
  if (n_arrived_ == 0) {
    bytes_ = contribution.size();
    combine_ = combine;
    latest_ns_ = 0;
  }
  if (combine != nullptr) combine_ = combine;  // equivalent to what others gave, or they gave none
  latest_ns_ = std::max(latest_ns_, now_ns);
  if (bytes_ != 0) {
    std::memcpy(place(number, static_cast<std::size_t>(pe)), contribution.data(), bytes_);
  }
  if (++n_arrived_ < n_pes_) return false;

  n_arrived_ = 0;
  if (combine_ != nullptr) {
    std::byte* const result = place(number, n_pes_);
    std::memcpy(result, place(number, 0), bytes_);
    // Ascending order, so that floating-point results do not depend on who came when.
    for (std::size_t i = 1; i < n_pes_; ++i) combine_(result, place(number, i), bytes_);
  }
  return true;
}

}  // namespace shoal::sim
