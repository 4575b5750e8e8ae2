#include "shoal/actor/mailbox.hpp"

#include <algorithm>
#include <exception>
#include <utility>
#include <vector>

#include "shoal/actor/internal/adaptive_hops.hpp"
#include "shoal/actor/internal/handler_failure.hpp"
#include "shoal/actor/internal/team_worlds.hpp"
#include "shoal/actor/internal/waiting_tasks.hpp"
#include "shoal/actor/world.hpp"
#include "shoal/base/internal/ambient.hpp"
#include "shoal/base/internal/pe_worker.hpp"
#include "shoal/base/internal/signal_text.hpp"
#include "shoal/conveyor/internal/exchange.hpp"
#include "shoal/conveyor/internal/misuse.hpp"
#include "shoal/conveyor/internal/monster.hpp"
#include "shoal/conveyor/internal/relay.hpp"
#include "shoal/conveyor/internal/route.hpp"
#include "shoal/conveyor/internal/stream_hop.hpp"
#include "shoal/conveyor/internal/worker_links.hpp"

namespace shoal {

using namespace internal;

namespace {

// `to` is a declared mailbox, `name`. `is_work_of_main`: what sends is work that the main program has left.
[[noreturn, gnu::cold]] void refuse_undeclared(const std::string& name, const superstep_part& to,
                                               const superstep_part& sender, bool is_work_of_main) {
  std::string how;
  if (is_work_of_main) {
    how =
        "work that the main program has left, when the main program was done with it; call done later, or leave that "
        "to finish, which waits for such work unless that waits for an end";
  } else {
    how = "handlers of " + sender.describe_owner() + sender.steps().home().message_exchange().of_name();
    if (to.is_fed_by(sender)) {
      how += " after both have closed";
    } else if (&sender.steps() != &to.steps()) {
      how += ", which belongs to another world; only mailboxes of one finish feed a mailbox with fed_by";
    } else if (sender.steps().is_closures(sender)) {
      how += ", or by what they or world.post have left, and closures feed only mailboxes without fed_by";
    } else {
      how += ", which are not declared to feed it; add them to its fed_by";
    }
  }
  end_job(status_usage, name + to.steps().home().message_exchange().of_name() + ": send by " + how);
}

}  // namespace

void internal::append_mailboxes(std::vector<mailbox*>& to, mailbox& one) { to.push_back(&one); }

// Functions that programs call in their main programs are cold here only. If the header said so, the compiler would take all
// that a program does beside such a call for cold, its loops included.

mailbox::mailbox(world& home, std::string actor_name, const char* message_type, const item_kind& kind,
                 kind_lookup kinds, bool all_leave_room_for_tags)
    : mailbox_guards(home.message_exchange(), stream_),
      superstep_part(home.scopes(), stream_),
      home_(home),
      is_routable_(all_leave_room_for_tags &&
                   leaves_room_for_tag(kind, kinds != nullptr, home.message_exchange().payload_bytes())),
      stream_(home, {.kind = kind, .kinds = kinds, .consumer = this, .n_hops = wanted_hops()}),
      actor_name_(std::move(actor_name)) {
  home_.require_main("constructing an actor");
  home_.scopes().enlist(*this);
  home_.message_exchange().objects().note("actor of ", message_type == nullptr ? "closures" : message_type, kind.bytes);
}

mailbox::~mailbox() = default;

void mailbox::end_life() noexcept {
  if (std::exchange(has_ended_, true) || stream_.is_orphan()) return;
  if (current_state() != state::dormant || !is_over()) {
    superstep_part* const only = this;
    if (std::uncaught_exceptions() == 0) {
      home_.require_main("destroying an actor in its superstep");
      home_.scopes().close({&only, 1});
    } else {
      home_.scopes().note_unwound(*this, describe());
    }
  }
  home_.scopes().delist(*this);
}

void mailbox::close() {
  mailbox* const only = this;
  close_together({&only, 1}, true);
}

[[gnu::cold]] void mailbox::close_together(std::span<mailbox* const> mailboxes, bool may_wait) {
  std::vector<superstep_part*> open;
  mailbox* first = nullptr;
  for (mailbox* m : mailboxes) {
    if (m->current_state() == state::dormant && (!may_wait || m->is_over())) continue;
    open.push_back(m);
    if (first == nullptr) first = m;
  }
  if (open.empty() || (!may_wait && std::uncaught_exceptions() != 0)) return;
  if (!may_wait) {
    end_job(status_usage, first->describe() +
                              ": destroyed while its superstep is open, when its handlers may still run; let "
                              "it live until finish returns, or call close() first");
  }
  first->home_.require_main("close");
  first->home_.scopes().close(open);
}

void mailbox::done() {
  home_.require_main("done");
  if (is_closed()) return;  // by itself, perhaps, as soon as all PEs were done
  if (current_state() == state::dormant) {
    end_job(status_usage, describe() + ": done outside finish; call it in the superstep that it ends");
  }
  home_.scopes().done(*this);
}

[[gnu::cold]] std::vector<superstep_part*> mailbox::parts_of(std::span<mailbox* const> mailboxes) {
  std::vector<superstep_part*> parts;
  for (mailbox* m : mailboxes) parts.push_back(m);
  return parts;
}

[[gnu::cold]] void mailbox::declare(std::span<mailbox* const> feeders) {
  home_.require_main("fed_by");
  home_.scopes().declare(*this, parts_of(feeders));
}

future<void> mailbox::closed(const std::source_location where) {
  mailbox* const only = this;
  return closed_together({&only, 1}, where);
}

[[gnu::cold]] future<void> mailbox::closed_together(std::span<mailbox* const> mailboxes,
                                                    const std::source_location& where) {
  if (other_worker() != nullptr) refuse_elsewhere("closed of a mailbox", advice_for_own_thread);
  for (const mailbox* m : mailboxes) {
    if (m->current_state() != state::dormant || m->is_closed()) continue;
    end_job(status_usage, m->describe() + ": closed outside finish, where it has no end; call it in a superstep");
  }
  const std::vector<superstep_part*> parts = parts_of(mailboxes);
  pending_answer* const to_come = mailboxes.front()->home_.scopes().await_ends(parts, where);
  return to_come == nullptr ? future<void>::ready() : future<void>(*to_come);
}

[[gnu::cold]] stream_counts mailbox::counts() const noexcept {
  if (other_worker() != nullptr) refuse_elsewhere("counts of a mailbox", advice_for_own_thread);
  return stream_.counts();
}

void mailbox::limit_latency(std::uint32_t us) noexcept {
  if (pe_worker* const other = other_worker(); other != nullptr) {
    return other->post([this, us] { limit_latency(us); });
  }
  stream_.limit_latency(std::uint64_t{us} * 1000);
  set_runs_to_look_at();
}

void mailbox::set_runs_to_look_at() noexcept {
  n_runs_to_look_at_ = stream_.hop(0).out().latency_ns() == 0 ? n_runs_at_first : n_runs_with_limit;
}

[[gnu::cold]] void mailbox::limit_unsent(std::uint64_t n) {
  if (n == 0 || n > INT64_MAX) {
    end_job(status_usage, describe() + ": limit_unsent of " + std::to_string(n) +
                              ", with which try_send never sends; the limit is 1 or more");
  }
  n_unsent_max_ = static_cast<std::int64_t>(n);
  n_tried_ = stream_.n_sent();
}

void mailbox::make_room(link_end& link, const item_kind& kind) {
  stream_.make_room(link, kind, stream_.now().policy_now());
}

void mailbox::make_room(const stream::way& to, const item_kind& kind) {
  stream_.make_room(to, kind, to.policy(stream_.now()));
}

void mailbox::serve_others(when_full policy) {
  exchange& through = home_.message_exchange();
  through.parts().pressure.post_overdue(policy);
  if (policy == when_full::wait) through.arriving().take_turn();
}

// Where a PE may have several workers, each send of another one comes here, and mostly leaves at once.
stream::way mailbox::find_way_of_sender(pe_id target) {
  pe_worker* const other = other_worker();
  const bool is_in_range = static_cast<std::uint64_t>(target) < static_cast<std::uint64_t>(home_.n_pes());
  if (other == nullptr || !is_in_range || current_state() == state::dormant || is_declared()) [[unlikely]]
    require_sender(target);
  if (other == nullptr) return stream_.way_to(target);
  return way_of_worker(stream_, *home_.message_exchange().parts().of_workers, *other, target);
}

// On others than the PE's own thread, what runs there says nothing of the task that sends.
void mailbox::require_sender(pe_id target) {
  pe_worker* const other = other_worker();
  const pe_id n_pes = home_.n_pes();
  if (target < 0 || target >= n_pes) {
    end_job(status_usage, describe() + ": send to PE " + std::to_string(target) +
                              ", which is out of range; PEs are 0 to " + std::to_string(n_pes - 1) +
                              home_.message_exchange().of_name());
  }
  const bool is_main = other == nullptr && now().running() == nullptr && now().working() == nullptr;
  const sender_of_task task =
      other == nullptr ? sender_of_task{} : tasks_of(home_.message_exchange().parts())->sender_elsewhere();
  const superstep_part* const sender =
      other == nullptr ? home_.teams().sender_now() : task.whose;  // null outside finish
  const bool is_open = current_state() != state::dormant;
  if (is_declared() && !is_main && sender != nullptr) {
    const bool is_work_of_main = other == nullptr ? home_.teams().is_work_of_main() : task.is_of_main;
    const bool may_send = is_fed_by(*sender) ? is_open : is_work_of_main && current_state() == state::open;
    if (!may_send) refuse_undeclared(describe(), *this, *sender, is_work_of_main);
  } else if (other == nullptr || !is_open) {
    if (is_closed() && !is_declared()) {
      end_job(status_usage, describe() + ": send after close; close a mailbox after those whose handlers send to it");
    }
    if (!is_open && !is_closed()) {
      end_job(status_usage,
              describe() + ": send outside finish; nothing would wait for it, so send inside world.finish");
    }
    // After `done`, only handlers may send, and the work that they have left for later.
    if (is_main) {
      end_job(status_usage, describe() +
                                ": send by the main program after done; call done later, or not at all "
                                "(finish does)");
    }
  }
}

void mailbox::record() const {
  if (home_.message_exchange().parts().keeps_records()) stream_.record(describe());
}

pe_id mailbox::routed_sender_of(const buffer& b, std::uint32_t i) const noexcept {
  return stream_.current_route()->origins_by(b.header.source)(stream_.tag_of(b, i));
}

void mailbox::take_wanted_route(bool is_new) {
  // A new mailbox has nothing to keep. Its derived class, which could tell its message type, is not constructed yet.
  if (!is_new) record();
  const std::uint64_t n_unsent = n_tried_ - stream_.n_sent();
  stream_.take_route(wanted_hops());
  n_tried_ = stream_.n_sent() + n_unsent;
  home_.scopes().hops().note_renewed_hops(static_cast<std::size_t>(stream_.n_hops()));
}

int mailbox::wanted_hops() const noexcept { return is_routable_ ? home_.n_hops() : home_.message_exchange().n_hops(); }

bool mailbox::consume(const buffer& b, position& from, std::uint64_t& n_items) {
  // A handler that throws leaves its message half handled and its PE's invariants unknown. Nothing can repair that, so
  // it ends the job.
  home_.scopes().begin_handlers(*this);
  try {
    handle(b, from, n_items);
  } catch (...) {
    end_for_throw(*this, stream_, home_.message_exchange(), b);
  }
  home_.scopes().end_handlers();
  home_.message_exchange().backend().charge_items(item_work::handling, n_items);
  return from.offset == b.header.item_bytes();
}

bool mailbox::take_fragment(monster_assembly& arriving, const internal::record& fragment, pe_id from, const buffer& b,
                            monster_block& whole) {
  switch (arriving.take(fragment, from, whole)) {
    case monster_assembly::outcome::incomplete: stream_.note_monsters(arriving.bytes()); return false;
    case monster_assembly::outcome::complete: return true;
    case monster_assembly::outcome::contradiction: damaged(b);
    case monster_assembly::outcome::no_memory: break;
  }
  end_job(status_failure, describe() + ": no memory for a message of " + std::to_string(arriving.bytes_wanted()) +
                              " bytes from PE " + std::to_string(from));
}

void mailbox::tell(signal_text& into, const buffer& b, const void* address) const noexcept {
  tell_message(into);
  into << (stream_.current_route() == nullptr ? " from PE " : " by way of PE ") << std::int64_t{b.header.source}
       << " in actor " << actor_name_;
  if (address == nullptr) return;
  if (const std::int64_t at = find_address(b, reinterpret_cast<std::uintptr_t>(address)); at >= 0) {
    into << "; it brought this address (at byte " << at
         << "), which means nothing here: capture a value or the handle of a per_pe";
  }
}

std::int64_t mailbox::find_address(const buffer&, std::uintptr_t) const noexcept { return -1; }

std::string mailbox::describe() const { return "actor " + actor_name_ + ", message " + describe_message(); }

}  // namespace shoal
