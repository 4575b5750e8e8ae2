/// An ordered set of PEs, and the trees over it that waves follow.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "shoal/base/types.hpp"
#include "shoal/substrate/internal/control.hpp"

namespace shoal::internal {

/// The place of a PE in a group's tree.
struct tree_place {
  pe_id parent = -1;  // -1 at the root
  std::vector<pe_id> children;  // in ascending order of positions; at most 3 for each base-4 digit of the size
};

/// All PEs, a team, or an active set. Immutable; shared by the waves of the group. A PE's place in the list is its
/// rank.
///
/// A group stores this PE's parents and children, but no table of its members. Misuse ends the job: this PE must be a
/// member exactly once.
class group {
public:
  /// PEs start, start + stride, …; all PEs are {0, 1, n}. Local. At most 2^21 PEs, unless these are all.
  static std::shared_ptr<const group> strided(const control_transport& transport, pe_id start, pe_id stride,
                                              pe_id size);

  /// The PEs of `members`, in this order, which is the same on all of them. `id` is a number on which they have agreed:
  /// at least 1, less than 2^63. Local.
  static std::shared_ptr<const group> listed(const control_transport& transport, std::uint64_t id,
                                             std::span<const pe_id> members);

  /// For `strided` and `listed`, with what they computed.
  group(std::uint64_t id, pe_id size, pe_id my_rank, tree_place by_node, tree_place by_rank)
      : id_(id), size_(size), my_rank_(my_rank), by_node_(std::move(by_node)), by_rank_(std::move(by_rank)) {}

  /// Names the group in messages: 0 for all PEs; above 2^63 for an active set.
  std::uint64_t id() const noexcept { return id_; }
  pe_id size() const noexcept { return size_; }
  pe_id my_rank() const noexcept { return my_rank_; }

  /// For folds whose order does not matter: each node sends one message up.
  const tree_place& by_node() const noexcept { return by_node_; }

  /// For folds whose order matters: depends on ranks alone.
  const tree_place& by_rank() const noexcept { return by_rank_; }

private:
  std::uint64_t id_;
  pe_id size_;
  pe_id my_rank_;
  tree_place by_node_;
  tree_place by_rank_;
};

}  // namespace shoal::internal
