#include "shoal/conveyor/internal/monster.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <utility>

namespace shoal::internal {

std::span<const std::byte> monster_block::bytes() const noexcept { return {data(), bytes_}; }

monster_assembly::monster_assembly() : arriving_(std::make_unique<std::vector<arriving>>()) {}

monster_assembly::~monster_assembly() = default;

monster_assembly::outcome monster_assembly::take(const record& fragment, pe_id from, monster_block& whole) {
  const bool is_first =
      fragment.kind == record_kind::first_fragment || fragment.kind == record_kind::first_fragment_by_handler;
  const bool is_by_handler =
      fragment.kind == record_kind::fragment_by_handler || fragment.kind == record_kind::first_fragment_by_handler;
  std::span<const std::byte> bytes = fragment.bytes;
  auto found = std::ranges::find_if(
      *arriving_, [&](const arriving& each) { return each.from == from && each.is_by_handler == is_by_handler; });
  if (is_first == (found != arriving_->end())) return outcome::contradiction;
  if (is_first) {
    std::uint64_t total = 0;
    if (bytes.size() < sizeof total) return outcome::contradiction;
    std::memcpy(&total, bytes.data(), sizeof total);
    bytes = bytes.subspan(sizeof total);
    bytes_wanted_ = total;
    try {
      arriving_->push_back({.from = from, .is_by_handler = is_by_handler, .whole = monster_block(total)});
      found = arriving_->end() - 1;
    } catch (const std::bad_alloc&) {
      return outcome::no_memory;
    }
    bytes_ += total;
  }
  arriving& in = *found;
  if (bytes.size() > in.whole.size() - in.n_arrived) return outcome::contradiction;
  if (!bytes.empty()) std::memcpy(in.whole.data() + in.n_arrived, bytes.data(), bytes.size());
  in.n_arrived += bytes.size();
  if (in.n_arrived < in.whole.size()) return outcome::incomplete;
  bytes_ -= in.whole.size();
  whole = std::move(in.whole);
  if (found != arriving_->end() - 1) *found = std::move(arriving_->back());
  arriving_->pop_back();
  return outcome::complete;
}

std::size_t whole_record_bytes_max(std::size_t payload_bytes, std::uint32_t align) noexcept {
  // Hops have tags of up to 4 bytes: what fits into a buffer with such tags fits on every hop.
  constexpr std::size_t tag_bytes_most = 4;
  const std::size_t overhead = std::max<std::size_t>(align, sizeof(run_header)) + tag_bytes_most;
  return payload_bytes - std::min(payload_bytes, overhead);
}

}  // namespace shoal::internal
