#include "shoal/control/internal/group.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "shoal/base/internal/ambient.hpp"
#include "shoal/control/internal/tree.hpp"

namespace shoal::internal {
namespace {

constexpr int active_set_bits = 21;  // for each of start, stride and size in the id
constexpr std::uint64_t active_set_mark = std::uint64_t{1} << 63;

[[noreturn]] void refuse(const std::string& why) { end_job(status_usage, "cannot make a group of PEs: " + why); }

// Encodes a strided list of PEs as an id.
std::uint64_t active_set_id(pe_id start, pe_id stride, pe_id size) {
  if (size == 1) stride = 1;
  for (const pe_id part : {start, stride, size}) {
    if (part >> active_set_bits != 0) {
      refuse("start, stride and size of an active set are less than 2097152; make a team of it instead");
    }
  }
  const auto bits = [](pe_id part) { return static_cast<std::uint64_t>(part); };
  return active_set_mark | bits(start) << (2 * active_set_bits) | bits(stride) << active_set_bits | bits(size);
}

// `pe_at` returns the PE of a rank.
template <class PeAt>
tree_place place_by_rank(std::uint64_t rank, std::uint64_t size, PeAt pe_at) {
  tree_place place;
  if (rank > 0) place.parent = pe_at(tree_parent(rank));
  for_each_tree_child(rank, size, [&](std::uint64_t child) { place.children.push_back(pe_at(child)); });
  place.children.shrink_to_fit();
  return place;
}

template <class PeAt>
tree_place place_by_node(std::span<const std::uint32_t> node_of_pes, std::uint64_t my_rank, std::uint64_t size,
                         PeAt pe_at) {
  std::vector<std::uint32_t> nodes(size);
  for (std::uint64_t rank = 0; rank < size; ++rank) nodes[rank] = node_of_pes[static_cast<std::size_t>(pe_at(rank))];
  const std::vector<std::uint64_t> positions = tree_positions_by_node(nodes);
  const std::uint64_t mine = positions[my_rank];

  tree_place place;
  std::vector<std::pair<std::uint64_t, pe_id>> children;  // with their positions
  for (std::uint64_t rank = 0; rank < size; ++rank) {
    const std::uint64_t other = positions[rank];
    if (mine != 0 && other == tree_parent(mine)) place.parent = pe_at(rank);
    if (other != 0 && tree_parent(other) == mine) children.emplace_back(other, pe_at(rank));
  }
  std::sort(children.begin(), children.end());
  place.children.reserve(children.size());
  for (const auto& [position, pe] : children) place.children.push_back(pe);
  return place;
}

template <class PeAt>
std::shared_ptr<const group> make(const control_transport& transport, std::uint64_t id, pe_id size, pe_id my_rank,
                                  PeAt pe_at) {
  const auto rank = static_cast<std::uint64_t>(my_rank);
  const auto n = static_cast<std::uint64_t>(size);
  tree_place by_rank = place_by_rank(rank, n, pe_at);
  // On one node, positions are ranks.
  tree_place by_node = transport.nodes().empty() ? by_rank : place_by_node(transport.nodes(), rank, n, pe_at);
  return std::make_shared<const group>(id, size, my_rank, std::move(by_node), std::move(by_rank));
}

}  // namespace

std::shared_ptr<const group> group::strided(const control_transport& transport, pe_id start, pe_id stride, pe_id size) {
  const pe_id n_pes = transport.n_pes();
  if (start < 0 || stride < 1 || size < 1 || start >= n_pes || (n_pes - 1 - start) / stride < size - 1) {
    refuse("start " + std::to_string(start) + ", stride " + std::to_string(stride) + " and size " +
           std::to_string(size) + " leave the PEs 0 to " + std::to_string(n_pes - 1));
  }
  const pe_id distance = transport.my_pe() - start;
  if (distance < 0 || distance % stride != 0 || distance / stride >= size) {
    refuse("PE " + std::to_string(transport.my_pe()) + " is not a member of start " + std::to_string(start) +
           ", stride " + std::to_string(stride) + ", size " + std::to_string(size));
  }
  const std::uint64_t id = size == n_pes ? 0 : active_set_id(start, stride, size);
  return make(transport, id, size, distance / stride,
              [=](std::uint64_t rank) { return start + static_cast<pe_id>(rank) * stride; });
}

std::shared_ptr<const group> group::listed(const control_transport& transport, std::uint64_t id,
                                           std::span<const pe_id> members) {
  if (id == 0 || id >= active_set_mark) refuse("a list's number is at least 1 and less than 2^63");
  const pe_id n_pes = transport.n_pes();
  const auto stranger = std::find_if(members.begin(), members.end(), [=](pe_id pe) { return pe < 0 || pe >= n_pes; });
  if (stranger != members.end()) {
    refuse("there is no PE " + std::to_string(*stranger) + "; the last is PE " + std::to_string(n_pes - 1));
  }
  // Each member checks itself, so together they find every PE that is listed twice.
  if (std::count(members.begin(), members.end(), transport.my_pe()) != 1) {
    refuse("PE " + std::to_string(transport.my_pe()) + " must be in the list once");
  }
  const auto mine = std::find(members.begin(), members.end(), transport.my_pe());
  return make(transport, id, static_cast<pe_id>(members.size()), mine - members.begin(),
              [=](std::uint64_t rank) { return members[rank]; });
}

}  // namespace shoal::internal
