/// Index gather: every PE reads random entries of a table that is spread over all PEs.
///
/// Entry g of the whole table is on PE g % P at index g / P of that PE's part. It holds -(g + 1), so every PE knows
/// what a read must return. This is the smallest program of requests and replies.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "kernels/kernel.hpp"
#include "shoal/pgas.hpp"
#include "shoal/shoal.hpp"

namespace shoal::kernels {

kernel_description describe_index_gather();

namespace index_gather {

struct parameters {
  std::uint64_t n_reads = 10'000'000;  // of each PE
  std::uint64_t table_size = 100'000;  // entries on each PE
  std::uint64_t seed = 1;
  // Width of the indices in messages. 32 bits suffice for every `request`; 64 are what other systems send, for
  // comparison.
  int index_bits = 32;
};

/// Throws setup_error with one line that names the option and a value that would work.
parameters parse(const option_list& options);

/// Reads entry `index` of the part of PE `pe`. Every variant gets index and PE precomputed.
struct request {
  std::uint32_t index;
  std::uint32_t pe;
};

/// A query for entry `index` of the receiver, to be stored at `slot` of the sender, and its reply. With 32-bit indices
/// they take 8 and 12 bytes instead of 16 and 16, since no padding is sent.
template <class Index>
struct query {
  Index slot;
  Index index;
};
template <class Index>
struct [[gnu::packed]] reply {
  Index slot;
  std::int64_t value;
};

/// The table once more, as an array with global indices, and the reads as these: for the variant that works on it.
struct global_reads {
  distributed_array<std::int64_t> table;
  std::vector<std::int64_t> indices;
  std::uint64_t n_by_message = 0;  // the other reads are plain loads

  global_reads(world& w, const struct problem& p);
};

/// The data of one PE on which the variants work.
struct problem {
  parameters given;
  std::vector<request> requests;  // of this PE; the answer to the i-th goes to target[i]
  std::vector<std::int64_t> local;  // their indices, for the plain loop
  symmetric<std::int64_t> table;  // all variants read the same memory
  std::span<std::int64_t> part;  // this PE's part of it
  std::vector<std::int64_t> target;
  std::unique_ptr<global_reads> global;  // once a run needs it
};

problem make_problem(world& w, const parameters& given);

/// What the table holds at index `index` of PE `pe`.
constexpr std::int64_t value_at(std::uint64_t index, std::uint64_t pe, pe_id n_pes) {
  return -static_cast<std::int64_t>(index * static_cast<std::uint64_t>(n_pes) + pe + 1);
}

/// What `target` must be in the end: serial and obvious.
std::vector<std::int64_t> reference(std::span<const request> requests, pe_id n_pes);

void run_agp(world& w, problem& p);
void run_agp_nb(world& w, problem& p);
void run_conveyor(world& w, problem& p);
void run_exstack(world& w, problem& p);
void run_exstack2(world& w, problem& p);
void run_actor(world& w, problem& p);
void run_lambda(world& w, problem& p);
void run_array(world& w, problem& p);

/// The plain loop on this PE's own part: the cost of the reads without any communication.
void run_loop(problem& p);

}  // namespace index_gather
}  // namespace shoal::kernels
