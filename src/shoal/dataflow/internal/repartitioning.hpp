/// Divides the actors of a graph anew while it runs, by what their acts took.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "shoal/actor/per_pe.hpp"
#include "shoal/base/types.hpp"

namespace shoal {
enum class library_kind : std::uint8_t;
}

namespace shoal::internal {

class graph_part;

/// A call to repartition, as it travels.
struct repartition_request {
  library_kind library = {};
  std::string place;  // of the program, and the graph's name

  void serialize(auto& archive) { archive(library, place); }
};

/// What an actor has cost since costs were last collected, or since it came.
struct actor_cost {
  std::string name;
  std::uint64_t act_ns = 0;
  std::uint32_t n_moves = 0;
  bool can_move = false;

  void serialize(auto& archive) { archive(name, act_ns, n_moves, can_move); }
};

/// The same of the channel of an out-port.
struct channel_cost {
  std::string from;
  std::string to;
  double weight = 0;  // of the tokens

  void serialize(auto& archive) { archive(from, to, weight); }
};

struct costs_of_pe {
  pe_id pe = 0;
  std::vector<actor_cost> actors;
  std::vector<channel_cost> channels;

  void serialize(auto& archive) { archive(pe, actors, channels); }
};

/// PE 0 collects the costs of all PEs, lets a library divide the actors, and asks those to move that are to live elsewhere. Nothing
/// moves if that gains little. Acts go on meanwhile, but for those on the own thread of PE 0 while it divides.
class repartitioning {
public:
  explicit repartitioning(graph_part& part) noexcept : part_(part) {}

  /// Asks PE 0 for a division. Local, while the graph runs; on any worker.
  void ask(const repartition_request& what) const;

private:
  using handle = pe_handle<graph_part>;
  // When costs were last collected. An actor may have moved away and come back.
  struct seen_cost {
    std::uint32_t n_moves = 0;
    std::uint64_t n = 0;
  };

  static void on_request(handle part, const repartition_request& what);
  static void on_collect(handle part);
  static void on_costs(handle part, const costs_of_pe& its);

  costs_of_pe take_costs();
  void divide();

  graph_part& part_;
  using seen_costs = std::map<std::pair<std::string, std::string>, seen_cost>;  // by actor, and port or nothing
  static std::uint64_t take_new(const seen_costs& before, seen_costs& now, const std::string& actor,
                                const std::string& port, const seen_cost& cost);
  seen_costs seen_;
  // On PE 0:
  bool is_collecting_ = false;
  std::uint64_t collected_ns_ = 0;  // when costs of all PEs were last there
  repartition_request asked_;
  std::vector<costs_of_pe> collected_;
};

}  // namespace shoal::internal
