#include "shoal/actor/internal/closings.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "shoal/actor/internal/superstep_part.hpp"
#include "shoal/actor/internal/termination.hpp"
#include "shoal/actor/internal/termination_graph.hpp"
#include "shoal/base/internal/ambient.hpp"
#include "shoal/base/internal/contract.hpp"
#include "shoal/base/internal/digest.hpp"
#include "shoal/control/internal/plane.hpp"
#include "shoal/control/internal/wave.hpp"
#include "shoal/conveyor/internal/exchange.hpp"

namespace shoal::internal {
namespace {

// What a PE adds to the wave of a knot.
struct knot_share {
  std::uint64_t n_sent = 0;
  std::uint64_t n_handled = 0;
  std::uint64_t digest = 0;  // of what the program has declared
  std::uint64_t are_different = 0;  // 1: the digests are not all equal
};

knot_share share_of(std::span<const std::byte> bytes) {
  SHOAL_ASSERT(bytes.size() == sizeof(knot_share));
  knot_share share;
  std::memcpy(&share, bytes.data(), sizeof share);
  return share;
}

void add(std::byte* into, const std::byte* from, std::size_t bytes) {
  knot_share sum = share_of({into, bytes});
  const knot_share more = share_of({from, bytes});
  sum.n_sent += more.n_sent;
  sum.n_handled += more.n_handled;
  if (more.are_different != 0 || sum.digest != more.digest) sum.are_different = 1;
  std::memcpy(into, &sum, sizeof sum);
}

// A mailbox that others keep busy gets its partly filled buffers posted once per this many turns.
constexpr unsigned busy_turns = 64;

bool is_in(const superstep_part& m, std::span<superstep_part* const> some) noexcept {
  return std::ranges::find(some, &m) != some.end();
}

}  // namespace

struct closings::knot {
  std::vector<superstep_part*> members;
  std::vector<superstep_part*> feeders;  // outside of it
  std::size_t depth;  // of their finish
  bool is_cyclic;
  std::uint64_t digest;
  std::optional<wave> counts;  // empty: closed
  std::optional<std::uint64_t> last_handled;  // total of the last generation

  bool is_closed() const noexcept { return !counts.has_value(); }
  bool is_done() const noexcept {
    return std::ranges::all_of(
        members, [](const superstep_part* m) { return m->current_state() == superstep_part::state::done; });
  }
  const superstep_part* open_feeder() const noexcept {
    const auto open = std::ranges::find_if(feeders, [](const superstep_part* m) { return !m->is_over(); });
    return open == feeders.end() ? nullptr : *open;
  }
  bool is_empty() const noexcept {
    return std::ranges::all_of(members,
                               [](const superstep_part* m) { return m->is_empty() && !m->has_open_buffers(); });
  }

  void contribute() {
    knot_share mine{.digest = digest};
    for (const superstep_part* m : members) {
      const message_counts each = m->counts_of_superstep();
      mine.n_sent += each.n_sent;
      mine.n_handled += each.n_handled;
    }
    counts->contribute(std::as_bytes(std::span(&mine, 1)));
  }

  // Whether a generation says that nothing of the knot is in transit, and nothing will be. Nobody sends to a mailbox
  // outside of cycles any more. So one generation suffices: if all that was sent has been handled, that was all. On a
  // cycle handlers may send still, and two generations must agree, as for finish.
  bool is_confirmed_by(const knot_share& all) {
    if (all.are_different != 0) {
      end_job(status_usage, members.front()->describe_owner() +
                                ": the PEs have declared different mailboxes that feed it, or that feed one another; "
                                "call fed_by in the same way on all of them");
    }
    SHOAL_ASSERT(!last_handled || (all.n_sent >= *last_handled && all.n_handled >= *last_handled));
    const std::optional<std::uint64_t> before = std::exchange(last_handled, all.n_handled);
    return all.n_sent == (is_cyclic ? before.value_or(0) : all.n_handled);
  }

  void close() noexcept {
    counts.reset();
    for (superstep_part* m : members) m->close_superstep();
  }
};

closings::closings(exchange& through, control_plane* shared) : exchange_(through), plane_(shared) {}

// The job is over if a superstep was broken off.
closings::~closings() {
  if (!broken_.empty() || !knots_.empty()) plane_->close();
}

control_plane& closings::plane() {
  if (plane_ == nullptr) {
    own_plane_ = std::make_unique<control_plane>(exchange_.backend());
    plane_ = own_plane_.get();
  }
  return *plane_;
}

void closings::declare(superstep_part& fed, std::span<superstep_part* const> feeders) {
  if (fed.is_fixed()) {
    end_job(status_usage, fed.describe_owner() +
                              ": fed_by too late, when mailboxes of its finish may close already; call it before done, "
                              "closed and the end of finish");
  }
  if (!fed.is_declared()) declared_.push_back(&fed);
  fed.declare(feeders);
}

void closings::forget(superstep_part& gone) noexcept {
  std::erase(declared_, &gone);
  for (superstep_part* m : declared_) m->forget_feeder(gone);
  for (const auto& each : knots_) {
    std::erase(each->feeders, &gone);
    std::erase(each->members, &gone);
  }
  // An exception has destroyed it in its superstep.
  const auto ends = std::ranges::stable_partition(
      knots_, [](const auto& each) { return each->is_closed() || !each->members.empty(); });
  broken_.insert(broken_.end(), std::move_iterator(ends.begin()), std::move_iterator(ends.end()));
  knots_.erase(ends.begin(), ends.end());
}

void closings::let_handlers_send(const superstep_part& sender) noexcept {
  for (superstep_part* m : declared_) m->let_send(m->is_in_scope() && m->is_fed_by(sender));
}

void closings::let_main_send(const superstep_part* work_of, bool is_of_main) noexcept {
  for (superstep_part* m : declared_) {
    const bool is_open = m->current_state() == superstep_part::state::open;
    const bool may_work = work_of != nullptr && m->is_in_scope() && m->is_fed_by(*work_of);
    m->let_send(may_work || (is_of_main && is_open));
  }
}

void closings::fix(std::span<superstep_part* const> mailboxes) {
  if (declared_.empty()) return;
  const auto is_new = [](const superstep_part* m) { return !m->is_fixed(); };
  if (std::ranges::none_of(mailboxes, is_new)) return;
  std::vector<graph_node> nodes;
  for (superstep_part* m : mailboxes) {
    graph_node& node = nodes.emplace_back();
    node.is_declared = m->is_declared();
    for (superstep_part* feeder : m->feeders()) {
      const auto its = std::ranges::find(mailboxes, feeder);
      if (its != mailboxes.end()) {
        node.feeders.push_back(static_cast<std::size_t>(its - mailboxes.begin()));
      } else if (feeder->is_in_scope() && m->is_in_scope()) {
        end_job(status_usage, m->describe_owner() + ": fed by " + feeder->describe_owner() +
                                  ", which belongs to another finish; only mailboxes of one finish feed one another");
      }
    }
    m->fix();
  }
  const auto mailboxes_of = [&](const std::vector<std::size_t>& positions) {
    std::vector<superstep_part*> some;
    for (const std::size_t each : positions) some.push_back(mailboxes[each]);
    return some;
  };
  for (const graph_knot& each : knots_of(nodes)) {
    if (knot_of(*mailboxes[each.members.front()]) != nullptr) continue;
    make_knot(mailboxes_of(each.members), mailboxes_of(each.feeders), each.is_cyclic);
  }
}

void closings::make_knot(std::vector<superstep_part*> members, std::vector<superstep_part*> feeders, bool is_cyclic) {
  constexpr std::uint64_t n_names = std::uint64_t{1} << 24;
  digest all;
  for (const superstep_part* m : members) {
    all.add_word(m->serial());
    std::vector<std::uint64_t> its;
    for (const superstep_part* feeder : m->feeders()) its.push_back(feeder->serial());
    std::ranges::sort(its);
    for (const std::uint64_t serial : its) all.add_word(serial);
  }
  if (all_pes_ == nullptr) all_pes_ = group::strided(exchange_.backend(), 0, 1, exchange_.n_pes());
  const wave_name name{wave_kind::mailbox, static_cast<std::uint32_t>(members.front()->serial() % n_names)};
  auto made = std::make_unique<knot>();
  made->depth = members.front()->depth();
  made->members = std::move(members);
  made->feeders = std::move(feeders);
  made->is_cyclic = is_cyclic;
  made->digest = all.value();
  made->counts.emplace(plane(), all_pes_, name, wave_options{.bytes = sizeof(knot_share), .combine = add});
  knots_.push_back(std::move(made));
}

const closings::knot* closings::knot_of(const superstep_part& m) const noexcept {
  const auto its = std::ranges::find_if(knots_, [&](const auto& each) { return is_in(m, each->members); });
  return its == knots_.end() ? nullptr : its->get();
}

bool closings::closes_by_itself(const superstep_part& m) const noexcept { return knot_of(m) != nullptr; }

superstep_part* closings::last_to_close(std::span<superstep_part* const> some) const noexcept {
  superstep_part* last = nullptr;
  for (const auto& each : knots_) {
    const auto its = std::ranges::find_if(some, [&](const superstep_part* m) { return is_in(*m, each->members); });
    if (its != some.end()) last = *its;
  }
  return last;
}

bool closings::advance(std::vector<superstep_part*>& closed) {
  if (knots_.empty()) return false;
  bool has_moved = plane_->progress();
  const bool flushes = ++n_turns_ % busy_turns == 0;
  for (const auto& each : knots_) {
    if (each->is_closed()) continue;
    if (each->counts->is_complete()) {
      has_moved = true;
      if (each->is_confirmed_by(share_of(each->counts->take()))) {
        each->close();
        closed.insert(closed.end(), each->members.begin(), each->members.end());
        continue;
      }
    }
    if (!each->counts->is_open() || !each->is_done() || each->open_feeder() != nullptr) continue;
    if (!each->is_empty()) {
      if (!flushes) continue;
      for (superstep_part* m : each->members) m->flush();
      if (!each->is_empty()) continue;
    }
    each->contribute();
    has_moved = true;
  }
  return plane_->progress() || has_moved;
}

bool closings::have_closed(std::size_t depth) const noexcept {
  return std::ranges::all_of(knots_, [&](const auto& each) { return each->is_closed() || each->depth != depth; });
}

void closings::end_superstep(std::size_t depth, bool is_broken) noexcept {
  const auto ends = std::ranges::stable_partition(knots_, [&](const auto& each) { return each->depth != depth; });
  if (is_broken) broken_.insert(broken_.end(), std::move_iterator(ends.begin()), std::move_iterator(ends.end()));
  knots_.erase(ends.begin(), ends.end());
}

std::string closings::describe() const {
  constexpr int n_told = 3;
  std::string text;
  std::size_t n = 0;
  for (const auto& each : knots_) {
    if (each->is_closed() || n++ >= n_told) continue;
    text += "; " + each->members.front()->describe_owner();
    if (each->members.size() > 1) text += " and " + std::to_string(each->members.size() - 1) + " more";
    if (!each->is_done()) {
      text += ": not done here";
    } else if (const superstep_part* feeder = each->open_feeder(); feeder != nullptr) {
      text += ": cannot close before " + feeder->describe_owner();
    } else if (!each->is_empty()) {
      text += ": cannot close before its messages here are handled";
    } else {
      text += ": cannot close before other PEs are done with it";
    }
  }
  if (n > n_told) text += "; " + std::to_string(n - n_told) + " more are open";
  return text;
}

}  // namespace shoal::internal
