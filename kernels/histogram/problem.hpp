/// Histogram: every PE counts random entries of a table that is spread over all PEs. All entries are equally likely, or
/// a few are frequent (Zipf's law).
///
/// Entry g of the whole table is on PE g % P at index g / P of that PE's part. This is the smallest irregular program:
/// one message per update, and one instruction to handle it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kernels/histogram/zipf.hpp"
#include "kernels/kernel.hpp"
#include "shoal/base/random.hpp"
#include "shoal/shoal.hpp"

namespace shoal::kernels {

kernel_description describe_histogram();

namespace histogram {

struct parameters {
  std::uint64_t n_updates = 10'000'000;  // of each PE
  std::uint64_t table_size = 1'000;  // entries on each PE
  double zipf_exponent = 0;  // 0: all entries are equally likely
  std::uint64_t seed = 1;
  bool prefetches = false;  // the actor names entries for prefetching
};

/// Throws setup_error with one line that names the option and a value that would work.
parameters parse(const option_list& options);

/// Counts entry `slot` of the part of PE `pe`. Every variant gets slot and PE precomputed.
struct update {
  std::uint32_t slot;
  std::uint32_t pe;
};

/// The updates that PE `pe` of `n_pes` makes, one after the other. Any PE can compute those of any other.
class update_stream {
public:
  update_stream(const parameters& given, pe_id n_pes, pe_id pe)
      : random_(given.seed, static_cast<std::uint64_t>(pe)),
        n_pes_(static_cast<std::uint64_t>(n_pes)),
        n_entries_(given.table_size * n_pes_),
        spread_(n_entries_) {
    if (given.zipf_exponent != 0) ranks_.emplace(n_entries_, given.zipf_exponent);
  }

  update next() {
    const std::uint64_t g = ranks_ ? spread_.entry_of(ranks_->draw(random_)) : random_.below(n_entries_);
    return {static_cast<std::uint32_t>(g / n_pes_), static_cast<std::uint32_t>(g % n_pes_)};
  }

private:
  random_engine random_;
  std::uint64_t n_pes_;
  std::uint64_t n_entries_;
  std::optional<zipf_ranks> ranks_;
  spread_ranks spread_;
};

/// The data of one PE on which the variants work.
struct problem {
  parameters given;
  std::vector<update> updates;  // of this PE
  std::vector<std::int64_t> local;  // their slots, for the plain loop
  symmetric<std::int64_t> table;  // all variants count in the same memory
  std::span<std::int64_t> counts;  // this PE's part of it
};

problem make_problem(world& w, const parameters& given);

/// What PE `owner` must have counted in the end: serial and obvious.
std::vector<std::int64_t> reference(const parameters& given, pe_id n_pes, pe_id owner);

/// Collective: whether all counts together have the checksum of all updates. Wrong counts have it with probability
/// 2^-64. For problems too large to recount, if there are no remote atomics.
bool has_checksum_of_updates(world& w, const problem& p);

void run_agp(world& w, problem& p);
void run_agp_nb(world& w, problem& p);
void run_conveyor(world& w, problem& p);
void run_exstack(world& w, problem& p);
void run_exstack2(world& w, problem& p);
void run_actor(world& w, problem& p);
void run_lambda(world& w, problem& p);
/// Returns how many messages this PE sent: updates less those that it merged before they left.
std::uint64_t run_combining(world& w, problem& p);

/// The plain loop on this PE's own part: the cost of the updates without any communication.
void run_loop(problem& p);

}  // namespace histogram
}  // namespace shoal::kernels
