#include "shoal/substrate/sim/rounds.hpp"

#include <algorithm>
#include <cstring>

namespace shoal::sim {

bool rounds::arrive(std::uint64_t number, pe_id pe, std::span<const std::byte> contribution, combine_function combine,
                    std::uint64_t now_ns) noexcept {
  if (n_arrived_ == 0) {
    combine_ = nullptr;
    latest_ns_ = 0;
  }
  // All PEs give the same bytes and equivalent functions, or none. If they do not, the fold of the layer above may be
  // able to say so in better words than ours; so take what belongs to one function.
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
    // Ascending order, so that floating-point results do not depend on who came when.
    for (std::size_t i = 1; i < n_pes_; ++i) combine_(result, place(number, i), bytes_);
  }
  return true;
}

}  // namespace shoal::sim
