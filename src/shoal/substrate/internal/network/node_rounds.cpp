#include "shoal/substrate/internal/network/node_rounds.hpp"

#include <algorithm>
#include <cstring>

namespace shoal::internal::network {
namespace {

std::vector<int> leaders_of(const node_map& nodes) {
  std::vector<int> leaders;
  for (const std::vector<int>& members : nodes.members) leaders.push_back(members.front());
  return leaders;
}

}  // namespace

node_rounds::node_rounds(guarded_wire& wire, const node_map& nodes, local::local_substrate& inside,
                         std::byte* published)
    : nodes_(nodes), inside_(inside), published_(published) {
  if (nodes.is_leader()) leaders_.emplace(wire, leaders_of(nodes), nodes.my_node, block_bytes_max(nodes));
}

std::size_t node_rounds::memory_bytes(std::size_t n_pes) noexcept {
  return 2 * (sizeof(published_round) + n_pes * round_bytes_max);
}

std::size_t node_rounds::block_bytes_max(const node_map& nodes) noexcept {
  std::size_t largest = 0;
  for (const std::vector<int>& members : nodes.members) largest = std::max(largest, members.size());
  return largest * round_bytes_max;
}

void node_rounds::arrive(std::span<const std::byte> contribution, combine_function combine) noexcept {
  ++round_;
  is_open_ = true;
  contribution_bytes_ = contribution.size();
  combine_ = combine;
  inside_.arrive(contribution, nullptr);
  if (leaders_) step_ = leader_step::gathering;
}

bool node_rounds::is_complete() noexcept {
  const bool is_gathered = inside_.is_round_complete();
  if (leaders_) lead(is_gathered);
  // acquire: pairs with the leader's release of the published round.
  is_open_ = published().number.load(std::memory_order_acquire) != round_;
  // Makes this PE see the end of the node's round, too, so that `inside_` no longer counts it as news.
  if (!is_open_) inside_.is_round_complete();
  return !is_open_;
}

void node_rounds::lead(bool is_gathered) noexcept {
  if (step_ == leader_step::gathering && is_gathered) {
    leaders_->start(gather());
    step_ = leader_step::exchanging;
  }
  if (step_ == leader_step::exchanging && leaders_->is_complete()) {
    copy_blocks();
    publish();
    step_ = leader_step::idle;
  }
}

std::span<const std::byte> node_rounds::gather() noexcept {
  const std::size_t n = nodes_.my_members().size();
  block_.resize(n * contribution_bytes_);
  for (std::size_t i = 0; i < n && contribution_bytes_ != 0; ++i) {
    std::memcpy(block_.data() + i * contribution_bytes_, inside_.round_contribution(static_cast<pe_id>(i)),
                contribution_bytes_);
  }
  return block_;
}

void node_rounds::copy_blocks() noexcept {
  for (std::size_t node = 0; node < nodes_.members.size(); ++node) {
    const std::span<const std::byte> block = leaders_->block(node);
    const std::vector<int>& members = nodes_.members[node];
    // Contributions to a round have equal length, except by mistake; then the layer above finds that by their heads.
    const std::size_t bytes = std::min(block.size() / members.size(), round_bytes_max);
    for (std::size_t i = 0; i < members.size() && bytes != 0; ++i) {
      std::memcpy(place(members[i]), block.data() + i * bytes, bytes);
    }
  }
}

void node_rounds::publish() noexcept {
  published_round& out = published();
  if (combine_ != nullptr) {
    std::memcpy(out.result, place(0), contribution_bytes_);
    const auto n_pes = static_cast<pe_id>(nodes_.node_of.size());
    for (pe_id pe = 1; pe < n_pes; ++pe) combine_(out.result, place(pe), contribution_bytes_);
  }
  // seq_cst: releases the round, and precedes wake's load of who sleeps, as the sleeper's store precedes its load of
  // the number. So one of the two sees the other.
  out.number.store(round_, std::memory_order_seq_cst);
  for (std::size_t i = 1; i < nodes_.my_members().size(); ++i) inside_.wake(static_cast<pe_id>(i));
}

}  // namespace shoal::internal::network
