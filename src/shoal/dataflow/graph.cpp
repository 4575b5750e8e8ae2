#include "shoal/dataflow/graph.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <utility>

#include "shoal/base/internal/ambient.hpp"
#include "shoal/base/internal/source_place.hpp"
#include "shoal/base/setup_error.hpp"
#include "shoal/dataflow/internal/actor_requests.hpp"
#include "shoal/dataflow/internal/measured_weights.hpp"
#include "shoal/dataflow/internal/placed_actors.hpp"
#include "shoal/dataflow/internal/stalled_graph.hpp"
#include "shoal/substrate/library_kind.hpp"

namespace shoal::internal {

void end_for_constructor(const std::string& name, const std::string& added_at, const char* what) {
  end_job(status_failure, "add (" + added_at + "): the constructor of actor " + name + " threw: " + one_line(what));
}

}  // namespace shoal::internal

namespace shoal::dataflow {
namespace {

constexpr std::uint32_t capacity_max = std::uint32_t{1} << 30;
constexpr std::size_t n_channels_told = 4096;  // of each PE, in a report

// What PEs tell PE 0 of a graph that has stalled.
struct stall_notes {
  std::vector<internal::blocked_channel> channels;
  std::vector<std::string> live;
};

void on_stall_notes(pe_handle<stall_notes> notes, const std::vector<internal::blocked_channel>& channels,
                    const std::vector<std::string>& live) {
  notes->channels.insert(notes->channels.end(), channels.begin(), channels.end());
  notes->live.insert(notes->live.end(), live.begin(), live.end());
}

void on_measured(pe_handle<internal::measured_weights> all, const std::vector<internal::measured_actor>& actors,
                 const std::vector<internal::measured_channel>& channels) {
  all->add(actors, channels);
}

}  // namespace

graph::graph(world& home, std::string name) : home_(home), name_(name), part_(home, home, std::move(name)) {
  part_->set_graph(*this, part_.handle());
  require_no_finish("a graph", std::source_location::current());
}

graph::~graph() = default;

void graph::require_not_built(const char* call, const std::source_location& where) const {
  if (!is_built_) return;
  internal::end_job(internal::status_usage, name_ + ": " + call + " (" + internal::source_place(where) + ") after " +
                                                (has_run_ ? "run" : "build") +
                                                "; a graph is built and run once, so make it before");
}

void graph::require_running(const char* call, const std::source_location& where) const {
  if (part_->is_running()) return;
  internal::end_job(internal::status_usage, name_ + ": " + call + " (" + internal::source_place(where) +
                                                ") while the graph does not run; call it inside run, as in an act");
}

// Its mailboxes belong to the outermost finish, which a nested one would not wait for.
void graph::require_no_finish(const char* call, const std::source_location& where) const {
  if (home_.scopes().n_open() == 0) return;
  internal::end_job(internal::status_usage,
                    name_ + ": " + call + " (" + internal::source_place(where) +
                        ") inside finish; run has a finish of its own, so make, build and run a graph outside");
}

void graph::require_weight(const char* call, const actor_options& its) const {
  if (its.weight > 0 && std::isfinite(its.weight)) return;
  internal::end_job(internal::status_usage, name_ + ": " + call + " (" + internal::source_place(its.where) +
                                                "): actor " + its.name + " has weight " + std::to_string(its.weight) +
                                                "; give it a number above 0");
}

void graph::add_later(actor_options its, maker make) {
  if (!part_->is_running()) require_not_built("add", its.where);
  if (its.pe && (*its.pe < 0 || *its.pe >= home_.n_pes())) {
    internal::end_job(internal::status_usage, name_ + ": add (" + internal::source_place(its.where) + "): actor " +
                                                  its.name + " on PE " + std::to_string(*its.pe) + ", of " +
                                                  std::to_string(home_.n_pes()) + " PEs");
  }
  require_weight("add", its);
  if (part_->is_running()) {
    const bool is_chosen = placement_.its_kind() == placement::kind::chosen;
    const pe_id pe = its.pe      ? *its.pe
                     : is_chosen ? internal::chosen_pe(home_, name_, placement_, its.name)
                                 : home_.my_pe();
    return make(pe, its, internal::source_place(its.where));
  }
  declared_.push_back({std::move(its), std::move(make)});
}

void graph::take_here(actor_options its, std::unique_ptr<actor> made) {
  if (!part_->is_running()) require_not_built("add_here", its.where);
  if (made == nullptr || (its.pe && *its.pe != home_.my_pe())) {
    internal::end_job(internal::status_usage,
                      name_ + ": add_here (" + internal::source_place(its.where) + "): actor " + its.name +
                          (made == nullptr ? " is null" : " would live on another PE; add it there, or by add"));
  }
  require_weight("add_here", its);
  if (part_->is_running()) {
    return home_.defer([this, name = std::move(its.name), made = std::move(made), where = its.where]() mutable {
      part_->adopt(std::move(made), {std::move(name), internal::source_place(where), nullptr});
    });
  }
  made_here_.emplace_back(std::move(its), std::move(made));
}

void graph::connect(const port_name& from, const port_name& to, const channel_options& its,
                    std::source_location where) {
  if (!part_->is_running()) require_not_built("connect", where);
  internal::channel_request asked;
  asked.from = from.actor;
  asked.out = from.port;
  asked.to = to.actor;
  asked.in = to.port;
  asked.capacity = its.capacity;
  asked.length = its.length;
  asked.weight = its.weight;
  asked.place = internal::source_place(where);
  if (its.capacity < 1 || its.capacity > capacity_max) {
    internal::end_job(internal::status_usage, name_ + ": " + asked.describe() + ": capacity " +
                                                  std::to_string(its.capacity) +
                                                  "; a channel has room for 1 to 2^30 tokens");
  }
  if (!(its.weight > 0) || !std::isfinite(its.weight)) {
    internal::end_job(internal::status_usage, name_ + ": " + asked.describe() + ": weight " +
                                                  std::to_string(its.weight) + "; give it a number above 0");
  }
  if (part_->is_running()) return ask_for(asked);
  channels_.push_back(std::move(asked));
}

void graph::ask_for(const internal::channel_request& asked) const {
  internal::ask_actor(*part_, {internal::actor_request::kind::open_reader, asked.to, asked, -1, {}});
}

void graph::remove(const std::string& name, std::source_location where) {
  require_running("remove", where);
  internal::ask_actor(*part_, {internal::actor_request::kind::leave, name, {}, -1, internal::source_place(where)});
}

void graph::move(const std::string& name, pe_id to, std::source_location where) {
  require_running("move", where);
  if (to < 0 || to >= home_.n_pes()) {
    internal::end_job(internal::status_usage, name_ + ": move (" + internal::source_place(where) + "): actor " + name +
                                                  " to PE " + std::to_string(to) + ", of " +
                                                  std::to_string(home_.n_pes()) + " PEs");
  }
  internal::ask_actor(*part_, {internal::actor_request::kind::move, name, {}, to, internal::source_place(where)});
}

// Where each actor that was declared by `add` will live.
std::vector<pe_id> graph::place_declared(const std::source_location& where) {
  std::vector<internal::placed_actor> actors;
  for (const declared_actor& each : declared_)
    actors.push_back({each.its.name, each.its.weight, each.its.pe.value_or(-1)});
  for (const auto& [its, made] : made_here_) actors.push_back({its.name, its.weight, home_.my_pe()});
  placed_.imbalance = internal::place_actors(home_, name_, placement_, actors, channels_, where);
  std::vector<pe_id> pes;
  for (std::size_t i = 0; i < declared_.size(); ++i) pes.push_back(actors[i].pe);
  return pes;
}

void graph::balance_load(std::source_location where) {
  require_not_built("balance_load", where);
  part_->balance().turn_on();
  part_->measure();
}

void graph::measure_load(std::source_location where) {
  require_not_built("measure_load", where);
  part_->measure();
}

void graph::repartition(const placement& how, std::source_location where) {
  require_running("repartition", where);
  const std::string place = name_ + ": repartition (" + internal::source_place(where) + ")";
  const bool is_metis = how.its_kind() == placement::kind::metis;
  if (!is_metis && how.its_kind() != placement::kind::scotch) {
    internal::end_job(internal::status_usage,
                      place + " by a placement that weighs nothing; give placement::metis() or scotch()");
  }
  if (!how.weights_file().empty()) {
    internal::end_job(internal::status_usage, place + " by weights of a file; it goes by what this run measures");
  }
  if (!part_->is_measured()) {
    internal::end_job(internal::status_usage,
                      place + " without measurements; call measure_load before build, on all PEs");
  }
  part_->repartitions().ask({is_metis ? library_kind::metis : library_kind::scotch, place});
}

void graph::record_weights(std::string file, std::source_location where) {
  require_not_built("record_weights", where);
  recorded_weights_ = std::move(file);
  part_->record();
}

// Collective. Ends the job if some PE has found a mistake.
void graph::refuse_if_any(const char* call, const std::string& mistake, const std::source_location& where) {
  if (!mistake.empty()) {
    internal::end_job(internal::status_usage,
                      name_ + ": " + call + " (" + internal::source_place(where) + "): " + mistake);
  }
  home_.barrier(where);
}

void graph::build(std::source_location where) {
  require_not_built("build", where);
  require_no_finish("build", where);
  is_built_ = true;
  const std::vector<pe_id> pes = place_declared(where);
  home_.finish(
      [&] {
        for (auto& [its, made] : made_here_) {
          part_->adopt(std::move(made), {its.name, internal::source_place(its.where), nullptr});
        }
        for (std::size_t i = 0; i < declared_.size(); ++i) {
          declared_[i].make(pes[i], declared_[i].its, internal::source_place(declared_[i].its.where));
        }
      },
      where);
  declared_.clear();
  made_here_.clear();
  home_.finish(
      [&] {
        for (const internal::channel_request& each : channels_) ask_for(each);
      },
      where);
  channels_.clear();
  refuse_if_any("build", part_->unserved_request(), where);
  refuse_if_any("build", part_->missing_port(), where);
  placed_.channels = home_.sum(part_->weights().all, where);
  placed_.cut = home_.sum(part_->weights().cut, where);
}

void graph::run(std::source_location where) {
  if (has_run_) require_not_built("run", where);
  require_no_finish("run", where);
  if (!is_built_) build(where);
  has_run_ = true;
  home_.finish([&] { part_->begin(where); }, where);
  part_->end();
  refuse_if_any("run", part_->unserved_request(), where);
  if (home_.sum(part_->n_live(), where) != 0) {
    refuse_if_any("run", part_->missing_port(), where);
    report_stall(where);
  }
  if (!recorded_weights_.empty()) write_weights(where);
}

void graph::write_weights(const std::source_location& where) {
  per_pe<internal::measured_weights> all(home_);
  std::vector<internal::measured_actor> actors;
  std::vector<internal::measured_channel> channels;
  part_->measured(actors, channels);
  home_.finish([&] { home_.send<&on_measured>(0, all.handle(), actors, channels); }, where);
  if (home_.my_pe() == 0) {
    try {
      all->write(recorded_weights_);
    } catch (const setup_error& e) {
      internal::end_job(internal::status_usage, name_ + ": run (" + internal::source_place(where) + "): " + e.what());
    }
  }
  home_.barrier(where);
}

void graph::report_stall(const std::source_location& where) {
  per_pe<stall_notes> notes(home_);
  std::vector<std::string> live;
  for (const auto& each : part_->actors()) {
    if (!each->has_finished() && live.size() < n_channels_told) live.push_back(each->name());
  }
  home_.finish(
      [&] { home_.send<&on_stall_notes>(0, notes.handle(), internal::channels_of(*part_, n_channels_told), live); });
  const std::uint64_t n_live = home_.sum(part_->n_live());
  if (home_.my_pe() == 0) {
    std::ranges::sort(notes->live);
    std::string drawn;
    if (!stall_file_.empty()) {
      std::ofstream file(stall_file_);
      file << internal::stall_for_graphviz(notes->channels) << std::flush;
      drawn = file ? "; drawn in " + stall_file_ : "; cannot write " + stall_file_;
    }
    internal::end_job(internal::status_failure, name_ + ": run (" + internal::source_place(where) +
                                                    "): " + std::to_string(n_live) +
                                                    (n_live == 1 ? " actor has" : " actors have") +
                                                    " not finished, but no act is due and no token is under way; " +
                                                    internal::describe_stall(notes->channels, notes->live) + drawn);
  }
  home_.barrier(where);
}

}  // namespace shoal::dataflow
