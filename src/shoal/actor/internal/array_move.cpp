#include "shoal/actor/internal/array_move.hpp"

#include <cstring>
#include <utility>

#include "shoal/base/internal/contract.hpp"

namespace shoal::internal {

array_exchange::array_exchange(pe_id my_pe, std::vector<std::span<const std::byte>> out,
                               std::vector<std::span<std::byte>> in)
    : my_pe_(static_cast<std::size_t>(my_pe)), out_(std::move(out)), in_(std::move(in)) {
  SHOAL_ASSERT(out_.size() == in_.size() && out_[my_pe_].size() == in_[my_pe_].size());
  if (!out_[my_pe_].empty()) std::memcpy(in_[my_pe_].data(), out_[my_pe_].data(), out_[my_pe_].size());
  out_[my_pe_] = {};
  in_[my_pe_] = {};
  for (const std::span<const std::byte>& one : out_) n_to_send_ += one.size();
  for (const std::span<std::byte>& one : in_) n_to_take_ += one.size();
}

// A piece to each PE, beginning after this one, so that not all PEs send to the same one.
bool array_exchange::send(piece_stream& through) {
  const std::size_t n_before = n_to_send_;
  for (std::size_t k = 1; k < out_.size() && n_to_send_ != 0; ++k) {
    const std::size_t pe = (my_pe_ + k) % out_.size();
    if (out_[pe].empty()) continue;
    const std::size_t n = through.send(piece_kind::first, out_[pe], static_cast<pe_id>(pe));
    out_[pe] = out_[pe].subspan(n);
    n_to_send_ -= n;
  }
  return n_to_send_ != n_before;
}

bool array_exchange::take(const piece& arrived) {
  std::span<std::byte>& place = in_[static_cast<std::size_t>(arrived.from)];
  if (arrived.kind != piece_kind::first || arrived.bytes.size() > place.size()) return false;
  std::memcpy(place.data(), arrived.bytes.data(), arrived.bytes.size());
  place = place.subspan(arrived.bytes.size());
  n_to_take_ -= arrived.bytes.size();
  return true;
}

}  // namespace shoal::internal
