#include "shoal/actor/mailbox.hpp"

#include <algorithm>
#include <exception>
#include <vector>

#include "shoal/actor/world.hpp"
#include "shoal/base/ambient.hpp"
#include "shoal/base/contract.hpp"

namespace shoal {

namespace {

const route* route_of(world& home, int n_hops) { return n_hops == 1 ? nullptr : &home.buffers().route_of(n_hops); }

// Whether a message of a kind has a buffer to itself, without room for a tag.
bool fills_buffer(const world& home, const item_kind& kind, std::size_t header_bytes) {
  constexpr std::size_t tag_bytes_most = 4;
  const std::size_t bytes = header_bytes + kind.bytes;
  const std::size_t whole = home.buffers().payload_bytes();
  return bytes <= whole && bytes + tag_bytes_most > whole;
}

bool has_room_for_tags(const world& home, const item_kind& kind, kind_lookup kinds) {
  if (kinds == nullptr) return !fills_buffer(home, kind, 0);
  for (std::uint32_t number = 1;; ++number) {
    const item_kind* const one = kinds(number);
    if (one == nullptr) return true;
    if (fills_buffer(home, *one, std::max<std::size_t>(sizeof(run_header), one->align))) return false;
  }
}

}  // namespace

mailbox::mailbox(world& home, std::string actor_name, std::string message_name, const item_kind& kind,
                 kind_lookup kinds)
    : home_(home),
      is_routable_(has_room_for_tags(home, kind, kinds)),
      route_(route_of(home, n_hops_of_now())),
      kinds_(kinds),
      relays_(route_ == nullptr
                  ? std::vector<std::unique_ptr<relay>>{}
                  : make_relays(home.buffers(), *route_, {.kind = kind, .kinds = kinds, .on_behalf_of = this})),
      port_(home.buffers(),
            route_ == nullptr ? port_options{.kind = kind, .consumer = this} : last_port_options(*route_, kind, this)),
      first_port_(relays_.empty() ? &port_ : &relays_.front()->in()),
      serial_(port_.serial()),
      actor_name_(std::move(actor_name)),
      message_name_(std::move(message_name)) {
  chain(relays_, port_);
  home_.require_main("constructing an actor");
  home_.enlist(*this);
}

mailbox::~mailbox() { SHOAL_ASSERT(!is_in_scope_); }

void mailbox::end_life() noexcept {
  if (state_ != state::dormant && std::uncaught_exceptions() == 0) {
    mailbox* const only = this;
    home_.close({&only, 1});
  }
  home_.delist(*this);
}

void mailbox::close() {
  mailbox* const only = this;
  close_together({&only, 1}, true);
}

void mailbox::close_together(std::span<mailbox* const> mailboxes, bool may_wait) {
  std::vector<mailbox*> open;
  for (mailbox* m : mailboxes) {
    if (m->state_ != state::dormant) open.push_back(m);
  }
  if (open.empty() || (!may_wait && std::uncaught_exceptions() != 0)) return;
  if (!may_wait) {
    end_job(status_usage, open.front()->describe() +
                              ": destroyed while its superstep is open, when its handlers may still run; let "
                              "it live until finish returns, or call close() first");
  }
  open.front()->home_.require_main("close");
  open.front()->home_.close(open);
}

void mailbox::done() {
  home_.require_main("done");
  if (state_ == state::dormant) {
    end_job(status_usage, describe() + ": done outside finish; call it in the superstep that it ends");
  }
  state_ = state::done;
  let_send(false);
}

void mailbox::limit_latency(std::uint32_t us) noexcept {
  for (const auto& r : relays_) r->in().limit_latency(std::uint64_t{us} * 1000);
  port_.limit_latency(std::uint64_t{us} * 1000);
}

when_full mailbox::policy() const noexcept {
  return through().delivering() == nullptr ? when_full::wait : when_full::spill;
}

void mailbox::check_limit(std::uint64_t n_unsent_max) const {
  if (n_unsent_max > 0 && n_unsent_max <= INT64_MAX) return;
  end_job(status_usage, describe() + ": limit_unsent of " + std::to_string(n_unsent_max) +
                            ", with which try_send never sends; the limit is 1 or more");
}

void mailbox::make_room(link_end& link) { port_.make_room(link, policy()); }

void mailbox::make_room(link_end& link, const item_kind& kind) { port_.make_room(link, kind, policy()); }

void mailbox::make_room(const way& to, const item_kind& kind) { to.out.make_room(to.link(), kind, policy()); }

bool mailbox::try_make_room(link_end& link) { return port_.make_room(link, when_full::give_up); }

bool mailbox::try_make_room(const way& to) { return to.out.make_room(to.link(), when_full::give_up); }

void mailbox::sent_wrongly(pe_id target) const {
  const pe_id n_pes = home_.n_pes();
  if (target < 0 || target >= n_pes) {
    end_job(status_usage, describe() + ": send to PE " + std::to_string(target) +
                              ", which is out of range; PEs are 0 to " + std::to_string(n_pes - 1));
  }
  if (is_closed_) {
    end_job(status_usage, describe() + ": send after close; close a mailbox after those whose handlers send to it");
  }
  if (state_ == state::dormant) {
    end_job(status_usage, describe() + ": send outside finish; nothing would wait for it, so send inside world.finish");
  }
  // After done, the main program's promise holds but handlers go on sending.
  if (through().delivering() == nullptr) {
    end_job(status_usage, describe() +
                              ": send by the main program after done; call done later, or not at all "
                              "(finish does)");
  }
}

// The superstep before has ended everywhere, so nothing is under way on the old route; what others send on the new one
// before this PE has come here waits for ports that are not there yet.
void mailbox::take_route_of_now() {
  record();
  counts_elsewhere_ = counts();
  const std::uint64_t n_unsent = n_tried_ - n_sent();
  relays_.clear();
  route_ = route_of(home_, n_hops_of_now());
  if (route_ == nullptr) {
    port_.take_route(nullptr, 0);
  } else {
    const std::uint64_t latency_ns = port_.latency_ns();
    relays_ = make_relays(through(), *route_, {.kind = port_.only_kind(), .kinds = kinds_, .on_behalf_of = this});
    for (const auto& r : relays_) r->in().limit_latency(latency_ns);
    const port_options last = last_port_options(*route_, port_.only_kind());
    port_.take_route(last.hop, last.hop_number);
  }
  chain(relays_, port_);
  first_port_ = relays_.empty() ? &port_ : &relays_.front()->in();
  n_tried_ = n_sent() + n_unsent;
  home_.n_ports_renewed_ += static_cast<std::size_t>(n_hops());
}

int mailbox::n_hops_of_now() const noexcept { return is_routable_ ? home_.n_hops() : home_.buffers().n_hops(); }

void mailbox::begin_superstep(std::size_t depth) {
  if (n_hops() != n_hops_of_now()) [[unlikely]]
    take_route_of_now();
  depth_ = depth;
  state_ = state::open;
  is_closed_ = false;
  let_send(true);
  counts_before_ = counts_of_all_hops();
  if (home_.learns_hops()) traffic_before_ = traffic_so_far();
  is_in_scope_ = true;
  for (const auto& r : relays_) r->in().begin_session();
  port_.begin_session();
}

void mailbox::end_superstep() {
  state_ = state::dormant;
  let_send(false);
  is_in_scope_ = false;
  for (const auto& r : relays_) r->in().end_session();
  port_.end_session();
}

void mailbox::let_send(bool is_allowed) noexcept {
  n_sendable_ = is_allowed ? static_cast<std::uint64_t>(home_.n_pes()) : 0;
  n_direct_ = route_ == nullptr ? n_sendable_ : 0;
}

port_counts mailbox::counts_of_all_hops() const noexcept {
  port_counts all;
  for_each_port([&](const port& p) { all = all + p.counts(); });
  return all;
}

superstep_traffic mailbox::traffic_so_far() const noexcept {
  const port_counts& sent = first_port_->counts();
  std::uint64_t n_buffers = port_.counts().n_buffers;
  for (const auto& r : relays_) n_buffers += r->in().counts().n_buffers;
  return {sent.n_sent, sent.n_bytes + sent.n_spared, sent.n_buffers, n_buffers};
}

port_counts mailbox::counts() const noexcept {
  port_counts counts = counts_of_all_hops();
  const port_counts& sending = first_port_->counts();
  counts.n_sent = sending.n_sent;
  counts.n_waits = sending.n_waits;
  counts.n_spills = sending.n_spills;
  counts.n_handled = port_.counts().n_handled;
  return followed_by(counts, counts_elsewhere_);
}

bool mailbox::is_empty() const noexcept {
  bool is_empty = true;
  for_each_port([&](const port& p) { is_empty &= p.is_empty(); });
  return is_empty;
}

void mailbox::flush() noexcept {
  for (const auto& r : relays_) r->in().flush();
  port_.flush();
}

void mailbox::record() const {
  std::size_t hop = 0;
  for_each_port([&](const port& p) {
    ++hop;
    through().record(p, relays_.empty() ? describe() : describe() + ", hop " + std::to_string(hop), serial_);
  });
}

bool mailbox::consume(const buffer& b, position& from, std::uint64_t& n_items) {
  // A handler that throws leaves its message half handled and its PE's invariants unknown; nobody can
  // answer for that, so it ends the job.
  home_.handling_depth_ = depth_;
  const auto where = [&] {
    const std::string by = route_ == nullptr ? " (message from PE " : " (message by way of PE ";
    return by + std::to_string(b.header.source) + ")";
  };
  try {
    handle(b, from, n_items);
  } catch (const std::exception& e) {
    end_job(status_failure, describe() + ": handler threw: " + one_line(e.what()) + where());
  } catch (...) {
    end_job(status_failure, describe() + ": handler threw something that is no std::exception" + where());
  }
  return from.offset == b.header.item_bytes();
}

std::string mailbox::describe() const { return "actor " + actor_name_ + ", message " + describe_message(); }

}  // namespace shoal
