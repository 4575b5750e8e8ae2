/// Index gather: every PE reads random entries of a table that is spread over all PEs.
///
/// Entry g of the whole table lies on PE g % P at place g / P of that PE's part, and holds -(g + 1), so that
/// everybody knows what a read must give. The smallest program of requests and replies.
#pragma once

#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "kernels/kernel.hpp"
#include "shoal/shoal.hpp"

namespace shoal::kernels {

kernel_description describe_index_gather();

namespace index_gather {

struct parameters {
  std::uint64_t n_reads = 10'000'000;  // that each PE makes
  std::uint64_t table_size = 100'000;  // entries on each PE
  std::uint64_t seed = 1;
  // Width of the places in messages. 32 bits reach as far as `request` does; 64 are what other systems
  // send, to compare with.
  int index_bits = 32;
};

/// Throws setup_error with one line that names the option and a value that would work.
parameters parse(const option_list& options);

/// Reads entry `index` of the part of PE `pe`. Index and PE are taken apart beforehand, in every variant.
struct request {
  std::uint32_t index;
  std::uint32_t pe;
};

/// "Entry `index` of your part, please, for place `slot` of mine", and the answer. 32-bit places make these
/// 8 and 12 bytes instead of 16 and 16: the wire carries no padding.
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

/// What the variants work on, on one PE.
struct problem {
  parameters given;
  std::vector<request> requests;  // that this PE makes; the answer to the i-th goes to target[i]
  std::vector<std::int64_t> local;  // their indices, for the plain loop
  symmetric<std::int64_t> table;  // all variants read the same memory
  std::span<std::int64_t> part;  // this PE's part of it
  std::vector<std::int64_t> target;
};

problem make_problem(world& w, const parameters& given);

/// What the table holds at place `index` of PE `pe`.
constexpr std::int64_t value_at(std::uint64_t index, std::uint64_t pe, pe_id n_pes) {
  return -static_cast<std::int64_t>(index * static_cast<std::uint64_t>(n_pes) + pe + 1);
}

/// What `target` must be in the end: serial and obvious.
std::vector<std::int64_t> reference(std::span<const request> requests, pe_id n_pes);

void run_agp(world& w, problem& p);
void run_agp_nb(world& w, problem& p);
void run_conveyor(world& w, problem& p);
void run_actor(world& w, problem& p);
void run_lambda(world& w, problem& p);

/// The plain loop on this PE's own part: what the reads would cost if nobody had to be asked.
void run_loop(problem& p);

}  // namespace index_gather
}  // namespace shoal::kernels
