/// The part of a graph on one PE: its actors, the ends of channels to other PEs, and their messages.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <source_location>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "shoal/actor/per_pe.hpp"
#include "shoal/actor/world.hpp"
#include "shoal/dataflow/actor.hpp"
#include "shoal/dataflow/internal/actor_care.hpp"
#include "shoal/dataflow/internal/actor_names.hpp"
#include "shoal/dataflow/internal/actor_node.hpp"
#include "shoal/dataflow/internal/channel_messages.hpp"
#include "shoal/dataflow/internal/measured_weights.hpp"
#include "shoal/dataflow/internal/ready_actors.hpp"
#include "shoal/dataflow/internal/repartitioning.hpp"
#include "shoal/dataflow/internal/work_balance.hpp"

namespace shoal::dataflow {
class graph;
}

namespace shoal::internal {

/// Of channels whose writers live on a PE: the weight of all, and of those whose readers do not.
struct channel_weights {
  double all = 0;
  double cut = 0;

  void note(double weight, bool is_cut) noexcept {
    all += weight;
    if (is_cut) cut += weight;
  }
};

class graph_part {
public:
  using handle = pe_handle<graph_part>;

  /// Collective: the channels of all actors share a mailbox.
  graph_part(world& home, const std::string& name);
  ~graph_part();

  world& home() const noexcept { return home_; }
  bool is_shared() const noexcept { return is_shared_; }
  void set_graph(dataflow::graph& its, handle part) noexcept {
    graph_ = &its;
    handle_ = part;
  }
  dataflow::graph& its_graph() const noexcept { return *graph_; }
  handle its_handle() const noexcept { return *handle_; }
  /// From now on, acts of actors that come to live here are measured.
  void measure() noexcept { is_measured_ = true; }
  /// The same, and keeps what actors took that leave or move.
  void record() noexcept { is_measured_ = is_recorded_ = true; }
  bool is_measured() const noexcept { return is_measured_; }

  // --- Its actors; of the PE's own thread

  /// A new actor lives here.
  void adopt(std::unique_ptr<dataflow::actor> its, actor_identity identity);
  /// The same of one that has come from another PE. Its ports have no channels yet.
  actor_node& enter(std::unique_ptr<dataflow::actor> its, actor_identity identity);
  /// Destroys an actor that does not act and has no channels: it has left, or is on its way to another PE.
  void drop(dataflow::actor& its);
  dataflow::actor* find(std::string_view name) const;
  actor_node& node_of(const std::string& name) const { return find(name)->node(); }
  const std::vector<std::unique_ptr<dataflow::actor>>& actors() const noexcept { return actors_; }

  // --- Running it

  /// From now on actors act; those that live here begin. In the finish whose end is that of the graph.
  void begin(const std::source_location& where);
  void end() noexcept { is_running_ = false; }
  bool is_running() const noexcept { return is_running_; }
  std::uint64_t n_live() const noexcept { return n_live_.load(std::memory_order_acquire); }

  void begin_if_connected(actor_node& its);
  void become_ready(actor_node& due) noexcept;
  /// False: it does not stand in the list of those that are due, or not yet.
  bool take_from_list(const actor_node& its) noexcept { return ready_.remove(its); }
  /// The own thread is to tend an actor. On any worker.
  void care_later(const std::string& name);
  void care_for_blocked_later();
  /// An actor has finished, or is on its way to another PE. On any worker.
  void note_finished() noexcept {
    if (n_live_.fetch_sub(1, std::memory_order_acq_rel) == 1 && balance_.is_on()) balance_.note_last();
  }

  // --- Its parts

  channel_messages& channels() noexcept { return channels_; }
  actor_names& names() noexcept { return names_; }
  actor_care& care() noexcept { return care_; }
  work_balance& balance() noexcept { return balance_; }
  repartitioning& repartitions() noexcept { return repartitions_; }
  std::uint64_t stopwatch_ns() const noexcept { return home_.backend().stopwatch_ns(); }

  // --- For reports

  /// A request that waits for an actor which nobody has added, or for a port that is never free; empty: none does.
  std::string unserved_request() const;
  /// An actor that cannot begin, since ports of it have no channel; empty: there is none.
  std::string missing_port() const;
  channel_weights& weights() noexcept { return weights_; }
  /// What acts took here, and how many tokens left ports here, by names; also of actors that have left or moved.
  void measured(std::vector<measured_actor>& actors, std::vector<measured_channel>& channels) const;

private:
  static void note_measured(dataflow::actor& its, std::vector<measured_actor>& actors,
                            std::vector<measured_channel>& channels);
  static void on_care(handle part, const std::string& name);
  void run_next();

  world& home_;
  const bool is_shared_;
  dataflow::graph* graph_ = nullptr;
  std::optional<handle> handle_;
  actor_names names_;
  std::vector<std::unique_ptr<dataflow::actor>> actors_;
  std::unordered_map<std::string_view, dataflow::actor*> by_name_;
  actor_care care_;
  work_balance balance_;
  repartitioning repartitions_;
  ready_actors ready_;
  std::source_location where_;  // of run
  bool is_running_ = false;
  bool is_measured_ = false;
  bool is_recorded_ = false;
  channel_weights weights_;
  std::vector<measured_actor> gone_actors_;
  std::vector<measured_channel> gone_channels_;
  std::atomic<std::uint64_t> n_live_{0};  // actors that have not finished
  channel_messages channels_;
};

}  // namespace shoal::internal
