/// Divides the actors of a graph among PEs by a library, METIS or Scotch: parts of equal weight with little weight
/// between them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "shoal/base/types.hpp"

namespace shoal {
enum class library_kind : std::uint8_t;
}

namespace shoal::internal {

/// The actors and channels of a graph, by number.
struct actor_network {
  struct actor {
    double weight;  // above 0
    pe_id pe;  // where it is fixed; -1: it may live anywhere
    pe_id now = -1;  // where it lives; -1: nowhere yet. PEs keep what they can
  };
  struct channel {
    std::uint32_t from;
    std::uint32_t to;
    double weight;  // above 0
  };
  std::vector<actor> actors;
  std::vector<channel> channels;
};

/// The PE of each actor, which follows from the arguments alone. Throws setup_error if the library is missing or fails;
/// one PE needs none. `modules`: the folder of modules, as find_module. Local.
std::vector<pe_id> partition(const actor_network& network, pe_id n_pes, library_kind library,
                             const std::string& modules);

/// Whole numbers above 0 in the proportions of `weights`, whose sum fits into 31 bits with each of them.
std::vector<std::int32_t> scaled_weights(const std::vector<double>& weights);

}  // namespace shoal::internal
