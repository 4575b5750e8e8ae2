#include "shoal/actor/internal/closings.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "shoal/actor/internal/superstep_part.hpp"
#include "shoal/actor/internal/termination.hpp"
#include "shoal/actor/internal/termination_graph.hpp"
#include "shoal/base/internal/ambient.hpp"
#include "shoal/base/internal/contract.hpp"
#include "shoal/base/internal/digest.hpp"
#include "shoal/control/internal/counting_wave.hpp"
#include "shoal/control/internal/plane.hpp"
#include "shoal/conveyor/internal/exchange.hpp"

namespace shoal::internal {
namespace {

bool is_in(const superstep_part& m, std::span<superstep_part* const> some) noexcept {
  return std::ranges::find(some, &m) != some.end();
}

}  // namespace

struct closings::knot {
  std::vector<superstep_part*> members;
  std::vector<superstep_part*> feeders;  // outside of it
  std::size_t depth;  // of their finish
  std::optional<counting_wave> counts;  // empty: closed

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

  // Posts its partly filled buffers if that alone is missing.
  bool is_due(bool posts) const noexcept {
    if (!is_done() || open_feeder() != nullptr) return false;
    if (posts) {
      for (superstep_part* m : members) m->flush();
    }
    return is_empty();
  }

  message_counts share() const noexcept {
    message_counts mine;
    for (const superstep_part* m : members) mine = mine + m->counts_of_superstep();
    return mine;
  }

  void close() noexcept {
    counts.reset();
    for (superstep_part* m : members) m->close_superstep();
  }
};

closings::closings(exchange& through) : exchange_(through) {}

// The job is over if a superstep was broken off.
closings::~closings() {
  if (!broken_.empty() || !knots_.empty()) plane_->close();
}

void closings::forget(const superstep_part& gone) noexcept {
  for (auto& each : knots_) {
    std::erase(each->feeders, &gone);
    std::erase(each->members, &gone);
    // An exception has destroyed it in its superstep.
    if (!each->is_closed() && each->members.empty()) broken_.push_back(std::move(each));
  }
  std::erase(knots_, nullptr);
}

void closings::fix(std::span<superstep_part* const> mailboxes) {
  const auto is_new = [](const superstep_part* m) { return !m->is_fixed(); };
  if (std::ranges::any_of(mailboxes, is_new)) place(mailboxes);
}

// PEs fix places at different moments, some before that close and some after it.
void closings::fix_again(std::span<superstep_part* const> mailboxes) {
  std::vector<superstep_part*> fixed;
  std::ranges::copy_if(mailboxes, std::back_inserter(fixed), [](const superstep_part* m) { return m->is_fixed(); });
  place(fixed);
}

void closings::place(std::span<superstep_part* const> mailboxes) {
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
  digest edges;
  for (const superstep_part* m : members) {
    edges.add_word(m->serial());
    edges.add_word(m->digest_of_declared());
  }
  plane_ = &exchange_.parts().plane();
  if (plane_->is_full()) {
    end_job(status_usage,
            members.front()->describe_owner() + exchange_.of_name() +
                ": too many mailboxes of this PE close by themselves at once: its teams, its background calls "
                "and they have " +
                std::to_string(n_waves_max) + " waves already; give fed_by to fewer, or close some first");
  }
  const wave_name name{wave_kind::mailbox, static_cast<std::uint32_t>(members.front()->serial() % n_names)};
  auto made = std::make_unique<knot>();
  made->depth = members.front()->depth();
  made->members = std::move(members);
  made->feeders = std::move(feeders);
  // Outside of cycles, nobody can send to a mailbox any more when it is due.
  made->counts.emplace(*plane_, exchange_.members(), name,
                       counting_options{.are_sends_final = !is_cyclic, .digest = edges.value()});
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
  // What looks for stalls uses the plane, too. If its messages counted as a move here, it would find none.
  const std::uint64_t n_before = plane_->n_messages_of_program();
  bool has_moved = false;
  plane_->progress();
  // Buffers of a knot that others keep busy are posted now and then; otherwise the caller posts them when it is idle.
  const bool posts = ++n_turns_ % busy_turns == 0;
  for (const auto& each : knots_) {
    if (each->is_closed()) continue;
    const bool was_waiting = each->counts->is_waiting();
    const bool is_due = !was_waiting && each->is_due(posts);
    const message_counts mine = each->share();
    const bool is_over = each->counts->advance(is_due, mine.n_sent, mine.n_handled);
    if (each->counts->are_digests_different()) {
      end_job(status_usage, each->members.front()->describe_owner() +
                                ": the PEs have declared different mailboxes that feed it, or that feed one another; "
                                "call fed_by in the same way on all of them");
    }
    has_moved = has_moved || is_due || is_over;
    if (!is_over) continue;
    each->close();
    closed.insert(closed.end(), each->members.begin(), each->members.end());
  }
  plane_->progress();
  return has_moved || plane_->n_messages_of_program() != n_before;
}

bool closings::have_closed(std::size_t depth) const noexcept {
  return std::ranges::all_of(knots_, [&](const auto& each) { return each->is_closed() || each->depth != depth; });
}

void closings::end_superstep(std::size_t depth, bool is_broken) noexcept {
  SHOAL_ASSERT(is_broken || have_closed(depth));
  for (auto& each : knots_) {
    if (is_broken && each->depth == depth) broken_.push_back(std::move(each));
  }
  std::erase(knots_, nullptr);
  std::erase_if(knots_, [&](const auto& each) { return each->depth == depth; });
}

std::string closings::describe() const {
  constexpr int n_told = 3;
  std::string text;
  std::size_t n = 0;
  for (const auto& each : knots_) {
    if (each->is_closed() || n++ >= n_told) continue;
    text += "; " + each->members.front()->describe_owner() + exchange_.of_name();
    if (each->members.size() > 1) text += " and " + std::to_string(each->members.size() - 1) + " more";
    if (!each->is_done()) {
      text += ": not done here";
      if (each->members.front()->is_end_awaited()) text += ", since work that the main program left is not over";
    } else if (const superstep_part* feeder = each->open_feeder(); feeder != nullptr) {
      text += ": cannot close before " + feeder->describe_owner();
    } else if (!each->is_empty()) {
      text += ": cannot close before its messages here are handled";
    } else {
      text += ": cannot close before other PEs are done with it and have declared the same feeders";
    }
  }
  if (n > n_told) text += "; " + std::to_string(n - n_told) + " more are open";
  return text;
}

}  // namespace shoal::internal
