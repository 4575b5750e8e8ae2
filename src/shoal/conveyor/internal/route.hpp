/// Routes of one, two and three hops (vector, matrix, tensor), as one PE sees them.
///
/// With one hop every PE is a neighbour, which takes buffers for n PEs. With more hops, intermediate PEs sort items
/// further. A PE then has about sqrt(n) or cbrt(n) neighbours, most of them on its own node (Maley and DeVinney 2019,
/// section 3.2). Two hops address a PE as (x, y), position y on node x. Three hops group the nodes: node = (x, y), and
/// z is the position on the node.
///
///     two     (x, y)    -> (x, y')     -> (x', y')                 local, remote
///     three   (x, y, z) -> (x, y, y')  -> (x', y', y) -> (x', y', z')    local, remote, local
///
/// Nodes of unequal size use the same routes: a position that a node does not have is replaced by its remainder, so one
/// PE stands in for several. A pair of PEs has one path, which preserves the order between them.
///
/// At each hop an item carries what its receiver cannot know from the link: a tag of 0, 1, 2 or 4 bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "shoal/base/types.hpp"
#include "shoal/conveyor/internal/hop_tags.hpp"
#include "shoal/conveyor/internal/node_layout.hpp"
#include "shoal/conveyor/internal/route_tables.hpp"

namespace shoal::internal {

/// One hop of a route: the neighbours of this PE.
struct hop_links {
  std::vector<pe_id> neighbours;  // by link; ascending
  std::size_t n_senders = 0;  // PEs that have this PE as a neighbour
  std::uint32_t tag_bytes = 0;  // of each item on this hop
};

class route {
public:
  /// The route of PE `my_pe` with `n_hops` hops, 1 to 3. Local; equal on all PEs. `tables` outlives this object.
  route(route_tables& tables, pe_id my_pe, int n_hops);

  int n_hops() const noexcept { return static_cast<int>(hops_.size()); }
  const hop_links& hop(int h) const noexcept { return hops_[static_cast<std::size_t>(h)]; }

  /// Where this PE first sends an item for `target`.
  next_hop first(pe_id target) const noexcept { return first_.by_target[static_cast<std::size_t>(target)]; }
  /// The same by target, for as long as the route lives.
  const next_hop* by_target() const noexcept { return first_.by_target.data(); }

  /// Calls `use` with a function of the tag alone: `onward` for one sender. What is the same for all items of a buffer
  /// is computed once.
  template <class Use>
  decltype(auto) with_onward(int h, pe_id sender, Use use) const {
    const auto local = static_cast<std::uint32_t>(nodes_.local_of(sender));
    if (n_hops() == 2) return use([=](std::uint32_t tag) { return next_hop{tag, local}; });
    const auto largest = static_cast<std::uint32_t>(nodes_.largest_node());
    if (h == 0) {
      return use([passing = second_->passing.data(), by = largest * local](std::uint32_t tag) {
        return next_hop{passing[tag].link, passing[tag].tag + by};
      });
    }
    return use([origins = nodes_.pes_of(nodes_.node_of(sender)), largest](std::uint32_t tag) {
      return next_hop{tag % largest, origins[tag / largest]};
    });
  }

  /// Where an item goes next that arrived with `tag` from PE `sender` on hop `h`, which is not the last. `tag` is one
  /// that this sender may give.
  next_hop onward(int h, pe_id sender, std::uint32_t tag) const noexcept {
    return with_onward(h, sender, [&](const auto& next) { return next(tag); });
  }

  /// With three hops: a tag of the second one, modulo this number, tells the targets of a link apart.
  std::uint32_t n_targets_of_second() const noexcept { return static_cast<std::uint32_t>(nodes_.largest_node()); }

  /// For items that arrived on the last hop from PE `sender`.
  tag_origins origins_by(pe_id sender) const noexcept {
    return {sender, n_hops() == 2 ? nodes_.pes_of(nodes_.node_of(sender)) : nullptr, n_hops() == 3};
  }

  /// The PE that sent an item which arrived with `tag` from PE `sender` on the last hop.
  pe_id origin(pe_id sender, std::uint32_t tag) const noexcept { return origins_by(sender)(tag); }

private:
  // Targets of the items that pass this PE after the first hop.
  const std::vector<pe_id>& passing() const noexcept {
    return first_.passing[static_cast<std::size_t>(nodes_.local_of(my_pe_))];
  }
  void plan_one();
  void plan_first_of_many();
  void plan_two();
  void plan_three(route_tables& tables);

  const node_layout& nodes_;
  pe_id my_pe_;
  std::size_t my_node_;
  const first_hops& first_;
  std::vector<hop_links> hops_;
  std::vector<std::uint32_t> n_tags_;  // by hop
  const second_hops* second_ = nullptr;  // with three hops
};

/// Memory that a mailbox or conveyor with `n_links` links in all its hops needs at construction if each link is to have
/// `n_slots` buffers.
std::size_t reserved_bytes(std::size_t n_links, std::size_t n_slots, std::size_t slot_bytes, pe_id n_pes, int n_hops);

}  // namespace shoal::internal
