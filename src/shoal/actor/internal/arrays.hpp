/// Collective calls of arrays on a PE: short ones in a round, long ones over a stream of pieces.
///
/// Each call opens with a round. It compares the calls and lengths of all PEs, and carries the values if they fit. It
/// also tells every PE that all others have left the last such call, so nobody gets pieces of a call that it has not
/// made. See docs/design/collectives-of-arrays.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <source_location>
#include <span>
#include <vector>

#include "shoal/actor/array_collectives.hpp"
#include "shoal/actor/internal/array_fold.hpp"
#include "shoal/actor/internal/array_move.hpp"
#include "shoal/actor/internal/collectives.hpp"
#include "shoal/actor/internal/late_part.hpp"
#include "shoal/base/internal/owner.hpp"
#include "shoal/base/types.hpp"
#include "shoal/conveyor/internal/piece_stream.hpp"

namespace shoal::internal {

/// Instead of a length that PEs agree on.
inline constexpr std::uint64_t lengths_differ = UINT64_MAX;

inline std::uint64_t read_word(const std::byte* from) noexcept {
  std::uint64_t word = 0;
  std::memcpy(&word, from, sizeof word);
  return word;
}

class exchange;
class main_program;

/// All functions wait, while handlers run, and are collective. Lengths count elements.
class arrays final : public late_part {
public:
  /// `memory_bytes`: for windows of reductions and scans, if it suffices for a few elements. The others outlive this object.
  arrays(exchange& through, collectives& rounds, main_program& caller, std::size_t memory_bytes) noexcept;
  arrays(const arrays&) = delete;
  arrays& operator=(const arrays&) = delete;

  /// Folds the arrays of all PEs element by element, in ascending order of PEs.
  void fold(const array_call& call, const array_operation& op, fold_result result, std::span<const std::byte> mine,
            std::span<std::byte> into);

  /// The first half of a gather to PE `root`, or to `everybody`: the length of each PE's array; 0 where this PE gets none.
  std::vector<std::size_t> lengths_to_gather(const array_call& call, std::span<const std::byte> mine, pe_id root);
  /// The second half: `into` has room for what this PE gets, where `offsets` say.
  void gather(const array_call& call, std::span<const std::byte> mine, std::span<const std::size_t> offsets,
              std::span<std::byte> into, pe_id root);

  /// The first half of an all_to_all: the length of what comes from each PE. `out`: what goes to each.
  std::vector<std::size_t> lengths_to_come(const array_call& call, std::span<const std::span<const std::byte>> out);
  /// The second half.
  void exchange_all(const array_call& call, std::span<const std::span<const std::byte>> out,
                    std::span<const std::size_t> offsets, std::span<std::byte> into);

private:
  void fold_in_rounds(const array_call& call, const array_operation& op, fold_result result,
                      std::span<const std::byte> mine, std::span<std::byte> into);
  void fold_over_stream(const array_call& call, const array_operation& op, fold_result result,
                        std::span<const std::byte> mine, std::span<std::byte> into);
  const char* describe(const array_call& call, std::size_t n);
  const std::byte* open(collective_call as, const array_call& call, std::uint64_t digest, std::uint64_t word,
                        std::span<const std::byte> values, combine_function combine, bool is_exact = true);
  void require_equal_lengths(const array_call& call, std::uint64_t folded);
  std::uint64_t word_of(pe_id pe) const;
  std::span<const std::byte> values_of(pe_id pe) const;
  void run(const array_call& call, array_move& its);

  exchange& exchange_;
  collectives& rounds_;
  main_program& caller_;
  const std::size_t memory_bytes_;
  const pe_id my_pe_;
  const pe_id n_pes_;
  owner<piece_stream> stream_;  // made by the first call of long arrays
  // Of the last call and of the one before: a signal handler may be reading one.
  char calls_[2][96] = {};
  bool is_second_ = false;
  bool are_values_in_round_ = false;  // between the two halves of a call
};

}  // namespace shoal::internal
