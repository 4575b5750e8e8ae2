/// The world of one PE: who it is, supersteps, collectives, closures to other PEs, symmetric memory.
///
/// A program is a function of its world, which shoal::run calls once per PE (run.hpp). The world owns everything of a
/// PE, so thousands of PEs fit into one process. A team of PEs is a world, too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <source_location>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "shoal/actor/array_collectives.hpp"
#include "shoal/actor/future.hpp"
#include "shoal/actor/internal/answers.hpp"
#include "shoal/actor/internal/collectives.hpp"
#include "shoal/actor/internal/deferred_call.hpp"
#include "shoal/actor/internal/pe_objects.hpp"
#include "shoal/actor/internal/supersteps.hpp"
#include "shoal/actor/internal/world_entry.hpp"
#include "shoal/actor/one_sided_access.hpp"
#include "shoal/actor/started_collectives.hpp"
#include "shoal/base/internal/ambient.hpp"
#include "shoal/base/internal/owner.hpp"
#include "shoal/base/random.hpp"
#include "shoal/base/types.hpp"
#include "shoal/substrate/internal/substrate.hpp"

namespace shoal::internal {
class captured_addresses;
class deferred_calls;
class posted_calls;
class exchange;
class main_program;
class statistics_file;
class team_worlds;
}  // namespace shoal::internal

namespace shoal {

class codec;
enum class codec_number : std::uint8_t;
struct settings;

class world final : public internal::pe_context,
                    public array_collectives,
                    public started_collectives,
                    public one_sided_access {
public:
  /// Both outlive the world.
  world(internal::substrate& backend, const settings& chosen, const internal::world_entry& entry = {});
  /// Of a team: collective, and waits.
  ~world();
  world(const world&) = delete;
  world& operator=(const world&) = delete;

  pe_id my_pe() const noexcept { return my_pe_; }
  pe_id n_pes() const noexcept { return n_pes_; }

  // --- Teams

  /// Collective, and waits. Makes a team of all PEs that give the same `colour`, and returns it:
  /// `shoal::world row = world.split(world.my_pe() / n_columns);`. A team has supersteps, collectives, actors and
  /// conveyors of its own, which only its PEs make and take part in; it may be split further. Its PEs are numbered by
  /// `key`, and those with equal keys in their order here. The worlds may be used beside one another: while a PE waits in
  /// one of them, it runs the handlers of all. It has no symmetric memory. Destroy it before the job ends. Not in a handler.
  world split(std::int64_t colour, std::int64_t key = 0, std::source_location where = std::source_location::current());

  bool is_team() const noexcept { return &job_ != this; }
  /// The number in the whole job of PE `pe`, which is in range.
  pe_id pe_in_job(pe_id pe) const noexcept;

  const settings& chosen_settings() const noexcept { return settings_; }

  // --- Supersteps

  /// Collective. Runs `body`, which sends any number of messages. Returns when every message to the mailboxes of this
  /// superstep has been handled everywhere, including those sent by handlers. May be nested: an inner `finish` waits
  /// for the mailboxes constructed in it; the outer ones stay open and keep delivering. Waits; handlers run meanwhile.
  /// Not in a handler.
  template <class Body>
  void finish(Body&& body, std::source_location where = std::source_location::current()) {
    scopes_.finish(std::forward<Body>(body), where);
  }

  /// Runs handlers over what has arrived. Returns whether anything moved. If nothing moved, it posts this PE's partly
  /// filled buffers, so a loop around it cannot starve other PEs. A main program that waits for what handlers do calls
  /// it in its loop. Local. A call that moves nothing takes some nanoseconds; after many such calls in a row it yields
  /// the core. Not in a handler.
  bool progress();

  /// HClib's name for `progress`.
  bool yield() { return progress(); }

  /// Sends a closure to PE `target`, which calls it as f(), f(world) or f(world, sender). The closure belongs to the
  /// sender's innermost superstep: that of the main program or, in a handler, that of the message being handled. To
  /// reply, a closure sends another closure: docs/tutorial.md. Otherwise as lambda_actor::send.
  template <class F>
  void send(pe_id target, const F& f, const std::source_location where = std::source_location::current()) {
    if (scopes_.is_direct(target)) [[likely]]
      return scopes_.direct_closures().send_directly(target, f, where);
    scopes_.closures().send_indirectly(target, f, where);
  }

  /// Calls `f` on PE `target` with arguments that may have any size: texts, containers, own types (serialize.hpp). As
  /// lambda_actor::send, with the world for context, and in order with closures.
  template <class F, class First, class... More>
    requires(!std::is_same_v<First, std::source_location>)
  void send(const internal::call_target& target, const F& f, const First& first, const More&... more) {
    scopes_.closures().call(target, f, first, more...);
  }
  /// The same for a function by name: `world.send<&function>(pe, arguments…)`.
  template <auto Function, class... Arguments>
  void send(const internal::call_target& target, const Arguments&... arguments) {
    scopes_.closures().call(target, internal::function_constant<Function>{}, arguments...);
  }

  /// Calls `f` on PE `target` as send does, with or without arguments, and gives a future of what it returns:
  /// `auto n = world.ask(pe, [](shoal::world& there) { return …; });`. As lambda_actor::ask.
  template <class F, class... Arguments>
  auto ask(const internal::call_target& target, const F& f, const Arguments&... arguments) {
    return scopes_.closures().ask(target, f, arguments...);
  }
  /// The same for a function by name: `world.ask<&function>(pe, arguments…)`.
  template <auto Function, class... Arguments>
  auto ask(const internal::call_target& target, const Arguments&... arguments) {
    return scopes_.closures().ask(target, internal::function_constant<Function>{}, arguments...);
  }
  /// Asks a question for each query; the answers come into `into` in the order of the queries. As lambda_actor::ask_all.
  template <class Queries, class TargetOf, class F>
  future<void> ask_all(const Queries& queries, std::span<internal::answer_to_query<F, world, Queries>> into,
                       const TargetOf& target_of, const F& f,
                       const std::source_location where = std::source_location::current()) {
    return scopes_.closures().ask_all(queries, into, target_of, f, where);
  }

  /// Leaves a call of f() for later on this PE: for handlers that would send more than they receive. As an item of
  /// work_list (work_list.hpp), which needs no memory for each call. First in, first out. Local, does not wait.
  template <class F>
  void defer(F f) {
    leave(std::make_unique<internal::deferred_call_of<F>>(std::move(f)));
  }
  /// Lets this PE's own thread call f(), as if its main program had deferred it: in the finish that is open then, or else
  /// in the next one. What was posted before the body of a finish has returned is called in it. The only call of Shoal for a
  /// thread that the program has started itself, which has to end before the job does. Calls of a thread keep their
  /// order. They do not send to mailboxes with fed_by. Not on `sim`, which has one thread. Local, does not wait.
  template <class F>
  void post(F f) {
    post_call(std::make_unique<internal::deferred_call_of<F>>(std::move(f)));
  }

  /// Hop count of actors' messages: of actors constructed now, and of each other actor from its next superstep on. It
  /// follows the traffic from superstep to superstep, unless SHOAL_HOPS sets it or mailboxes and conveyors take many of
  /// the slots. Equal on every PE between two collectives, constructions included. Local.
  int n_hops() const noexcept;

  /// Mailboxes and conveyors constructed from now on encode what they send to other nodes by codec `number`; if `own` is
  /// not null, that is a codec of the program (codec.hpp), whose number is then codec_number::first_user or higher. Throws
  /// setup_error if the number is taken or unknown. All PEs call it, in the same place; does not wait.
  void use_codec(codec_number number, std::unique_ptr<codec> own);

  // --- Collectives. All PEs call the same ones in the same order; all wait, and handlers run meanwhile. Not in a
  // handler. Folds run in ascending PE order, so floating-point results are reproducible for a given P.

  void barrier(std::source_location where = std::source_location::current()) { collectives_.barrier(where); }

  // The same calls take arrays; array_collectives.hpp has those.
  using array_collectives::all_reduce;
  using array_collectives::exclusive_scan;
  using array_collectives::gather;
  using array_collectives::inclusive_scan;
  using array_collectives::max;
  using array_collectives::min;
  using array_collectives::sum;

  /// `op(a, b)` over the values of all PEs; `Op` is stateless and associative.
  template <internal::single_item T, class Op = internal::addition>
  T all_reduce(const T& value, Op op = {}, std::source_location where = std::source_location::current()) {
    return collectives_.all_reduce(value, op, where);
  }

  /// Ends the job if the sum does not fit into T. std::uint64_t wraps.
  template <internal::single_item T>
  T sum(const T& value, std::source_location where = std::source_location::current()) {
    return collectives_.all_reduce(value, internal::addition{}, where, "sum");
  }
  template <internal::single_item T>
  T min(const T& value, std::source_location where = std::source_location::current()) {
    return collectives_.all_reduce(value, internal::minimum{}, where, "min");
  }
  template <internal::single_item T>
  T max(const T& value, std::source_location where = std::source_location::current()) {
    return collectives_.all_reduce(value, internal::maximum{}, where, "max");
  }

  /// The sum of the values of all lower PEs, as `sum` adds them; T{} on PE 0.
  template <internal::single_item T>
  T exclusive_scan(const T& value, std::source_location where = std::source_location::current()) {
    return collectives_.scan(value, internal::addition{}, false, where);
  }

  /// `op` over the values of PE 0 to this one.
  template <internal::single_item T, class Op = internal::addition>
  T inclusive_scan(const T& value, Op op = {}, std::source_location where = std::source_location::current()) {
    return collectives_.scan(value, op, true, where);
  }

  /// Returns all values, indexed by PE.
  template <internal::single_item T>
  std::vector<T> gather(const T& value, std::source_location where = std::source_location::current()) {
    return collectives_.gather(value, where);
  }

  /// Returns the value, or the array, of PE `root`.
  template <item T>
  T broadcast(T value, pe_id root = 0, std::source_location where = std::source_location::current()) {
    broadcast(std::span<T>(&value, 1), root, where);
    return value;
  }
  template <item T>
  void broadcast(std::span<T> values, pe_id root = 0, std::source_location where = std::source_location::current()) {
    collectives_.broadcast(values, root, where);
  }

  // --- Time

  /// Nanoseconds since some fixed moment, by the machine's clock or the simulator's.
  std::uint64_t now_ns() noexcept { return backend_.now_ns(); }

  /// Tells the simulator that this PE computed for `ns` nanoseconds. Does nothing elsewhere.
  void charge_ns(std::uint64_t ns) noexcept { backend_.charge_ns(ns); }

  // --- For the layers above and for reports

  internal::substrate& backend() noexcept { return backend_; }
  internal::exchange& message_exchange() noexcept { return *exchange_; }
  const internal::exchange& message_exchange() const noexcept { return *exchange_; }

  /// So a conveyor takes a world: `shoal::conveyor<long> c{world};`.
  operator internal::exchange&() noexcept { return *exchange_; }

  /// The world in which the code of this PE runs now: in a handler that of its actor, otherwise that of the innermost
  /// finish, or of the whole job. Ends the process if there is none.
  static world& current() { return of_job().running(); }
  /// That of the whole job.
  static world& of_job() {
    if (internal::current_pe == nullptr) [[unlikely]]
      there_is_none();
    return static_cast<world&>(*internal::current_pe);
  }

  /// Ends the job if a handler makes the collective call `what`.
  void require_main(const char* what) const;

  pe_id context_pe() const noexcept final { return my_pe(); }
  bool context_is_in_library() const noexcept final { return backend_.is_in_library(); }
  void context_left_by_exit(int status) noexcept final;
  void struck_by(int signal, const void* address) noexcept final;
  void asked(bool is_passed_on) noexcept final;
  [[noreturn]] void end_job(int status, std::string_view report) noexcept final;

  const internal::world_entry& entry() const noexcept { return entry_; }

  /// The first collective calls, made by whoever created the world; and the last, when the body has returned or the job
  /// closes. `end` tells the substrate that this PE no longer needs the others.
  void begin();
  void end();
  bool has_ended() const noexcept { return has_ended_; }

  /// For layers above that have collective calls and waits of their own.
  internal::collectives& rounds() noexcept { return collectives_; }
  internal::main_program& main() noexcept { return main_; }

  /// For mailboxes: the open scopes, and what closures captured.
  internal::supersteps& scopes() noexcept { return scopes_; }
  internal::captured_addresses& captured() noexcept { return captured_; }
  internal::answers& answers() noexcept { return answers_; }
  std::uint16_t number_for_answers() const noexcept { return number_for_answers_; }
  internal::posted_calls& posted() noexcept { return posted_; }
  internal::team_worlds& teams() const noexcept { return teams_; }
  const internal::pe_objects& objects() const noexcept { return objects_; }

  // Objects of this PE by handle; see per_pe.hpp.
  /// `type_name` is the compiler's.
  std::uint32_t enlist_object(void* object, internal::object_type type, const char* type_name);
  /// Forgets an object of `home`, if that is still the world of this PE: a static object outlives it.
  static void delist_object(const world& home, std::uint32_t id, const void* object) noexcept;
  template <class T>
  T* object(std::uint32_t id) const noexcept {
    return objects_.at<T>(id);
  }

private:
  friend array_collectives;  // They make their parts of it.
  friend started_collectives;

  // With a job: a team of it.
  world(world* job, internal::substrate& backend, const settings& chosen, const internal::world_entry& entry,
        std::unique_ptr<internal::exchange> through);

  [[noreturn]] static void there_is_none() noexcept;
  world& running() noexcept { return n_teams_ == 0 ? *this : running_of_teams(); }
  world& running_of_teams() noexcept;
  void tell_statistics();
  void leave(std::unique_ptr<internal::deferred_call> call);
  void post_call(std::unique_ptr<internal::deferred_call> call);

  // What a world of the whole job owns and a team uses stands beside its owner.
  world& job_;  // itself, or that of the team
  internal::substrate& backend_;
  const settings& settings_;
  internal::world_entry entry_;
  bool has_ended_ = false;
  const internal::owner<internal::exchange> exchange_;
  const pe_id my_pe_;
  const pe_id n_pes_;
  const std::uint16_t number_for_answers_;  // the last bits of that of the exchange
  const internal::owner<internal::main_program> own_main_;
  internal::main_program& main_;
  internal::collectives collectives_;
  internal::pe_objects objects_;
  const internal::owner<internal::captured_addresses> own_captured_;
  internal::captured_addresses& captured_;
  internal::supersteps scopes_;
  const internal::owner<internal::team_worlds> own_teams_;
  internal::team_worlds& teams_;
  internal::owner<internal::deferred_calls> calls_;
  const internal::owner<internal::posted_calls> own_posted_;
  internal::posted_calls& posted_;
  internal::owner<internal::answers, internal::end_answers> own_answers_;
  internal::answers& answers_;
  internal::owner<const internal::statistics_file> statistics_;  // on PE 0, if they are wanted
  std::size_t n_teams_ = 0;  // of this job on this PE
  const int n_exceptions_;  // under way at construction
};

namespace internal {

inline answers& answers_of(world& home) noexcept { return home.answers(); }

inline std::uint16_t number_for_answers(const world& home) noexcept { return home.number_for_answers(); }

inline world& current_world() { return world::current(); }

inline lambda_actor<world>& closures_of(world& home) noexcept { return home.scopes().closures(); }

}  // namespace internal

}  // namespace shoal
