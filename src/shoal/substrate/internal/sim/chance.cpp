#include "shoal/substrate/internal/sim/chance.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace shoal::internal::sim {

std::vector<double> slowness_of_pes(const sim_settings& model, std::size_t n_pes) {
  std::vector<double> slowness(n_pes, 1);
  if (model.slow_share <= 0) return slowness;
  const double wanted = std::round(model.slow_share * static_cast<double>(n_pes));
  const auto n_slow = std::clamp<std::size_t>(static_cast<std::size_t>(wanted), 1, n_pes);
  random_engine random = engine_of(model, chance_stream::slow_pes);
  std::fill_n(slowness.begin(), n_slow, model.slow_factor);
  for (std::size_t i = n_pes; i > 1; --i) std::swap(slowness[i - 1], slowness[random.below(i)]);
  return slowness;
}

}  // namespace shoal::internal::sim
