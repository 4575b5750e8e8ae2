#include "shoal/substrate/internal/network/leader_rounds.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "shoal/base/internal/ambient.hpp"
#include "shoal/base/internal/contract.hpp"

namespace shoal::internal::network {
namespace {

using block_header = std::uint64_t;  // size of the block after it

constexpr std::size_t padded(std::size_t bytes) { return (bytes + sizeof(block_header) - 1) / 8 * 8; }
static_assert(sizeof(block_header) == 8);

constexpr std::size_t with_header(std::size_t bytes) { return sizeof(block_header) + padded(bytes); }

}  // namespace

leader_rounds::leader_rounds(guarded_wire& between, std::vector<int> leaders, std::size_t my_node,
                             std::size_t block_bytes_max)
    : wire_(between), leaders_(std::move(leaders)), my_node_(my_node), n_steps_(n_steps(leaders_.size())) {
  // Incoming data are written after what is held, and a message may be as long as an exchange.
  held_.resize(n_nodes() * with_header(block_bytes_max) + exchange_bytes(n_nodes(), block_bytes_max));
  offsets_.reserve(n_nodes() + 1);
}

int leader_rounds::n_steps(std::size_t n_nodes) noexcept { return static_cast<int>(std::bit_width(n_nodes - 1)); }

std::size_t leader_rounds::exchange_bytes(std::size_t n_nodes, std::size_t block_bytes_max) noexcept {
  return n_nodes == 1 ? 0 : with_header(block_bytes_max) << (n_steps(n_nodes) - 1);
}

void leader_rounds::start(std::span<const std::byte> block) {
  const block_header bytes = block.size();
  std::memcpy(held_.data(), &bytes, sizeof bytes);
  std::memcpy(held_.data() + sizeof bytes, block.data(), block.size());
  offsets_.assign({0, with_header(block.size())});
  step_ = 0;
  ++round_;
  exchange_next();
}

bool leader_rounds::is_complete() {
  while (is_exchanging_) {
    std::size_t n_received = 0;
    if (!wire_.call([&](wire& w) { return w.is_exchange_done(n_received); })) return false;
    take_in(n_received);
    ++step_;
    exchange_next();
  }
  return true;
}

void leader_rounds::exchange_next() {
  is_exchanging_ = step_ < n_steps_;
  if (!is_exchanging_) return;
  const std::size_t distance = std::size_t{1} << step_;
  const std::size_t n_blocks = std::min(distance, n_nodes() - distance);
  const std::size_t to = (my_node_ + n_nodes() - distance) % n_nodes();
  const std::size_t from = (my_node_ + distance) % n_nodes();
  wire_.call([&](wire& w) {
    w.start_exchange(step_, static_cast<int>(round_ & 1), {held_.data(), offsets_[n_blocks]}, leaders_[to],
                     held_.data() + offsets_.back(), leaders_[from]);
  });
}

void leader_rounds::take_in(std::size_t n_bytes) {
  const std::size_t end = offsets_.back() + n_bytes;
  while (offsets_.back() < end && offsets_.size() <= n_nodes()) {
    block_header bytes = 0;
    std::memcpy(&bytes, held_.data() + offsets_.back(), sizeof bytes);
    if (bytes > end - offsets_.back()) break;
    offsets_.push_back(offsets_.back() + with_header(bytes));
  }
  if (offsets_.back() != end) {
    end_job(status_failure, "a round's message from rank " +
                                std::to_string(leaders_[(my_node_ + (std::size_t{1} << step_)) % n_nodes()]) +
                                " is damaged");
  }
}

std::span<const std::byte> leader_rounds::block(std::size_t node) const noexcept {
  const std::size_t offset = offsets_[(node + n_nodes() - my_node_) % n_nodes()];
  block_header bytes = 0;
  std::memcpy(&bytes, held_.data() + offset, sizeof bytes);
  return {held_.data() + offset + sizeof bytes, bytes};
}

}  // namespace shoal::internal::network
