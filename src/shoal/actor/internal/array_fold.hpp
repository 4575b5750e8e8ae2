/// Reductions and scans of arrays over PEs: folds elements in ascending order of PEs, with bounded memory.
///
/// The arrays are cut into windows, and each window into a block for each PE, its *owner*. Every PE sends its
/// contribution to a block to the owner. Once the owner has all, it folds them from PE 0 on, and sends the results back.
/// This is a reduce-scatter and an all-gather, as Rabenseifner's algorithm has them (Thakur, Rabenseifner and Gropp,
/// "Optimization of collective communication operations in MPICH", 2005), but sent directly, and window by window.
///
/// An owner has room for `n_windows_kept` windows. A PE sends its contribution to window w only when it has the owner's
/// results of window w - n_windows_kept, so the room is free. docs/design/collectives-of-arrays.md has the proof.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "shoal/actor/array_collectives.hpp"
#include "shoal/actor/internal/array_move.hpp"
#include "shoal/base/internal/owner.hpp"
#include "shoal/base/types.hpp"

namespace shoal::internal {

struct array_fold_options {
  pe_id my_pe = 0;
  pe_id n_pes = 1;
  std::size_t element_bytes = 1;
  std::size_t block_bytes = 0;  // of a window for one PE, if that holds an element
  std::size_t memory_bytes = 0;  // for windows, if it suffices for one element of each PE
  fold_result result = fold_result::total;
};

class array_fold final : public array_move {
public:
  /// `mine` and `into` have the same size on all PEs. They are the same memory or do not overlap.
  array_fold(const array_fold_options& options, fold_function fold, std::span<const std::byte> mine,
             std::span<std::byte> into);

  bool send(piece_stream& through) override;
  bool has_sent_all() const noexcept override { return n_to_send_ == 0; }
  bool take(const piece& arrived) override;
  bool has_taken_all() const noexcept override { return n_to_take_ == 0; }

private:
  static constexpr std::size_t n_windows_kept = 2;

  // A position in what flows between two PEs: the blocks of one owner, window by window.
  struct position {
    std::size_t window = 0;
    std::size_t offset = 0;  // bytes of its block that have been sent or received
  };
  // What flows to and from another PE.
  struct flows {
    position to_owner;  // contributions to the other's blocks
    position from_peer;  // its contributions to blocks of this PE
    position to_peer;  // results of blocks of this PE
    position from_owner;  // results of its blocks
  };
  struct block {
    std::size_t offset = 0;  // bytes, in the array
    std::size_t bytes = 0;
  };

  block block_of(std::size_t window, std::size_t owner) const noexcept;
  std::size_t my_block_bytes(std::size_t window) const noexcept { return block_of(window, my_pe_).bytes; }
  std::byte* row(std::size_t window, std::size_t pe) const noexcept {
    return rows_.get() + ((window % n_windows_kept) * n_pes_ + pe) * block_bytes_;
  }
  const std::byte* result_for(std::size_t window, std::size_t pe) const noexcept;
  void expect(std::size_t window) noexcept;
  bool contribute(piece_stream& through, std::size_t owner);
  bool give_back(piece_stream& through, std::size_t peer);
  bool fold_next();
  void fold_rows(std::size_t window, std::size_t n);

  const std::size_t my_pe_;
  const std::size_t n_pes_;
  const std::size_t element_bytes_;
  const fold_result result_;
  const fold_function fold_;
  const std::span<const std::byte> mine_;
  const std::span<std::byte> into_;
  std::size_t n_elements_of_window_ = 0;  // but the last
  std::size_t n_windows_ = 0;
  std::size_t block_bytes_ = 0;  // largest
  std::vector<flows> flows_;  // by PE
  array_owner<std::byte> rows_;  // contributions to my blocks, of the windows kept, by PE
  array_owner<std::byte> totals_;  // their folds; of scans: room for two rows
  std::size_t n_missing_[n_windows_kept] = {};  // bytes of contributions to my block, of the windows kept
  std::size_t n_folded_ = 0;  // windows
  std::size_t n_to_send_ = 0;  // bytes
  std::size_t n_to_take_ = 0;
};

}  // namespace shoal::internal
