/// The supersteps of a PE: which calls of `finish` are open, and which mailboxes belong to each.
///
/// A mailbox belongs to the innermost scope that was open at its construction or, if none was, to each outermost scope
/// in turn. See docs/design/scopes-and-finish.md.
#pragma once

#include <cstddef>
#include <source_location>
#include <span>
#include <utility>

#include "shoal/actor/closure.hpp"
#include "shoal/actor/internal/collectives.hpp"
#include "shoal/actor/internal/superstep_part.hpp"
#include "shoal/base/internal/contract.hpp"
#include "shoal/base/internal/owner.hpp"

namespace shoal {
struct settings;
}

namespace shoal::internal {

class adaptive_hops;
struct awaited_end;
class awaited_ends;
class closings;
class declared_edges;
class deferred_work;
class main_program;
class team_worlds;
class termination;

class supersteps;

/// The mailbox for closures: that of the task on another worker that sends, or `of_own_thread`. Ends the job if there is none.
lambda_actor<world>& find_closures(const supersteps& in, lambda_actor<world>* const& of_own_thread) noexcept;

class supersteps {
public:
  /// All outlive this object. During construction and destruction of this object, `home` may be incomplete.
  supersteps(world& home, exchange& through, collectives& waves, main_program& caller, const settings& chosen);
  ~supersteps();
  supersteps(const supersteps&) = delete;
  supersteps& operator=(const supersteps&) = delete;

  /// world::finish.
  template <class Body>
  void finish(Body&& body, const std::source_location& where) {
    open_scope here(*this, where);
    std::forward<Body>(body)();
    await_all();
    here.is_over = true;
  }

  /// The mailbox for closures that are sent now. A handler's closures belong to the superstep of the message that it
  /// handles, which may be outside the one in which the main program waits.
  lambda_actor<world>& closures() noexcept {
    if (closures_now_ == nullptr) [[unlikely]]
      return find_closures(*this, closures_of_own_thread_);
    return *closures_now_;
  }
  /// Whether it sends to a PE directly. One comparison for a send: false outside finish, too.
  bool is_direct(pe_id target) const noexcept { return static_cast<std::uint64_t>(target) < n_direct_now_; }
  /// The same mailbox, inside finish.
  lambda_actor<world>& direct_closures() noexcept {
    SHOAL_ASSERT(n_direct_now_ == closures_now_->n_direct());
    return *closures_now_;
  }

  world& home() const noexcept { return home_; }
  adaptive_hops& hops() const noexcept { return *hops_; }

  /// How many calls of `finish` this PE is inside.
  std::size_t n_open() const noexcept { return n_open_; }

  /// Number of mailboxes for world.send's closures, which live as long as this object.
  std::size_t n_own_mailboxes() const noexcept;

  /// At the end of the world: keeps the counts of those mailboxes for the statistics, and of actors that outlive it.
  void record_living() const;

  // --- For mailboxes

  /// Adds a new mailbox to the innermost scope. It must keep its address until `delist`.
  void enlist(superstep_part& m);
  void delist(superstep_part& m) noexcept;

  /// An exception unwinds the stack and destroys `m` (`name`, for a report) in its superstep. The job cannot go on if it
  /// carried messages.
  void note_unwound(superstep_part& m, const std::string& name) noexcept;

  /// Ends the superstep of some open mailboxes before that of the others: waits until all their messages are handled
  /// everywhere. Collective.
  void close(std::span<superstep_part* const> mailboxes);

  /// The main program promises to send no more to `m`.
  void done(superstep_part& m);

  /// Only the handlers of these mailboxes, and main programs, will send to `fed`.
  void declare(superstep_part& fed, std::span<superstep_part* const> feeders);

  /// The place of an answer that comes when all of these have closed; null: they have.
  pending_answer* await_ends(std::span<superstep_part* const> mailboxes, const std::source_location& where);
  /// As awaited_ends::attach, for what runs now.
  superstep_part* attach_to_end(awaited_end& to, const std::source_location& where);
  /// The main program will wait for it. Ends the job if it cannot come meanwhile.
  void require_coming(const awaited_end& end, const std::source_location& where) const;

  /// Between the two, handlers of `m` run.
  void begin_handlers(superstep_part& m) noexcept {
    SHOAL_ASSERT(m.depth() < n_open_);
    set_closures_now(closures_[m.depth()]);
    sender_now_ = &m;
    if (must_care_) [[unlikely]]
      take_care(true);
  }
  void end_handlers() noexcept {
    set_closures_now(closures_of_main_);
    sender_now_ = sender_of_main_;
    if (must_care_) [[unlikely]]
      take_care(false);
  }
  /// Closes the mailboxes whose turn has come (closings.hpp), and lets run what waited for that. Returns whether anything
  /// happened. In waits of the main program, for room, too: it does not wait.
  bool close_what_is_due() { return (is_any_declared_ || owes_waker_) && close_declared(); }

  // --- For deferred work

  deferred_work& deferred() noexcept { return *deferred_; }
  /// The mailbox for which work counts that is left now; null outside finish.
  superstep_part* sender_now() const noexcept { return sender_now_; }
  /// Whether it is for closures.
  bool is_closures(const superstep_part& m) const noexcept;
  // --- For the worlds of the PE (team_worlds.hpp)

  /// From now on, code of this world tells when it begins, since finishes of several worlds are open.
  void heed_others(bool does) noexcept {
    heeds_others_ = does;
    must_care_ = does || heeds_edges_;
  }
  /// The same, since a world of this PE has declared mailboxes.
  void heed_edges(bool does) noexcept {
    heeds_edges_ = does;
    must_care_ = does || heeds_others_;
  }
  const declared_edges& edges() const noexcept { return *edges_; }
  /// Code of another world runs that may send to the outermost `n` supersteps of this one; or to `all_open` that its main
  /// program may.
  static constexpr std::size_t all_open = SIZE_MAX;
  void show(std::size_t n) noexcept {
    set_closures_now(n == all_open ? closures_of_main_ : n == 0 ? nullptr : closures_[n - 1]);
  }

  /// Between the two, the main program does work that counts for `m`.
  void begin_work(superstep_part& m) noexcept;
  void return_to_innermost() noexcept;

private:
  friend bool may_begin_work(const supersteps& steps) noexcept;
  friend bool try_wake(const team_worlds& worlds);

  // Which scopes are open, and what belongs to each.
  struct scope;
  struct closures_of_depth;
  struct lists;

  // Opens a scope as the innermost one. If the body throws, the scope closes without waiting: the exception has to leave
  // the program's body, which ends the job.
  struct open_scope {
    supersteps& of;
    bool is_over = false;

    open_scope(supersteps& steps, const std::source_location& where) : of(steps) { of.begin(where); }
    ~open_scope() {
      if (!is_over) of.break_off();
      of.end(!is_over);
    }
    open_scope(const open_scope&) = delete;
    open_scope& operator=(const open_scope&) = delete;
  };

  // The messages of some mailboxes of one scope.
  class messages_of;

  // The main program runs: in a superstep, or not.
  void set_main(lambda_actor<world>* closures, superstep_part* sender) noexcept {
    closures_of_main_ = closures;
    sender_of_main_ = sender;
    end_handlers();
  }
  void set_closures_now(lambda_actor<world>* now) noexcept {
    if (has_workers_) [[unlikely]] {
      closures_of_own_thread_ = now;
      return;
    }
    closures_now_ = now;
    n_direct_now_ = now == nullptr ? 0 : now->n_direct();
  }
  bool close_declared();
  [[gnu::noinline]] void take_care(bool are_handlers) noexcept;
  void begin(const std::source_location& where);
  void await_all();
  void break_off() noexcept;
  void end(bool is_broken) noexcept;

  world& home_;
  exchange& exchange_;
  main_program& caller_;
  const bool has_workers_;
  owner<adaptive_hops> hops_;
  owner<termination> termination_;
  const owner<lists> lists_;  // apart, so that programs do not compile them
  std::size_t n_open_ = 0;  // scopes
  lambda_actor<world>* const* closures_ = nullptr;  // by depth of finish
  owner<declared_edges> edges_;
  owner<closings> closings_;
  owner<awaited_ends> ends_;
  owner<deferred_work> deferred_;
  lambda_actor<world>* closures_of_main_ = nullptr;  // for what the main program sends; null outside finish
  superstep_part* sender_of_main_ = nullptr;  // for which the work counts that it leaves
  superstep_part* sender_now_ = nullptr;  // the same, or the mailbox whose handlers run
  lambda_actor<world>* closures_now_ = nullptr;  // for what is sent now: the same, or for what a handler sends
  // The same where the PE may have several workers. Then the one above is null, so that every send asks who sends.
  lambda_actor<world>* closures_of_own_thread_ = nullptr;
  // Its n_direct; 0 without it. No route changes and nobody calls done while its superstep is open.
  std::uint64_t n_direct_now_ = 0;
  bool is_any_declared_ = false;  // edges_ or closings_ have something to do
  bool owes_done_ =
      false;  // the main program waits at the end of the innermost finish, and its work may send to declared mailboxes
  bool heeds_others_ = false;
  bool heeds_edges_ = false;
  bool must_care_ = false;  // one of the two
  bool is_awaiting_ = false;  // the main program waits at the end of the innermost finish
  bool owes_waker_ = false;  // what waited for ends is ready, and the message in which it runs is not sent
};

/// Whether the main program may still leave work in its innermost finish: until it waits at the end of that, with nothing
/// left to do there.
bool may_begin_work(const supersteps& steps) noexcept;
/// What has become ready, or will at once, runs in a message of this PE to itself, in the outermost finish. False: there is
/// none, or no room, or this PE may not begin work there.
bool try_wake(const team_worlds& worlds);

}  // namespace shoal::internal
