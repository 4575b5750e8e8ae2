/// The names of a graph's actors that this PE looks after: where each actor lives, and who waits for it to exist.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "shoal/base/types.hpp"
#include "shoal/dataflow/internal/channel_request.hpp"

namespace shoal::internal {

class actor_names {
public:
  /// A request on its way to the writer or to the reader.
  struct waiting_request {
    channel_request asked;
    bool is_for_writer;
  };
  struct place {
    pe_id pe = -1;  // -1: the actor does not exist yet
    std::string added_at;  // in the program
    std::vector<waiting_request> waiting;
  };

  /// That of `name`, made by the first call.
  place& of(const std::string& name) { return places_[name]; }
  /// A request that waits for an actor, and the actor's name; null: none does.
  const waiting_request* first_waiting(std::string& name) const;

  /// The PE that looks after `name`.
  static pe_id home_of(const std::string& name, pe_id n_pes) noexcept;

private:
  std::unordered_map<std::string, place> places_;
};

}  // namespace shoal::internal
