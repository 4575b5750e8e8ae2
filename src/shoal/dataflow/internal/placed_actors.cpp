#include "shoal/dataflow/internal/placed_actors.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <tuple>
#include <utility>

#include "shoal/actor/per_pe.hpp"
#include "shoal/base/internal/ambient.hpp"
#include "shoal/base/internal/source_place.hpp"
#include "shoal/base/settings.hpp"
#include "shoal/base/setup_error.hpp"
#include "shoal/dataflow/internal/measured_weights.hpp"
#include "shoal/dataflow/internal/partition.hpp"
#include "shoal/substrate/library_kind.hpp"

namespace shoal::internal {
namespace {

using dataflow::placement;

struct declared_channel {
  std::string from;
  std::string out;
  std::string to;
  double weight = 1;

  void serialize(auto& archive) { archive(from, out, to, weight); }
};

// What a PE has declared. On its way back, actors have their PEs, and both have the weights that count.
struct declared_part {
  pe_id whose = 0;
  std::vector<placed_actor> actors;
  std::vector<declared_channel> channels;

  void serialize(auto& archive) { archive(whose, actors, channels); }
};

struct declared_parts {
  std::vector<declared_part> all;  // on PE 0
  declared_part mine;
};

void on_part(pe_handle<declared_parts> parts, const declared_part& its) { parts->all.push_back(its); }
void on_answer(pe_handle<declared_parts> parts, const declared_part& its) { parts->mine = its; }

bool is_partitioned(const placement& how) {
  return how.its_kind() == placement::kind::metis || how.its_kind() == placement::kind::scotch;
}

// By their names, so that the answer does not depend on who has declared what, and when. Names that nobody or two have
// are mistakes, which `build` reports later.
void partition_parts(std::vector<declared_part>& parts, const placement& how, world& home) {
  std::vector<std::pair<placed_actor*, pe_id>> order;
  for (declared_part& part : parts) {
    for (placed_actor& each : part.actors) order.emplace_back(&each, part.whose);
  }
  std::ranges::stable_sort(order, [](const auto& a, const auto& b) {
    return std::tie(a.first->name, a.second) < std::tie(b.first->name, b.second);
  });
  actor_network network;
  std::map<std::string, std::uint32_t> numbers;
  for (const auto& [its, whose] : order) {
    numbers.emplace(its->name, static_cast<std::uint32_t>(network.actors.size()));
    network.actors.push_back({its->weight, its->pe});
  }
  for (const declared_part& part : parts) {
    for (const declared_channel& each : part.channels) {
      const auto from = numbers.find(each.from);
      const auto to = numbers.find(each.to);
      if (from != numbers.end() && to != numbers.end())
        network.channels.push_back({from->second, to->second, each.weight});
    }
  }
  const library_kind library = how.its_kind() == placement::kind::metis ? library_kind::metis : library_kind::scotch;
  const std::vector<pe_id> pes = partition(network, home.n_pes(), library, home.chosen_settings().modules.value);
  for (std::size_t i = 0; i < order.size(); ++i) order[i].first->pe = pes[i];
}

void weigh_parts(std::vector<declared_part>& parts, const std::string& file) {
  const measured_weights measured = measured_weights::read(file);
  for (declared_part& part : parts) {
    for (placed_actor& each : part.actors) each.weight = measured.of_actor(each.name, each.weight);
    for (declared_channel& each : part.channels) each.weight = measured.of_channel(each.from, each.out, each.weight);
  }
}

// What needs all actors and channels happens on PE 0.
void ask_pe_0(world& home, const std::string& build, const placement& how, std::vector<placed_actor>& actors,
              std::vector<channel_request>& channels, const std::source_location& where) {
  per_pe<declared_parts> parts(home);
  const pe_handle<declared_parts> handle = parts.handle();
  declared_part mine{.whose = home.my_pe(), .actors = std::move(actors), .channels = {}};
  for (const channel_request& each : channels) mine.channels.push_back({each.from, each.out, each.to, each.weight});
  home.finish([&] { home.send<&on_part>(0, handle, mine); }, where);
  home.finish(
      [&] {
        if (home.my_pe() != 0) return;
        try {
          if (!how.weights_file().empty()) weigh_parts(parts->all, how.weights_file());
          if (is_partitioned(how)) partition_parts(parts->all, how, home);
        } catch (const setup_error& e) {
          end_job(status_usage, build + ": " + e.what());
        }
        for (const declared_part& each : parts->all) home.send<&on_answer>(each.whose, handle, each);
      },
      where);
  actors = std::move(parts->mine.actors);
  for (std::size_t i = 0; i < channels.size(); ++i) channels[i].weight = parts->mine.channels[i].weight;
}

void place_in_order(world& home, const std::string& build, const placement& how, std::vector<placed_actor>& actors,
                    const std::source_location& where) {
  double weight = 0;
  std::uint64_t n = 0;
  for (const placed_actor& each : actors) {
    if (each.pe >= 0) continue;
    weight += each.weight;
    ++n;
  }
  const double all = home.sum(weight, where);
  if (!std::isfinite(all)) {
    end_job(status_usage, build + ": the weights of all actors add up to more than a double holds");
  }
  double before = home.exclusive_scan(weight, where);
  std::uint64_t number = home.exclusive_scan(n, where);
  for (placed_actor& each : actors) {
    if (each.pe >= 0) continue;
    if (how.its_kind() == placement::kind::cyclic) {
      each.pe = static_cast<pe_id>(number++ % static_cast<std::uint64_t>(home.n_pes()));
    } else {
      const double middle = (before + each.weight / 2) / all;  // so a heavy one goes where most of it lies
      each.pe = std::min(static_cast<pe_id>(middle * static_cast<double>(home.n_pes())), home.n_pes() - 1);
      before += each.weight;
    }
  }
}

void place_as_chosen(world& home, const std::string& graph, const placement& how, std::vector<placed_actor>& actors) {
  for (placed_actor& each : actors) {
    if (each.pe < 0) each.pe = chosen_pe(home, graph, how, each.name);
  }
}

void add_load(pe_handle<double> load, double weight) { *load += weight; }

// The load of the PE that has most, as a multiple of the mean.
double imbalance_of(world& home, const std::vector<placed_actor>& actors, const std::source_location& where) {
  std::map<pe_id, double> loads;
  for (const placed_actor& each : actors) loads[each.pe] += each.weight;
  per_pe<double> load(home, 0.0);
  home.finish(
      [&] {
        for (const auto& [pe, weight] : loads) home.send<&add_load>(pe, load.handle(), weight);
      },
      where);
  const double all = home.sum(*load, where);
  const double most = home.max(*load, where);
  return all > 0 ? most / all * static_cast<double>(home.n_pes()) : 1;
}

}  // namespace

pe_id chosen_pe(const world& home, const std::string& graph, const dataflow::placement& how, const std::string& actor) {
  const pe_id pe = how.pe_of(actor);
  if (pe < 0 || pe >= home.n_pes()) {
    end_job(status_usage, graph + ": the placement puts actor " + actor + " on PE " + std::to_string(pe) + ", of " +
                              std::to_string(home.n_pes()) + " PEs");
  }
  return pe;
}

double place_actors(world& home, const std::string& graph, const placement& how, std::vector<placed_actor>& actors,
                    std::vector<channel_request>& channels, const std::source_location& where) {
  const std::string build = graph + ": build (" + source_place(where) + ")";
  if (is_partitioned(how) || !how.weights_file().empty()) ask_pe_0(home, build, how, actors, channels, where);
  if (how.its_kind() == placement::kind::chosen) {
    place_as_chosen(home, graph, how, actors);
  } else if (!is_partitioned(how)) {
    place_in_order(home, build, how, actors, where);
  }
  return imbalance_of(home, actors, where);
}

}  // namespace shoal::internal
