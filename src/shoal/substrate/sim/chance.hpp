/// The chances that a simulation takes. Each kind draws from a stream of its own, so turning one knob leaves the draws
/// of the others as they were.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "shoal/base/random.hpp"
#include "shoal/base/settings.hpp"

namespace shoal::sim {

/// The streams of the seed. Their numbers decide every draw, so new ones go to the end.
enum class chance_stream : std::uint64_t { ties, holds, refusals, preemptions, slow_pes };

inline random_engine engine_of(const sim_settings& model, chance_stream stream) {
  return random_engine(model.seed, static_cast<std::uint64_t>(stream));
}

/// Something unkind that happens with a fixed probability. Draws nothing if the probability is zero.
class hazard {
public:
  hazard(double probability, random_engine random) noexcept : probability_(probability), random_(random) {}

  bool strikes() noexcept { return probability_ > 0 && random_.chance(probability_); }

  /// How hard it strikes: below `n`.
  std::uint64_t below(std::uint64_t n) noexcept { return random_.below(n); }

private:
  double probability_;
  random_engine random_;
};

/// By PE, how many times as long as usual everything takes. The share of slow PEs is rounded to the nearest number of
/// PEs, but is at least one PE if it is not zero.
std::vector<double> slowness_of_pes(const sim_settings& model, std::size_t n_pes);

}  // namespace shoal::sim
