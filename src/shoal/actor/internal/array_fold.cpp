#include "shoal/actor/internal/array_fold.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "shoal/base/internal/contract.hpp"

namespace shoal::internal {
namespace {

std::size_t n_elements_of_block(const array_fold_options& o, std::size_t n_windows_kept, std::size_t n_elements) {
  const auto n_pes = static_cast<std::size_t>(o.n_pes);
  const std::size_t bytes = std::min(o.block_bytes, o.memory_bytes / (n_windows_kept * n_pes));
  // Short arrays need no more than one window.
  return std::max<std::size_t>(1, std::min(bytes / o.element_bytes, (n_elements + n_pes - 1) / n_pes));
}

}  // namespace

array_fold::array_fold(const array_fold_options& options, fold_function fold, std::span<const std::byte> mine,
                       std::span<std::byte> into)
    : my_pe_(static_cast<std::size_t>(options.my_pe)),
      n_pes_(static_cast<std::size_t>(options.n_pes)),
      element_bytes_(options.element_bytes),
      result_(options.result),
      fold_(fold),
      mine_(mine),
      into_(into),
      flows_(n_pes_) {
  SHOAL_ASSERT(mine.size() == into.size() && mine.size() % element_bytes_ == 0);
  const std::size_t n_elements = mine.size() / element_bytes_;
  const std::size_t n_of_block = n_elements_of_block(options, n_windows_kept, n_elements);
  n_elements_of_window_ = n_of_block * n_pes_;
  n_windows_ = (n_elements + n_elements_of_window_ - 1) / n_elements_of_window_;
  block_bytes_ = n_of_block * element_bytes_;
  rows_.reset(new std::byte[n_windows_kept * n_pes_ * block_bytes_]);
  totals_.reset(new std::byte[n_windows_kept * block_bytes_]);
  std::size_t n_mine = 0;  // bytes of my blocks
  for (std::size_t w = 0; w < n_windows_; ++w) n_mine += my_block_bytes(w);
  for (std::size_t w = 0; w < std::min(n_windows_, n_windows_kept); ++w) expect(w);
  // Contributions go to all owners, results to all peers; own ones do not travel.
  n_to_send_ = n_to_take_ = mine.size() + n_pes_ * n_mine;
}

// Blocks of the last window may be shorter, or empty, and differ by at most one element.
array_fold::block array_fold::block_of(std::size_t window, std::size_t owner) const noexcept {
  const std::size_t first = window * n_elements_of_window_;
  const std::size_t n = std::min(n_elements_of_window_, mine_.size() / element_bytes_ - first);
  const std::size_t begin = n / n_pes_ * owner + std::min(owner, n % n_pes_);
  const std::size_t end = begin + n / n_pes_ + (owner < n % n_pes_ ? 1 : 0);
  return {(first + begin) * element_bytes_, (end - begin) * element_bytes_};
}

const std::byte* array_fold::result_for(std::size_t window, std::size_t pe) const noexcept {
  return result_ == fold_result::total ? totals_.get() + (window % n_windows_kept) * block_bytes_ : row(window, pe);
}

void array_fold::expect(std::size_t window) noexcept {
  n_missing_[window % n_windows_kept] = n_pes_ * my_block_bytes(window);
}

bool array_fold::send(piece_stream& through) {
  bool has_sent = false;
  // Beginning after this PE, so that not all send to the same one.
  for (std::size_t k = 1; k <= n_pes_; ++k) {
    const std::size_t pe = (my_pe_ + k) % n_pes_;
    has_sent |= give_back(through, pe);
    has_sent |= contribute(through, pe);
  }
  return fold_next() || has_sent;
}

bool array_fold::contribute(piece_stream& through, std::size_t owner) {
  position& at = flows_[owner].to_owner;
  const std::size_t n_before = n_to_send_;
  while (at.window < n_windows_ && at.window < flows_[owner].from_owner.window + n_windows_kept) {
    const block its = block_of(at.window, owner);
    const std::span<const std::byte> rest = mine_.subspan(its.offset + at.offset, its.bytes - at.offset);
    std::size_t n = rest.size();
    if (n != 0) {
      if (owner != my_pe_) {
        n = through.send(piece_kind::first, rest, static_cast<pe_id>(owner));
      } else {
        std::memcpy(row(at.window, my_pe_), rest.data(), n);
        n_missing_[at.window % n_windows_kept] -= n;
        n_to_take_ -= n;
      }
      if (n == 0) break;
      n_to_send_ -= n;
    }
    at.offset += n;
    if (at.offset == its.bytes) at = {at.window + 1, 0};
  }
  return n_to_send_ != n_before;
}

bool array_fold::give_back(piece_stream& through, std::size_t peer) {
  position& at = flows_[peer].to_peer;
  const std::size_t n_before = n_to_send_;
  while (at.window < n_folded_) {
    const block its = block_of(at.window, my_pe_);
    const std::span rest(result_for(at.window, peer) + at.offset, its.bytes - at.offset);
    std::size_t n = rest.size();
    if (n != 0) {
      if (peer != my_pe_) {
        n = through.send(piece_kind::second, rest, static_cast<pe_id>(peer));
      } else {
        std::memcpy(into_.data() + its.offset, rest.data(), n);
        n_to_take_ -= n;
      }
      if (n == 0) break;
      n_to_send_ -= n;
    }
    at.offset += n;
    if (at.offset < its.bytes) continue;
    at = {at.window + 1, 0};
    if (peer == my_pe_) flows_[my_pe_].from_owner = at;
  }
  return n_to_send_ != n_before;
}

bool array_fold::fold_next() {
  if (n_folded_ == n_windows_ || n_missing_[n_folded_ % n_windows_kept] != 0) return false;
  fold_rows(n_folded_, my_block_bytes(n_folded_) / element_bytes_);
  // Contributions to the window that takes this one's room come only after results of this one have left.
  if (n_folded_ + n_windows_kept < n_windows_) expect(n_folded_ + n_windows_kept);
  ++n_folded_;
  return true;
}

void array_fold::fold_rows(std::size_t window, std::size_t n) {
  const std::size_t bytes = n * element_bytes_;
  if (bytes == 0) return;
  if (result_ == fold_result::total) {
    std::byte* const total = totals_.get() + (window % n_windows_kept) * block_bytes_;
    std::memcpy(total, row(window, 0), bytes);
    for (std::size_t pe = 1; pe < n_pes_; ++pe) fold_(total, row(window, pe), n);
    return;
  }
  // Each row becomes the result for its PE.
  std::byte* until_now = totals_.get();
  std::byte* with_next = until_now + block_bytes_;
  std::memcpy(until_now, row(window, 0), bytes);
  for (std::size_t pe = 1; pe < n_pes_; ++pe) {
    std::memcpy(with_next, until_now, bytes);
    fold_(with_next, row(window, pe), n);
    std::memcpy(row(window, pe), result_ == fold_result::inclusive ? with_next : until_now, bytes);
    std::swap(until_now, with_next);
  }
}

bool array_fold::take(const piece& arrived) {
  flows& its = flows_[static_cast<std::size_t>(arrived.from)];
  const bool is_result = arrived.kind == piece_kind::second;
  position& at = is_result ? its.from_owner : its.from_peer;
  if (at.window >= n_windows_) return false;
  const block to = block_of(at.window, is_result ? static_cast<std::size_t>(arrived.from) : my_pe_);
  if (arrived.bytes.size() > to.bytes - at.offset) return false;
  if (is_result) {
    std::memcpy(into_.data() + to.offset + at.offset, arrived.bytes.data(), arrived.bytes.size());
  } else {
    if (at.window >= n_folded_ + n_windows_kept) return false;
    std::byte* const place = row(at.window, static_cast<std::size_t>(arrived.from));
    std::memcpy(place + at.offset, arrived.bytes.data(), arrived.bytes.size());
    n_missing_[at.window % n_windows_kept] -= arrived.bytes.size();
  }
  n_to_take_ -= arrived.bytes.size();
  at.offset += arrived.bytes.size();
  if (at.offset == to.bytes) at = {at.window + 1, 0};
  return true;
}

}  // namespace shoal::internal
