/// Graphs of actors with ports, joined by channels.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <source_location>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "shoal/actor/per_pe.hpp"
#include "shoal/actor/world.hpp"
#include "shoal/base/serialize.hpp"
#include "shoal/dataflow/actor.hpp"
#include "shoal/dataflow/internal/actor_moves.hpp"
#include "shoal/dataflow/internal/actor_request.hpp"
#include "shoal/dataflow/internal/graph_part.hpp"
#include "shoal/dataflow/placement.hpp"
#include "shoal/dataflow/port.hpp"

namespace shoal::internal {

/// Ends the job: the constructor of an actor has thrown.
[[noreturn, gnu::cold]] void end_for_constructor(const std::string& name, const std::string& added_at,
                                                 const char* what);

}  // namespace shoal::internal

namespace shoal::dataflow {

/// An actor that a program adds. `add` takes a name, or `{name, weight}`, or `{name, weight, pe}` in its place.
struct actor_options {
  std::string name;  // that no other actor of the graph has
  double weight = 1;  // the work of its acts, beside that of others
  std::optional<pe_id> pe;  // where it lives; empty: where the placement puts it
  std::source_location where;  // of the call

  template <std::convertible_to<std::string> Name>
  actor_options(Name&& its_name, double its_weight = 1, std::optional<pe_id> its_pe = std::nullopt,
                std::source_location here = std::source_location::current())
      : name(std::forward<Name>(its_name)), weight(its_weight), pe(its_pe), where(here) {}
};

/// A port of an actor, by names.
struct port_name {
  std::string actor;
  std::string port;
};

struct channel_options {
  std::uint32_t capacity = 1;  // in tokens, 1 to 2^30, whose places take memory from the beginning
  std::size_t length = 0;  // for vectors and texts: how many elements each place keeps room for
  double weight = 1;  // of a token between PEs, beside those of other channels: its bytes, for instance
};

/// A graph whose actors live on all PEs.
///
///     shoal::dataflow::graph kitchen{world};
///     if (world.my_pe() == 0) {
///       kitchen.add<chef>("chef", 10);       // the constructor's arguments follow
///       kitchen.add<delivery>("delivery");
///       kitchen.connect({"chef", "orders"}, {"delivery", "orders"}, {.capacity = 5});
///     }
///     kitchen.run();
///
/// Each actor and each channel is added once, by any PE: one PE may add all, or each PE those of its part of the
/// problem. The constructor of an actor is called on the PE where it will live; its arguments travel there as those of
/// a call do (world.hpp). (Actors, ports, channels and graphs: "An Actor Library for MPI", 2019, chapter 4.)
///
/// A graph may change while it runs: acts, handlers and main programs inside `run` add and connect as before, and
/// `move` and `remove` actors. Such calls are local and do not wait; what they ask for happens in time. An actor that
/// joins so begins when its required ports have channels.
class graph {
public:
  /// Collective; does not wait. The name is for reports.
  explicit graph(world& home, std::string name = "graph");
  /// Collective. Destroys the actors.
  ~graph();
  graph(const graph&) = delete;
  graph& operator=(const graph&) = delete;

  /// Adds an actor of type `A`. While the graph runs, one for which neither its options nor a placement by the program
  /// name a PE lives on this PE. Local, before `build` or while the graph runs; does not wait.
  template <class A, class... Arguments>
  void add(actor_options its, Arguments&&... arguments) {
    static_assert(std::is_base_of_v<actor, A>, "add<A>: derive A from shoal::dataflow::actor");
    static_assert(!(internal::view<stored<Arguments>> || ...),
                  "add: the arguments travel later, so a span would show what "
                  "is gone by then; give a std::vector");
    add_later(std::move(its), [this, values = std::tuple<stored<Arguments>...>(std::forward<Arguments>(arguments)...)](
                                  pe_id to, const actor_options& of, const std::string& added_at) {
      std::apply(
          [&](const auto&... each) {
            home_.send<&graph::make<A, std::remove_cvref_t<decltype(each)>...>>(to, part_.handle(), of.name, added_at,
                                                                                each...);
          },
          values);
    });
  }

  /// Adds an actor that this PE has made and that stays here, so that it may hold addresses. As add.
  template <std::derived_from<actor> A>
  A& add_here(actor_options its, std::unique_ptr<A> made) {
    A* const of = made.get();
    take_here(std::move(its), std::move(made));
    return *of;
  }

  /// Makes a channel from an out-port to an in-port, for tokens of one type. A port has one channel at most: while the
  /// graph runs, the new one begins when each of the two actors has closed the old one of its port, or has finished. An
  /// actor that has left or leaves meanwhile is a mistake, which ends the job at the end of `run`. Local, before `build`
  /// or while the graph runs; does not wait.
  void connect(const port_name& from, const port_name& to, const channel_options& its = {},
               std::source_location where = std::source_location::current());

  /// How actors are put on PEs whose options name none; the same on all PEs. Local, before `build`.
  void place(placement how) { placement_ = std::move(how); }

  /// Lets the actor finish instead of its next act, and destroys it (actor::leave). Nothing happens if it has gone. As
  /// move.
  void remove(const std::string& name, std::source_location where = std::source_location::current());

  /// Moves the actor to PE `to`: there its constructor is called with the arguments that `add` was given, and its
  /// type's `void serialize(auto& archive)` brings over what has changed since (serialize.hpp). Its tokens and its
  /// channels move with it, in order. It moves between two acts, when the actors of this PE with whom it shares
  /// channels do not act either. Nothing happens if it has finished. Ends the job if its type has no `serialize`, or if
  /// it was added by add_here. Local, while the graph runs; does not wait.
  void move(const std::string& name, pe_id to, std::source_location where = std::source_location::current());

  /// While the graph runs, PEs that have nothing to do take actors from others that have more, by how long acts took lately. Only
  /// actors that may move (see move) do. On all PEs, before `build`; local.
  void balance_load(std::source_location where = std::source_location::current());

  /// Measures how long acts take, for `repartition`. On all PEs, before `build`; local.
  void measure_load(std::source_location where = std::source_location::current());

  /// Divides the actors anew, as placement::metis or placement::scotch does, by how long their acts took and how much weight of tokens
  /// their channels carried since the last time, and moves those that are to live elsewhere; nothing stops meanwhile, but
  /// PE 0, which divides. PEs keep what they can. Nothing moves if the PE that has most would have little less, and hardly less
  /// weight would pass between PEs; nor do actors that may not move (see move). A call does nothing while PE 0 still works on
  /// another, within 5 ms of that, or if acts took less than 1 ms on each PE, in the mean. Needs `measure_load`. With
  /// balance_load, too, each undoes some moves of the other. Local, while the graph runs; does not wait.
  void repartition(const placement& how, std::source_location where = std::source_location::current());

  /// Measures how long the acts of each actor take in `run`, waits in them included, and counts the tokens of each
  /// channel. At the end PE 0 writes both into `file`, for placement::weighted_by. On all PEs, before `build`; local.
  void record_weights(std::string file, std::source_location where = std::source_location::current());

  /// If the graph ends with a report of who waits for whom, PE 0 writes the channels into `file`, too, for Graphviz. On all
  /// PEs, before `run`; local.
  void draw_stall(std::string file) { stall_file_ = std::move(file); }

  /// Collective, and waits; once. Puts the actors on PEs, makes them there, and connects them. `run` does it if the
  /// program has not. Not inside `finish`.
  void build(std::source_location where = std::source_location::current());

  /// Collective, and waits; once. Lets the actors act until all have finished. Ends the job with a report of who waits
  /// for whom if some have not, while no act is due and no token is under way. Not inside `finish`.
  void run(std::source_location where = std::source_location::current());

  /// What the placement has come to, the same on all PEs. Local, after `build`.
  placement_result placed() const noexcept { return placed_; }

  /// The actor of this name if it lives on this PE and is an A, else null. Local, after `build`; not in acts.
  template <class A>
  A* find(std::string_view name) const {
    return dynamic_cast<A*>(part_->find(name));
  }
  /// Calls f(actor) for each A that lives on this PE, in no order that is the same in each run. Local, after `build`;
  /// not in acts.
  template <class A, class F>
  void for_each(F f) const {
    for (const auto& each : part_->actors()) {
      if (auto* const its = dynamic_cast<A*>(each.get())) f(*its);
    }
  }

private:
  // What travels is stored until `build`: texts as strings.
  template <class Argument>
  using stored =
      std::conditional_t<std::is_convertible_v<Argument, std::string_view>, std::string, std::decay_t<Argument>>;
  using maker = std::function<void(pe_id to, const actor_options& of, const std::string& added_at)>;

  struct declared_actor {
    actor_options its;
    maker make;
  };

  // Knows how to make an A where it moves to.
  template <class A, class... Values>
  class mover_of final : public internal::actor_mover {
  public:
    explicit mover_of(internal::graph_part::handle part, const Values&... arguments)
        : part_(part), arguments_(arguments...) {}

    void send(pe_id to, internal::moved_actor& what, actor& its) const override {
      auto& of = static_cast<A&>(its);
      size_archive size;
      of.serialize(size);
      what.state.resize(size.size());
      output_archive archive(what.state);
      of.serialize(archive);
      std::apply(
          [&](const Values&... each) {
            part_->home().template send<&graph::arrive<A, Values...>>(to, part_, what, each...);
          },
          arguments_);
    }

  private:
    internal::graph_part::handle part_;
    std::tuple<Values...> arguments_;
  };

  template <class A, class... Values>
  static std::unique_ptr<internal::actor_mover> mover_for(internal::graph_part::handle part,
                                                          const Values&... arguments) {
    if constexpr (internal::has_member_serialize<A, output_archive>) {
      return std::make_unique<mover_of<A, Values...>>(part, arguments...);
    } else {
      return nullptr;
    }
  }

  template <class A, class... Values>
  static std::unique_ptr<A> constructed(const std::string& name, const std::string& added_at,
                                        const Values&... arguments) {
    try {
      return std::make_unique<A>(arguments...);
    } catch (const std::exception& e) {
      internal::end_for_constructor(name, added_at, e.what());
    }
  }

  template <class A, class... Values>
  static void make(internal::graph_part::handle part, const std::string& name, const std::string& added_at,
                   const Values&... arguments) {
    part->adopt(constructed<A>(name, added_at, arguments...), {name, added_at, mover_for<A>(part, arguments...)});
  }

  template <class A, class... Values>
  static void arrive(internal::graph_part::handle part, const internal::moved_actor& what, const Values&... arguments) {
    std::unique_ptr<A> made = constructed<A>(what.name, what.added_at, arguments...);
    input_archive archive(what.state);
    made->serialize(archive);
    if (!archive.is_used_up()) internal::refuse_state(what);
    internal::take_in(*part, what, std::move(made), mover_for<A>(part, arguments...));
  }

  void add_later(actor_options its, maker make);
  void take_here(actor_options its, std::unique_ptr<actor> made);
  void require_no_finish(const char* call, const std::source_location& where) const;
  void require_not_built(const char* call, const std::source_location& where) const;
  void require_running(const char* call, const std::source_location& where) const;
  void ask_for(const internal::channel_request& asked) const;
  void require_weight(const char* call, const actor_options& its) const;
  std::vector<pe_id> place_declared(const std::source_location& where);
  void write_weights(const std::source_location& where);
  void refuse_if_any(const char* call, const std::string& mistake, const std::source_location& where);
  void report_stall(const std::source_location& where);

  world& home_;
  const std::string name_;
  per_pe<internal::graph_part> part_;
  placement placement_ = placement::block();
  placement_result placed_;
  std::string recorded_weights_;  // a file; empty: none
  std::vector<declared_actor> declared_;
  std::vector<std::pair<actor_options, std::unique_ptr<actor>>> made_here_;
  std::vector<internal::channel_request> channels_;
  std::string stall_file_;
  bool is_built_ = false;
  bool has_run_ = false;
};

}  // namespace shoal::dataflow
