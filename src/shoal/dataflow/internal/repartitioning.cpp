#include "shoal/dataflow/internal/repartitioning.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "shoal/base/internal/ambient.hpp"
#include "shoal/base/settings.hpp"
#include "shoal/base/setup_error.hpp"
#include "shoal/dataflow/internal/actor_requests.hpp"
#include "shoal/dataflow/internal/channel_end.hpp"
#include "shoal/dataflow/internal/graph_part.hpp"
#include "shoal/dataflow/internal/partition.hpp"

namespace shoal::internal {
namespace {

// What a division comes to.
struct division_result {
  double most = 0;  // the weight of the PE that has most
  double mean = 0;
  double cut = 0;  // the weight of channels between PEs
};

division_result result_of(const actor_network& network, const std::vector<pe_id>& pes, pe_id n_pes) {
  std::vector<double> loads(static_cast<std::size_t>(n_pes), 0);
  division_result its;
  for (std::size_t i = 0; i < pes.size(); ++i) {
    loads[static_cast<std::size_t>(pes[i])] += network.actors[i].weight;
    its.mean += network.actors[i].weight / static_cast<double>(n_pes);
  }
  its.most = std::ranges::max(loads);
  for (const actor_network::channel& each : network.channels) {
    if (pes[each.from] != pes[each.to]) its.cut += each.weight;
  }
  return its;
}

// To move an actor costs some acts of it and of its neighbours, and what was measured is no promise. A library's parts may differ by
// some percent, which is no reason against a smaller cut.
bool is_worth_moves(const division_result& now, const division_result& then) {
  if (then.most > std::max(1.05 * now.most, 1.15 * then.mean)) return false;
  return then.most < now.most - 0.1 * now.mean || then.cut < 0.75 * now.cut;
}

}  // namespace

void repartitioning::ask(const repartition_request& what) const {
  part_.home().send<&repartitioning::on_request>(0, part_.its_handle(), what);
}

void repartitioning::on_request(handle part, const repartition_request& what) {
  repartitioning& its = part->repartitions();
  if (!part->is_running() || std::exchange(its.is_collecting_, true)) return;
  its.asked_ = what;
  for (pe_id pe = 0; pe < part->home().n_pes(); ++pe) part->home().send<&repartitioning::on_collect>(pe, part);
}

void repartitioning::on_collect(handle part) {
  part->home().send<&repartitioning::on_costs>(0, part, part->repartitions().take_costs());
}

void repartitioning::on_costs(handle part, const costs_of_pe& its) {
  repartitioning& here = part->repartitions();
  here.collected_.push_back(its);
  if (static_cast<pe_id>(here.collected_.size()) < part->home().n_pes()) return;
  if (part->is_running()) here.divide();
  here.collected_.clear();
  here.is_collecting_ = false;
}

// Counts begin anew wherever an actor comes to.
std::uint64_t repartitioning::take_new(seen_cost& seen, std::uint32_t n_moves, std::uint64_t n) {
  const std::uint64_t before = seen.n_moves == n_moves ? seen.n : 0;
  seen = {n_moves, n};
  return n - before;
}

costs_of_pe repartitioning::take_costs() {
  costs_of_pe all{.pe = part_.home().my_pe(), .actors = {}, .channels = {}};
  for (const auto& each : part_.actors()) {
    const actor_node& node = each->node();
    if (node.has_finished()) continue;
    const actor_identity& its = node.identity();
    const std::uint64_t ns = take_new(seen_actors_[node.name()], its.n_moves, node.cost().total_ns());
    all.actors.push_back({node.name(), ns, its.mover != nullptr});
    for (const output_end* port : node.outputs()) {
      if (!port->has_channel()) continue;
      seen_cost& seen = seen_channels_[{node.name(), port->port_name()}];
      all.channels.push_back({node.name(), port->other_actor(), take_new(seen, its.n_moves, port->n_counted())});
    }
  }
  return all;
}

void repartitioning::divide() {
  std::ranges::sort(collected_, {}, &costs_of_pe::pe);
  actor_network network;
  std::vector<const std::string*> names;
  std::vector<pe_id> now;
  std::map<std::string_view, std::uint32_t> numbers;
  for (const costs_of_pe& part : collected_) {
    for (const actor_cost& each : part.actors) {
      // One that moved meanwhile was counted where it was, and where it came to.
      if (!numbers.emplace(each.name, static_cast<std::uint32_t>(names.size())).second) continue;
      names.push_back(&each.name);
      now.push_back(part.pe);
      const double weight = std::max(1.0, static_cast<double>(each.act_ns));
      network.actors.push_back({weight, each.can_move ? -1 : part.pe, part.pe});
    }
  }
  for (const costs_of_pe& part : collected_) {
    for (const channel_cost& each : part.channels) {
      const auto from = numbers.find(each.from);
      const auto to = numbers.find(each.to);
      if (from == numbers.end() || to == numbers.end() || each.n_tokens == 0) continue;
      network.channels.push_back({from->second, to->second, static_cast<double>(each.n_tokens)});
    }
  }
  if (names.empty()) return;
  const pe_id n_pes = part_.home().n_pes();
  std::vector<pe_id> then;
  try {
    then = partition(network, n_pes, asked_.library, part_.home().chosen_settings().modules.value);
  } catch (const setup_error& e) {
    end_job(status_usage, asked_.place + ": " + e.what());
  }
  if (!is_worth_moves(result_of(network, now, n_pes), result_of(network, then, n_pes))) return;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (then[i] != now[i]) ask_actor(part_, {actor_request::kind::move, *names[i], {}, then[i], asked_.place});
  }
}

}  // namespace shoal::internal
