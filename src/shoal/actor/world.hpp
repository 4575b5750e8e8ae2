/// The world of one PE: who it is, supersteps, collectives, closures to other PEs, symmetric memory.
///
/// A program is a function of its world, called once per PE by shoal::run (run.hpp). Everything a PE
/// owns hangs off its world, so thousands of them fit into one process.
#pragma once

#include <cstdint>
#include <memory>
#include <source_location>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shoal/actor/closure.hpp"
#include "shoal/actor/mailbox.hpp"
#include "shoal/actor/statistics.hpp"
#include "shoal/base/ambient.hpp"
#include "shoal/base/random.hpp"
#include "shoal/base/settings.hpp"
#include "shoal/conveyor/exchange.hpp"
#include "shoal/substrate/collective.hpp"
#include "shoal/substrate/substrate.hpp"

namespace shoal {

/// An array of `T` on every PE at the same offset of the symmetric heap: a reference that means the same
/// object everywhere, so it may be sent.
template <class T>
struct symmetric {
  std::size_t offset = 0;
  std::size_t size = 0;  // elements on each PE
};

class world final : public pe_context {
public:
  world(substrate& machine, const settings& chosen);
  ~world();
  world(const world&) = delete;
  world& operator=(const world&) = delete;

  pe_id my_pe() const noexcept { return machine_.my_pe(); }
  pe_id n_pes() const noexcept { return machine_.n_pes(); }
  const settings& chosen_settings() const noexcept { return settings_; }

  // --- Supersteps

  /// Collective. Runs `body`, which sends any number of messages, and returns when every message to the
  /// mailboxes of this superstep has been handled everywhere, those that handlers sent included. May be
  /// nested: an inner `finish` waits for the mailboxes constructed in it, and leaves the outer ones open
  /// and delivering. Waits; handlers run meanwhile. Not in a handler.
  template <class Body>
  void finish(Body&& body, std::source_location where = std::source_location::current()) {
    begin_finish(where);
    scope_guard guard{*this};  // a body that throws leaves without waiting: its job is over
    std::forward<Body>(body)();
    end_finish();
  }

  /// Lets handlers run over what has arrived. Returns whether anything moved; if nothing did, it posts
  /// this PE's partly filled buffers, so a loop around it cannot starve others. A main program that waits
  /// for what handlers do calls it in its loop. Local. A call in vain passes a short time politely: some
  /// nanoseconds, and after many such calls in sequence it yields the core. Not in a handler.
  bool progress();

  /// `progress` by the name that HClib gave it.
  bool yield() { return progress(); }

  /// Sends a closure to PE `target`, where it is called as f(), f(world) or f(world, sender). It belongs
  /// to the innermost superstep of its sender: of the main program, or of the message whose handler
  /// sends. A reply is a closure that the closure sends: docs/tutorial.md. Otherwise as
  /// typed_mailbox::send.
  template <class F>
  void send(pe_id target, const F& f) {
    closures().send(target, f);
  }

  /// Hops that messages of actors take: of those that are constructed now, and from its next superstep on of each.
  /// Follows the traffic from superstep to superstep, unless SHOAL_HOPS says how many, or mailboxes and conveyors take
  /// many of the slots. The same on every PE between two collectives, constructions included. Local.
  int n_hops() const noexcept { return has_slots_for_hops() ? hops_.n_hops() : exchange_.n_hops(); }

  // --- Collectives. All PEs call the same ones in the same order; all wait, and handlers run meanwhile.
  // Not in a handler. Folds run in ascending PE order, so floating-point results repeat for one P.

  void barrier(std::source_location where = std::source_location::current());

  /// `op(a, b)` over the values of all PEs; `Op` is stateless and associative.
  template <item T, class Op = std::plus<>>
  T all_reduce(const T& value, Op = {}, std::source_location where = std::source_location::current());

  template <item T>
  T sum(const T& value, std::source_location where = std::source_location::current()) {
    return all_reduce(value, std::plus<>{}, where);
  }
  template <item T>
  T min(const T& value, std::source_location where = std::source_location::current());
  template <item T>
  T max(const T& value, std::source_location where = std::source_location::current());

  /// The sum of the values of the PEs before this one; T{} on PE 0.
  template <item T>
  T exclusive_scan(const T& value, std::source_location where = std::source_location::current());

  /// Every PE gets all values, by PE.
  template <item T>
  std::vector<T> gather(const T& value, std::source_location where = std::source_location::current());

  /// Every PE gets the value, or the array, of PE `root`.
  template <item T>
  T broadcast(T value, pe_id root = 0, std::source_location where = std::source_location::current()) {
    broadcast(std::span<T>(&value, 1), root, where);
    return value;
  }
  template <item T>
  void broadcast(std::span<T> values, pe_id root = 0, std::source_location where = std::source_location::current()) {
    broadcast_bytes(std::as_writable_bytes(values), root, where);
  }

  // --- Symmetric memory and one-sided access (what kernels call `agp`)

  /// Collective. `size` zeroed elements on each PE; all give the same size. Throws setup_error on every PE
  /// if the heap is exhausted. Released by `deallocate`, latest first, or with the world.
  template <item T>
  symmetric<T> allocate(std::size_t size, std::source_location where = std::source_location::current()) {
    const std::size_t bytes = size > SIZE_MAX / sizeof(T) ? SIZE_MAX : size * sizeof(T);
    return {allocate_bytes(bytes, where), size};
  }
  template <item T>
  void deallocate(symmetric<T> array, std::source_location where = std::source_location::current()) {
    deallocate_bytes(array.offset, where);
  }

  /// This PE's part of a symmetric array.
  template <item T>
  std::span<T> local(symmetric<T> array) const noexcept {
    return {reinterpret_cast<T*>(machine_.heap() + array.offset), array.size};
  }

  /// Reads or writes one element on PE `pe`. May wait for the network, never for that PE's program.
  template <item T>
  T get(symmetric<T> array, std::size_t index, pe_id pe) {
    check_access(array, index, pe);
    T value;
    machine_.get(&value, array.offset + index * sizeof(T), sizeof(T), pe);
    return value;
  }
  template <item T>
  void put(symmetric<T> array, std::size_t index, const T& value, pe_id pe) {
    check_access(array, index, pe);
    machine_.put(array.offset + index * sizeof(T), &value, sizeof(T), pe);
  }
  /// Adds to an element on PE `pe` atomically and returns what it was. 64-bit integers.
  template <item T>
    requires(std::is_integral_v<T> && sizeof(T) == 8)
  T fetch_add(symmetric<T> array, std::size_t index, T value, pe_id pe) {
    check_access(array, index, pe);
    return static_cast<T>(
        machine_.atomic(atomic_op::add, array.offset + index * sizeof(T), static_cast<std::uint64_t>(value), 0, pe));
  }

  /// As get and fetch_add, but they may return before anything has happened, so that many are under way at once;
  /// how many is bounded by the substrate, not by the program. `into` must stay, unread, until `quiet`.
  template <item T>
  void start_get(symmetric<T> array, std::size_t index, T& into, pe_id pe) {
    check_access(array, index, pe);
    machine_.start_get(&into, array.offset + index * sizeof(T), sizeof(T), pe);
  }
  template <item T>
    requires(std::is_integral_v<T> && sizeof(T) == 8)
  void start_add(symmetric<T> array, std::size_t index, T value, pe_id pe) {
    check_access(array, index, pe);
    machine_.start_add(array.offset + index * sizeof(T), static_cast<std::uint64_t>(value), pe);
  }

  /// Completes this PE's puts and what it started, everywhere. Waits for the network, never for other PEs' programs.
  void quiet() { machine_.quiet(); }

  /// Whether all of these reach every PE. Not over two-sided MPI: there an access to a PE of another node ends the
  /// job with a report. The same on every PE.
  bool is_one_sided() const noexcept { return machine_.is_one_sided(); }

  // --- Time

  /// Nanoseconds since some fixed moment: the machine's clock, or the simulator's.
  std::uint64_t now_ns() noexcept { return machine_.now_ns(); }

  /// Tells the simulator that this PE computed for `ns` nanoseconds; nothing elsewhere.
  void charge_ns(std::uint64_t ns) noexcept { machine_.charge_ns(ns); }

  // --- For the layers above and for reports

  substrate& machine() noexcept { return machine_; }
  exchange& buffers() noexcept { return exchange_; }
  const exchange& buffers() const noexcept { return exchange_; }

  /// The world of the PE that this thread runs now. Ends the process if there is none.
  static world& current();

  /// Collective calls, `what` among them, are errors in a handler.
  void require_main(const char* what) const;

  pe_id context_pe() const noexcept final { return my_pe(); }
  bool context_is_in_library() const noexcept final { return machine_.is_in_library(); }
  [[noreturn]] void end_job(int status, std::string_view report) noexcept final;

  /// The last collective, called by shoal::run when the body has returned.
  void end_of_body();

  // Objects of this PE by handle; see per_pe.hpp.
  std::uint32_t enlist_object(void* object);
  void delist_object(std::uint32_t id) noexcept { objects_[id] = nullptr; }
  void* object(std::uint32_t id) const noexcept {
    if (id >= objects_.size() || objects_[id] == nullptr) [[unlikely]]
      no_such_object();
    return objects_[id];
  }

private:
  friend class mailbox;

  [[noreturn]] void no_such_object() const;

  // One `finish` that is open on this PE.
  struct scope {
    std::source_location where;
    std::vector<mailbox*> mailboxes;
  };
  struct scope_guard {
    world& of;
    ~scope_guard() { of.pop_scope(); }
  };

  void begin_finish(const std::source_location& where);
  void end_finish();
  void pop_scope() noexcept;
  void enlist(mailbox& m);
  void delist(mailbox& m) noexcept;
  void close(std::span<mailbox* const> mailboxes);
  void await_quiescence(std::span<mailbox* const> mailboxes, detail::collective kind,
                        const std::source_location& where);
  /// Whether supersteps decide on hops.
  bool learns_hops() const noexcept { return learns_hops_; }
  bool has_slots_for_hops() const noexcept;
  void choose_hops(const superstep_traffic& last, std::size_t n_streams_most);
  lambda_actor<world>& closures();

  /// One round with `payload`; returns the fold's payload. `combine` folds whole contributions, heads
  /// included.
  const std::byte* round(detail::collective kind, std::uint64_t type, std::span<const std::byte> payload,
                         combine_function combine, const std::source_location& where);
  void arrive(detail::collective kind, std::uint64_t type, std::span<const std::byte> payload, combine_function combine,
              const std::source_location& where);
  const std::byte* contribution(pe_id pe) { return machine_.round_contribution(pe) + sizeof(detail::round_head); }
  void print_statistics();
  void broadcast_bytes(std::span<std::byte> bytes, pe_id root, const std::source_location& where);
  std::size_t allocate_bytes(std::size_t bytes, const std::source_location& where);
  void deallocate_bytes(std::size_t offset, const std::source_location& where);

  template <class T>
  void check_access(const symmetric<T>& array, std::size_t index, pe_id pe) const {
    if (static_cast<std::uint64_t>(pe) >= static_cast<std::uint64_t>(n_pes()) || index >= array.size) {
      access_out_of_range(index, array.size, pe);
    }
  }
  [[noreturn]] void access_out_of_range(std::size_t index, std::size_t size, pe_id pe) const;
  std::string describe_wait() const;

  substrate& machine_;
  settings settings_;
  exchange exchange_;
  hop_choice hops_;
  random_engine reroutes_;  // the same numbers on every PE
  const bool learns_hops_;
  // What PEs agree on, since each may destroy conveyors at its own time.
  std::size_t n_ports_most_ = 0;  // of a PE when hops were chosen last, if all had taken the most hops
  std::uint32_t n_constructed_ = 0;  // ports until then
  unsigned progress_patience_ = 0;  // calls of progress in vain, one after the other
  std::size_t n_ports_renewed_ = 0;  // constructed since then in place of others
  std::vector<scope> scopes_;  // open `finish`es, outermost first
  std::vector<mailbox*> rootless_;  // constructed while no finish was open
  // One closure mailbox per depth of finish, kept for the next superstep of that depth.
  std::vector<std::unique_ptr<lambda_actor<world>>> closures_;
  std::vector<std::pair<std::size_t, std::size_t>> allocations_;  // offset, bytes; in order
  std::vector<void*> objects_;
  std::size_t handling_depth_ = 0;  // scope of the mailbox whose handler runs
  const char* waits_in_ = nullptr;  // for the stall report
  std::source_location waits_at_;
};

// --- Templates

namespace detail {

template <class T, class Op>
void combine_values(std::byte* into, const std::byte* from, std::size_t) {
  combine_heads(into, from);
  T a;
  T b;
  std::memcpy(&a, into + sizeof(round_head), sizeof(T));
  std::memcpy(&b, from + sizeof(round_head), sizeof(T));
  try {
    a = Op{}(a, b);
  } catch (...) {
    // In the middle of a round there is nobody to throw to.
    shoal::end_job(status_failure, "the operation of a reduction or scan threw an exception");
  }
  std::memcpy(into + sizeof(round_head), &a, sizeof(T));
}

inline void combine_only_heads(std::byte* into, const std::byte* from, std::size_t) { combine_heads(into, from); }

struct minimum {
  template <class T>
  constexpr T operator()(const T& a, const T& b) const {
    return b < a ? b : a;
  }
};
struct maximum {
  template <class T>
  constexpr T operator()(const T& a, const T& b) const {
    return a < b ? b : a;
  }
};

// Tells types apart in one binary; equal in all processes that run it.
template <class... T>
std::uint64_t digest_of() {
  std::uint64_t digest = 0xcbf29ce484222325;
  for (const char* name : {typeid(T).name()...}) {
    for (; *name != '\0'; ++name) digest = (digest ^ static_cast<unsigned char>(*name)) * 0x100000001b3;
  }
  return digest;
}

}  // namespace detail

template <item T, class Op>
T world::all_reduce(const T& value, Op, std::source_location where) {
  static_assert(sizeof(T) <= detail::round_payload_max, "reduce a smaller type, or piece by piece");
  static_assert(std::is_empty_v<Op>, "the operation runs on any PE, so it cannot have state");
  T result;
  std::memcpy(&result,
              round(detail::collective::reduce, detail::digest_of<T, Op>(), std::as_bytes(std::span(&value, 1)),
                    detail::combine_values<T, Op>, where),
              sizeof(T));
  return result;
}

template <item T>
T world::min(const T& value, std::source_location where) {
  return all_reduce(value, detail::minimum{}, where);
}

template <item T>
T world::max(const T& value, std::source_location where) {
  return all_reduce(value, detail::maximum{}, where);
}

template <item T>
T world::exclusive_scan(const T& value, std::source_location where) {
  static_assert(sizeof(T) <= detail::round_payload_max, "scan a smaller type, or piece by piece");
  round(detail::collective::scan, detail::digest_of<T>(), std::as_bytes(std::span(&value, 1)),
        detail::combine_only_heads, where);
  T before{};
  for (pe_id pe = 0; pe < my_pe(); ++pe) {
    T one;
    std::memcpy(&one, contribution(pe), sizeof(T));
    before = static_cast<T>(before + one);
  }
  return before;
}

template <item T>
std::vector<T> world::gather(const T& value, std::source_location where) {
  static_assert(sizeof(T) <= detail::round_payload_max, "gather a smaller type, or piece by piece");
  round(detail::collective::gather, detail::digest_of<T>(), std::as_bytes(std::span(&value, 1)),
        detail::combine_only_heads, where);
  std::vector<T> all(static_cast<std::size_t>(n_pes()));
  for (pe_id pe = 0; pe < n_pes(); ++pe) {
    std::memcpy(&all[static_cast<std::size_t>(pe)], contribution(pe), sizeof(T));
  }
  return all;
}

}  // namespace shoal
