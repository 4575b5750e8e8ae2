#include "shoal/actor/internal/arrays.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <functional>
#include <utility>

#include "shoal/actor/internal/main_program.hpp"
#include "shoal/base/internal/ambient.hpp"
#include "shoal/base/internal/contract.hpp"
#include "shoal/base/internal/source_place.hpp"
#include "shoal/conveyor/internal/exchange.hpp"

namespace shoal::internal {
namespace {

// What a round carries of an array.
constexpr std::size_t values_bytes_max = round_bytes_max - array_values_offset;

// Reductions and scans of arrays that fit into so many rounds take these. Measured with 2 to 8 PEs on two cores: about
// there the stream becomes faster (docs/design/collectives-of-arrays.md).
constexpr std::size_t n_rounds_max = 4;

// A combine_function: the largest word of all PEs.
void combine_most(std::byte* into, const std::byte* from, std::size_t) {
  if (!combine_heads(into, from)) return;
  const std::uint64_t most = std::max(read_word(into + sizeof(round_head)), read_word(from + sizeof(round_head)));
  std::memcpy(into + sizeof(round_head), &most, sizeof most);
}

// A combine_function that folds no values.
void combine_only_lengths(std::byte* into, const std::byte* from, std::size_t bytes) {
  combine_lengths(into, from, bytes, 1);
}

std::string in_place(const array_call& call) { return std::string(call.name) + " (" + source_place(call.where) + ")"; }

// The parts of `all` that belong to each PE. `offsets` count elements.
std::vector<std::span<std::byte>> parts_by_pe(std::span<std::byte> all, std::span<const std::size_t> offsets,
                                              std::size_t element_bytes) {
  std::vector<std::span<std::byte>> parts;
  for (std::size_t pe = 0; pe + 1 < offsets.size(); ++pe) {
    parts.push_back(all.subspan(offsets[pe] * element_bytes, (offsets[pe + 1] - offsets[pe]) * element_bytes));
  }
  return parts;
}

}  // namespace

arrays::arrays(exchange& through, collectives& rounds, main_program& caller, std::size_t memory_bytes) noexcept
    : exchange_(through),
      rounds_(rounds),
      caller_(caller),
      memory_bytes_(memory_bytes),
      my_pe_(through.my_pe()),
      n_pes_(through.n_pes()) {}

// For reports: "all_reduce of 1000 values". Readable until the call after the next one.
const char* arrays::describe(const array_call& call, std::size_t n) {
  is_second_ = !is_second_;
  char* const text = calls_[is_second_ ? 1 : 0];
  std::snprintf(text, sizeof calls_[0], "%s of %zu value%s", call.name, n, n == 1 ? "" : "s");
  return text;
}

// The round that opens each call. Returns the fold's word.
const std::byte* arrays::open(collective_call as, const array_call& call, std::uint64_t digest, std::uint64_t word,
                              std::span<const std::byte> values, combine_function combine, bool is_exact) {
  std::byte payload[round_payload_max];
  std::memcpy(payload, &word, sizeof word);
  if (!values.empty()) std::memcpy(payload + sizeof word, values.data(), values.size());
  return rounds_.round(as, calls_[is_second_ ? 1 : 0], digest, {payload, sizeof word + values.size()}, combine,
                       call.where, is_exact);
}

std::uint64_t arrays::word_of(pe_id pe) const {
  return read_word(exchange_.rounds().round_contribution(pe) + sizeof(round_head));
}

std::span<const std::byte> arrays::values_of(pe_id pe) const {
  return {exchange_.rounds().round_contribution(pe) + array_values_offset, values_bytes_max};
}

void arrays::require_equal_lengths(const array_call& call, std::uint64_t folded) {
  if (folded != lengths_differ) return;
  await_contributions(exchange_, group_rounds::everybody, sizeof(round_head) + sizeof(std::uint64_t));
  pe_id other = 1;
  while (word_of(other) == word_of(0)) ++other;
  end_job(status_usage, in_place(call) + ": the array of PE " + std::to_string(other) + " has " +
                            std::to_string(word_of(other)) + " elements and that of PE 0 has " +
                            std::to_string(word_of(0)) + "; give arrays of one length on all PEs");
}

void arrays::run(const array_call& call, array_move& its) {
  if (n_pes_ == 1) return;
  if (stream_ == nullptr) stream_.reset(new piece_stream(exchange_));
  const main_program::wait note(caller_, exchange_, calls_[is_second_ ? 1 : 0], call.where);
  stream_->begin();
  for (unsigned patience = 0;;) {
    bool has_moved = its.send(*stream_);
    for (piece next; stream_->pull(next); has_moved = true) SHOAL_REQUIRE(its.take(next));
    if (its.has_sent_all() && stream_->try_end()) break;
    if (has_moved) {
      exchange_.progress();
      exchange_.parts().spare.run();
      patience = 0;
    } else {
      if (stream_->flush()) continue;  // posts also because other traffic of this PE may never rest
      exchange_.progress_or_idle(patience);
    }
  }
  SHOAL_REQUIRE(its.has_taken_all());
}

void arrays::fold(const array_call& call, const array_operation& op, fold_result result,
                  std::span<const std::byte> mine, std::span<std::byte> into) {
  caller_.require(call.name);
  const std::size_t n = mine.size() / call.element_bytes;
  if (into.size() != mine.size()) {
    end_job(status_usage, in_place(call) + " of " + std::to_string(n) + " elements into an array of " +
                              std::to_string(into.size() / call.element_bytes) + "; give arrays of one length");
  }
  const bool is_before = std::less_equal<>()(mine.data() + mine.size(), static_cast<const std::byte*>(into.data()));
  const bool is_after = std::less_equal<>()(static_cast<const std::byte*>(into.data()) + into.size(), mine.data());
  if (mine.data() != into.data() && !is_before && !is_after) {
    end_job(status_usage,
            in_place(call) + " into an array that overlaps that of the values; give the same array, or one apart");
  }
  describe(call, n);
  const std::size_t n_of_round = values_bytes_max / call.element_bytes;
  if (n <= n_rounds_max * n_of_round) {
    fold_in_rounds(call, op, result, mine, into);
  } else {
    fold_over_stream(call, op, result, mine, into);
  }
}

void arrays::fold_in_rounds(const array_call& call, const array_operation& op, fold_result result,
                            std::span<const std::byte> mine, std::span<std::byte> into) {
  const std::size_t n = mine.size() / call.element_bytes;
  const std::size_t bytes_of_round = values_bytes_max / call.element_bytes * call.element_bytes;
  do {
    const std::size_t piece_bytes = std::min(bytes_of_round, mine.size());
    const std::uint64_t digest = call.digest ^ static_cast<std::uint64_t>(result);
    if (result == fold_result::total) {
      const std::byte* const folded =
          open(collective_call::reduce_arrays, call, digest, n, mine.first(piece_bytes), op.combine, op.is_exact);
      require_equal_lengths(call, read_word(folded));
      if (piece_bytes != 0) std::memcpy(into.data(), folded + sizeof(std::uint64_t), piece_bytes);
    } else {
      const std::byte* const folded =
          open(collective_call::scan_arrays, call, digest, n, mine.first(piece_bytes), combine_only_lengths);
      require_equal_lengths(call, read_word(folded));
      await_contributions(exchange_, group_rounds::everybody);
      // PE 0 of an exclusive scan gets something.
      const pe_id end = result == fold_result::inclusive ? my_pe_ + 1 : std::max<pe_id>(my_pe_, 1);
      if (piece_bytes != 0) std::memcpy(into.data(), values_of(0).data(), piece_bytes);
      for (pe_id pe = 1; pe < end; ++pe) op.fold(into.data(), values_of(pe).data(), piece_bytes / call.element_bytes);
    }
    mine = mine.subspan(piece_bytes);
    into = into.subspan(piece_bytes);
  } while (!mine.empty());
}

void arrays::fold_over_stream(const array_call& call, const array_operation& op, fold_result result,
                              std::span<const std::byte> mine, std::span<std::byte> into) {
  const std::byte* const folded = open(
      result == fold_result::total ? collective_call::reduce_arrays : collective_call::scan_arrays, call,
      call.digest ^ static_cast<std::uint64_t>(result), mine.size() / call.element_bytes, {}, combine_only_lengths);
  require_equal_lengths(call, read_word(folded));
  if (n_pes_ == 1) {
    std::memmove(into.data(), mine.data(), into.size());
    return;
  }
  if (stream_ == nullptr) stream_.reset(new piece_stream(exchange_));
  array_fold its({.my_pe = my_pe_,
                  .n_pes = n_pes_,
                  .element_bytes = call.element_bytes,
                  .block_bytes = stream_->piece_bytes_max(),
                  .memory_bytes = memory_bytes_,
                  .result = result},
                 op.fold, mine, into);
  run(call, its);
}

std::vector<std::size_t> arrays::lengths_to_gather(const array_call& call, std::span<const std::byte> mine,
                                                   pe_id root) {
  caller_.require(call.name);
  if (root != everybody && (root < 0 || root >= n_pes_)) {
    end_job(status_usage, in_place(call) + " to PE " + std::to_string(root) + ", which is out of range; PEs are 0 to " +
                              std::to_string(n_pes_ - 1));
  }
  const std::size_t n = mine.size() / call.element_bytes;
  describe(call, n);
  // All contributions have one size, whatever the arrays have.
  std::byte values[values_bytes_max] = {};
  if (!mine.empty() && mine.size() <= sizeof values) std::memcpy(values, mine.data(), mine.size());
  const std::byte* const most = open(collective_call::gather_arrays, call,
                                     call.digest ^ (static_cast<std::uint64_t>(root) << 40), n, values, combine_most);
  are_values_in_round_ = read_word(most) <= sizeof values / call.element_bytes;
  await_contributions(exchange_, group_rounds::everybody,
                      are_values_in_round_ ? round_bytes_max : sizeof(round_head) + sizeof(std::uint64_t));
  std::vector<std::size_t> lengths(static_cast<std::size_t>(n_pes_));
  for (pe_id pe = 0; pe < n_pes_ && (root == everybody || root == my_pe_); ++pe) {
    lengths[static_cast<std::size_t>(pe)] = word_of(pe);
  }
  return lengths;
}

void arrays::gather(const array_call& call, std::span<const std::byte> mine, std::span<const std::size_t> offsets,
                    std::span<std::byte> into, pe_id root) {
  std::vector<std::span<std::byte>> in = parts_by_pe(into, offsets, call.element_bytes);
  if (are_values_in_round_) {
    for (std::size_t pe = 0; pe < in.size(); ++pe) {
      if (!in[pe].empty()) std::memcpy(in[pe].data(), values_of(static_cast<pe_id>(pe)).data(), in[pe].size());
    }
    return;
  }
  std::vector<std::span<const std::byte>> out(in.size());
  for (std::size_t pe = 0; pe < out.size(); ++pe) {
    if (root == everybody || root == static_cast<pe_id>(pe)) out[pe] = mine;
  }
  array_exchange its(my_pe_, std::move(out), std::move(in));
  run(call, its);
}

std::vector<std::size_t> arrays::lengths_to_come(const array_call& call,
                                                 std::span<const std::span<const std::byte>> out) {
  caller_.require(call.name);
  const auto n_pes = static_cast<std::size_t>(n_pes_);
  if (out.size() != n_pes) {
    end_job(status_usage, in_place(call) + " of " + std::to_string(out.size()) + " arrays on " + std::to_string(n_pes) +
                              " PEs; give one for each PE");
  }
  // A contribution has the length of each array, and then the arrays, as far as they fit on every PE.
  std::vector<std::uint64_t> lengths(n_pes);
  std::size_t n = 0;
  for (std::size_t pe = 0; pe < n_pes; ++pe) n += lengths[pe] = out[pe].size() / call.element_bytes;
  describe(call, n);
  std::byte values[values_bytes_max] = {};
  const std::size_t lengths_bytes = n_pes * sizeof(std::uint64_t);
  const std::size_t needed = lengths_bytes + n * call.element_bytes;
  if (lengths_bytes <= sizeof values) std::memcpy(values, lengths.data(), lengths_bytes);
  std::size_t at = lengths_bytes;
  for (std::size_t pe = 0; pe < n_pes && needed <= sizeof values; at += out[pe++].size()) {
    if (!out[pe].empty()) std::memcpy(values + at, out[pe].data(), out[pe].size());
  }
  const std::byte* const most = open(collective_call::all_to_all, call, call.digest, needed, values, combine_most);
  are_values_in_round_ = read_word(most) <= sizeof values;

  std::vector<std::uint64_t> to_come(n_pes);
  if (lengths_bytes <= sizeof values) {
    await_contributions(exchange_, group_rounds::everybody);
    for (std::size_t pe = 0; pe < n_pes; ++pe) {
      to_come[pe] = read_word(values_of(static_cast<pe_id>(pe)).data() + static_cast<std::size_t>(my_pe_) * 8);
    }
  } else {
    std::vector<std::span<const std::byte>> mine;
    std::vector<std::span<std::byte>> theirs;
    for (std::size_t pe = 0; pe < n_pes; ++pe) {
      mine.push_back(std::as_bytes(std::span(&lengths[pe], 1)));
      theirs.push_back(std::as_writable_bytes(std::span(&to_come[pe], 1)));
    }
    array_exchange its(my_pe_, std::move(mine), std::move(theirs));
    run(call, its);
  }
  return {to_come.begin(), to_come.end()};
}

void arrays::exchange_all(const array_call& call, std::span<const std::span<const std::byte>> out,
                          std::span<const std::size_t> offsets, std::span<std::byte> into) {
  std::vector<std::span<std::byte>> in = parts_by_pe(into, offsets, call.element_bytes);
  if (!are_values_in_round_) {
    array_exchange its(my_pe_, {out.begin(), out.end()}, std::move(in));
    run(call, its);
    return;
  }
  for (std::size_t pe = 0; pe < in.size(); ++pe) {
    const std::byte* const theirs = values_of(static_cast<pe_id>(pe)).data();
    std::uint64_t n_before = 0;
    for (std::size_t to = 0; to < static_cast<std::size_t>(my_pe_); ++to) n_before += read_word(theirs + to * 8);
    const std::byte* const mine = theirs + in.size() * 8 + n_before * call.element_bytes;
    if (!in[pe].empty()) std::memcpy(in[pe].data(), mine, in[pe].size());
  }
}

}  // namespace shoal::internal
