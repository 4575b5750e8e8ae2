#include "shoal/dataflow/internal/repartitioning.hpp"

#include <algorithm>
#include <map>
#include <string_view>
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

// Costs of a shorter time, or of so few acts, say nothing of what comes. So actors that ask in each act do no harm.
constexpr std::uint64_t ns_between_collections = 5'000'000;
constexpr double act_ns_of_pe = 1e6;

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
  const bool is_soon = part->stopwatch_ns() - its.collected_ns_ < ns_between_collections;
  if (!part->is_running() || is_soon || std::exchange(its.is_collecting_, true)) return;
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
  here.collected_ns_ = part->stopwatch_ns();
  here.is_collecting_ = false;
}

// Counts begin anew wherever an actor comes to.
std::uint64_t repartitioning::take_new(const seen_costs& before, seen_costs& now, const std::string& actor,
                                       const std::string& port, const seen_cost& cost) {
  now[{actor, port}] = cost;
  const auto its = before.find({actor, port});
  return cost.n - (its != before.end() && its->second.n_moves == cost.n_moves ? its->second.n : 0);
}

costs_of_pe repartitioning::take_costs() {
  costs_of_pe all{.pe = part_.home().my_pe(), .actors = {}, .channels = {}};
  seen_costs now;
  for (const auto& each : part_.actors()) {
    const actor_node& node = each->node();
    if (node.has_finished()) continue;
    const actor_identity& its = node.identity();
    const std::uint64_t ns = take_new(seen_, now, node.name(), {}, {its.n_moves, node.cost().total_ns()});
    all.actors.push_back({node.name(), ns, its.n_moves, its.mover != nullptr});
    for (const output_end* port : node.outputs()) {
      if (!port->has_channel()) continue;
      const std::uint64_t n = take_new(seen_, now, node.name(), port->port_name(), {its.n_moves, port->n_counted()});
      all.channels.push_back({node.name(), port->other_actor(), static_cast<double>(n) * port->weight()});
    }
  }
  seen_ = std::move(now);
  return all;
}

void repartitioning::divide() {
  // One that has moved meanwhile was counted where it was, and where it came to.
  struct found_actor {
    double act_ns = 0;
    std::uint32_t n_moves = 0;
    pe_id pe = 0;
    bool can_move = false;
  };
  std::map<std::string_view, found_actor> found;  // in an order that does not depend on who has answered first
  double act_ns = 0;
  for (const costs_of_pe& part : collected_) {
    for (const actor_cost& each : part.actors) {
      act_ns += static_cast<double>(each.act_ns);
      found_actor& its = found[each.name];
      its.act_ns += static_cast<double>(each.act_ns);
      if (its.n_moves > each.n_moves) continue;
      its.n_moves = each.n_moves;
      its.pe = part.pe;
      its.can_move = each.can_move;
    }
  }
  const pe_id n_pes = part_.home().n_pes();
  if (act_ns < act_ns_of_pe * static_cast<double>(n_pes)) return;
  actor_network network;
  std::map<std::string_view, std::uint32_t> numbers;
  std::vector<std::string_view> names;
  std::vector<pe_id> now;
  for (const auto& [name, its] : found) {
    numbers.emplace(name, static_cast<std::uint32_t>(names.size()));
    names.push_back(name);
    now.push_back(its.pe);
    network.actors.push_back({std::max(1.0, its.act_ns), its.can_move ? -1 : its.pe, its.pe});
  }
  std::ranges::sort(collected_, {}, &costs_of_pe::pe);
  for (const costs_of_pe& part : collected_) {
    for (const channel_cost& each : part.channels) {
      const auto from = numbers.find(each.from);
      const auto to = numbers.find(each.to);
      if (from == numbers.end() || to == numbers.end() || each.weight == 0) continue;
      network.channels.push_back({from->second, to->second, each.weight});
    }
  }
  std::vector<pe_id> then;
  try {
    then = partition(network, n_pes, asked_.library, part_.home().chosen_settings().modules.value);
  } catch (const setup_error& e) {
    end_job(status_usage, asked_.place + ": " + e.what());
  }
  if (!is_worth_moves(result_of(network, now, n_pes), result_of(network, then, n_pes))) return;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (then[i] == now[i]) continue;
    ask_actor(part_, {actor_request::kind::move, std::string(names[i]), {}, then[i], asked_.place});
  }
}

}  // namespace shoal::internal
