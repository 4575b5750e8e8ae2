/// The random decisions of a simulation. Each kind draws from its own stream, so changing one knob leaves the draws of
/// the others unchanged.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "shoal/base/random.hpp"
#include "shoal/base/settings.hpp"

namespace shoal::internal::sim {

/// The streams of the seed. Their numbers determine every draw, so add new ones at the end.
enum class chance_stream : std::uint64_t { ties, holds, refusals, preemptions, slow_pes, jitter };

inline random_engine engine_of(const sim_settings& model, chance_stream stream) {
  return random_engine(model.seed, static_cast<std::uint64_t>(stream));
}

/// A hostile event with a fixed probability. Draws nothing if the probability is zero.
class hazard {
public:
  hazard(double probability, random_engine random) noexcept : probability_(probability), random_(random) {}

  bool strikes() noexcept { return probability_ > 0 && random_.chance(probability_); }

  /// How hard it strikes: a number below `n`.
  std::uint64_t below(std::uint64_t n) noexcept { return random_.below(n); }

private:
  double probability_;
  random_engine random_;
};

/// For each PE, how many times longer than normal everything takes. The number of slow PEs is the rounded share, but at
/// least one if the share is not zero.
std::vector<double> slowness_of_pes(const sim_settings& model, std::size_t n_pes);

}  // namespace shoal::internal::sim
