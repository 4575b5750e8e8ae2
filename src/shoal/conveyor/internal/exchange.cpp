#include "shoal/conveyor/internal/exchange.hpp"

#include <algorithm>
#include <string>

#include "shoal/base/internal/ambient.hpp"
#include "shoal/base/internal/contract.hpp"
#include "shoal/base/setup_error.hpp"
#include "shoal/conveyor/internal/stall_watch.hpp"
#include "shoal/conveyor/internal/stream_hop.hpp"
#include "shoal/substrate/substrate_kind.hpp"

namespace shoal::internal {
namespace {

// Of the members of a team, in their order.
std::unique_ptr<route_tables> tables_of_team(const team_members& members, const node_layout& of_job) {
  std::vector<std::uint32_t> nodes;
  std::vector<std::uint32_t> numbers(of_job.n_nodes(), UINT32_MAX);  // in the order of their first members
  std::uint32_t n_nodes = 0;
  for (const pe_id pe : members.pes) {
    std::uint32_t& number = numbers[of_job.node_of(pe)];
    if (number == UINT32_MAX) number = n_nodes++;
    nodes.push_back(number);
  }
  return std::make_unique<route_tables>(node_layout(std::span<const std::uint32_t>(nodes)));
}

}  // namespace

exchange::exchange(substrate& backend, const exchange_options& options)
    : own_parts_(std::make_unique<exchange_parts>(backend, options)),
      parts_(*own_parts_),
      options_(options),
      my_pe_(backend.my_pe()),
      n_pes_(backend.n_pes()),
      tables_(*parts_.tables),
      rounds_(&backend) {
  parts_.exchanges.push_back(this);
}

exchange::exchange(exchange& job, team_members members)
    : parts_(job.parts_),
      options_(job.options_),
      team_(std::move(members)),
      my_pe_(team_.my_pe),
      n_pes_(static_cast<pe_id>(team_.pes.size())),
      own_tables_(tables_of_team(team_, parts_.nodes)),
      tables_(*own_tables_),
      members_(group::listed(parts_.backend, team_.number, team_.pes)),
      own_rounds_(std::make_unique<team_rounds>(parts_.plane(), members_)),
      rounds_(own_rounds_.get()),
      first_serial_(first_hop_of_team(team_.number)),
      next_serial_(first_serial_) {
  parts_.serve_waves();
  parts_.exchanges.push_back(this);
}

exchange::~exchange() {
  while (!hops_.empty()) hops_.back()->leave();
  std::erase(parts_.exchanges, this);
  if (own_rounds_ != nullptr && own_rounds_->is_under_way()) parts_.keep_broken(own_rounds_->give_up());
}

std::string exchange::name() const {
  if (!is_team()) return {};
  constexpr std::size_t n_told = 8;
  std::string text = "team " + std::to_string(team_.number) + " (PE";
  if (n_pes_ > 1) text += "s";
  for (std::size_t i = 0; i < std::min(team_.pes.size(), n_told); ++i) {
    text += (i == 0 ? " " : ", ") + std::to_string(team_.pes[i]);
  }
  return text + (team_.pes.size() > n_told ? ", …)" : ")");
}

const std::shared_ptr<const group>& exchange::members() {
  if (members_ == nullptr) members_ = group::strided(parts_.backend, 0, 1, n_pes_);
  return members_;
}

void exchange::progress_or_idle(unsigned& patience, bool may_go_on) {
  const bool has_moved = progress();
  if (parts_.spare.run() || has_moved || flush()) {
    patience = 0;
  } else if (may_go_on) {
    note_idle_call(patience, true);
  } else {
    idle(patience);
  }
}

void exchange::note_idle_call(unsigned& n_idle_calls, bool waits) {
  parts_.spare.settle();  // a loop of the program is a wait, in which others may need this PE
  parts_.arriving.note_idle_call(n_idle_calls);
  if (!waits) return;
  backend().answer_question();
  backend().pause(n_idle_calls);
}

const route& exchange::route_of(int n_hops) {
  const int n = n_hops == 0 ? options_.n_hops : n_hops;
  if (n < 1 || n > n_hops_max) {
    end_job(status_usage, "a conveyor of " + std::to_string(n) + " hops: n_hops may be 1 to " +
                              std::to_string(n_hops_max) + ", or 0 for as many as the settings say");
  }
  std::unique_ptr<const route>& made = routes_[n - 1];
  if (made == nullptr) made = std::make_unique<route>(tables_, my_pe(), n);
  return *made;
}

void exchange::begin_numbers(std::uint64_t first) noexcept {
  SHOAL_ASSERT(hops_.empty() && n_constructed() == 0 && !is_team());
  first_serial_ = next_serial_ = first;
  parts_.next_team = team_of_hop(first) + 1;
  parts_.arriving.drop_below(first);
}

std::uint64_t exchange::enlist(stream_hop& hop) {
  if (!parts_.slots.can_open()) {
    throw setup_error(
        "no buffer slot left to reserve for mailbox " + std::to_string(parts_.slots.n_accounts() + 1) +
        " (this PE has " + std::to_string(backend().n_slots()) + "); raise SHOAL_SLOTS or SHOAL_MEMORY, " +
        (n_streams() == parts_.slots.n_accounts() ? "" : "take fewer hops (SHOAL_HOPS), as each reserves one, ") +
        "or close mailboxes no longer used");
  }
  hops_.push_back(&hop);
  return next_serial_++;
}

void exchange::delist(stream_hop& hop) noexcept {
  std::erase(hops_, &hop);
  for (const exchange* each : parts_.exchanges) {
    for (stream_hop* other : each->hops_) other->in().vertex().drop_edge(hop.vertex());
  }
}

std::size_t exchange::n_streams_of_group() const noexcept {
  return static_cast<std::size_t>(
      std::ranges::count_if(hops_, [](const stream_hop* hop) { return hop->vertex().may_overrun(); }));
}

}  // namespace shoal::internal
