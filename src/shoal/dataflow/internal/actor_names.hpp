/// The names of a graph's actors that this PE looks after: where each actor lives, and who waits for it to exist.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "shoal/base/types.hpp"
#include "shoal/dataflow/internal/actor_request.hpp"

namespace shoal::internal {

class actor_names {
public:
  struct place {
    pe_id pe = -1;  // -1: there is no such actor
    std::uint32_t n_moves = 0;  // to other PEs, before it came there
    bool has_left = false;  // there was one
    std::string added_at;  // in the program
    std::vector<actor_request> waiting;
  };

  /// That of `name`, made by the first call.
  place& of(const std::string& name) { return places_[name]; }
  /// Says which request waits for an actor that is not there; empty: none does.
  std::string first_waiting() const;

  /// The PE that looks after `name`.
  static pe_id home_of(const std::string& name, pe_id n_pes) noexcept;

private:
  std::unordered_map<std::string, place> places_;
};

}  // namespace shoal::internal
