/// Random permutation: the numbers 0 to N - 1 in random order, n of them on each PE, by throwing darts at a board.
///
/// The board has two places for each dart, spread over all PEs. Dart v is thrown at random places until it stays. If two
/// darts meet at a place, the smaller number stays and the larger one is thrown again. In the end the board is read in
/// order, without its empty places.
///
/// Usually the dart that comes first stays. Then a dart from the place's own PE wins more often, because it arrives
/// sooner, and the permutation is slightly biased. Here nothing depends on timing: the k-th place of dart v is a hash of
/// seed, v and k, and darts end where they would if dart 0 were thrown until it stays, then dart 1, and so on (Gale and
/// Shapley, "College admissions and the stability of marriage", 1962: the order of proposals does not matter). So every
/// permutation is equally likely, all forms must give the same, and a serial program can check it.
///
/// A dart that does not stay is thrown again by the PE that it reached. That saves the reply: N darts take about
/// 2 ln 2 = 1.39 N messages in all.
///
/// `scatter` is another algorithm: every number goes to a random PE, and each PE shuffles what it got.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "kernels/kernel.hpp"
#include "shoal/base/random.hpp"
#include "shoal/shoal.hpp"

namespace shoal::kernels {

kernel_description describe_randperm();

namespace randperm {

struct parameters {
  std::uint64_t n_entries = 1'000'000;  // on each PE
  std::uint64_t seed = 1;
};

/// Throws setup_error with one line that names the option and a value that would work.
parameters parse(const option_list& options);

/// The message: a dart reaches place `slot` of the receiver's part of the board. In 9 bytes.
struct [[gnu::packed]] dart {
  std::uint32_t slot;
  std::uint32_t number;
  std::uint8_t n_thrown;  // before this throw

  /// How the board holds it. Smaller numbers are smaller.
  std::int64_t on_board() const { return static_cast<std::int64_t>(std::uint64_t{number} << 8 | n_thrown); }
};

inline constexpr std::int64_t empty = INT64_MAX;  // a place without a dart

/// The data of one PE on which the variants work.
struct problem {
  parameters given;
  pe_id my_pe = 0;
  std::uint64_t n_pes = 1;
  symmetric<std::int64_t> board;  // 2 n places on each PE
  std::span<std::int64_t> places;  // this PE's part of it
  std::uint64_t n_thrown = 0;  // by this PE: messages
  std::vector<std::uint32_t> part;  // the answer: this PE's part of the permutation
};

/// Throws setup_error if there are too many entries.
problem make_problem(world& w, const parameters& given);

/// Calls send(pe, dart) for throw `n_thrown` of dart `number`.
template <class Send>
void throw_dart(problem& p, std::uint32_t number, std::uint8_t n_thrown, const Send& send) {
  __extension__ using wide = unsigned __int128;
  const std::uint64_t hash = mixed_bits(mixed_bits(p.given.seed) ^ (std::uint64_t{number} << 8 | n_thrown));
  const wide pe = wide{hash} * p.n_pes;  // the upper half is the PE; the lower half is still random
  const wide slot = wide{static_cast<std::uint64_t>(pe)} * (2 * p.given.n_entries);
  ++p.n_thrown;
  send(static_cast<pe_id>(pe >> 64), dart{static_cast<std::uint32_t>(slot >> 64), number, n_thrown});
}

/// The first throw of every dart of this PE.
template <class Send>
void throw_all(problem& p, const Send& send) {
  for (std::uint64_t i = 0; i < p.given.n_entries; ++i) {
    throw_dart(p, static_cast<std::uint32_t>(i * p.n_pes + static_cast<std::uint64_t>(p.my_pe)), 0, send);
  }
}

/// Throws the dart again that the board holds as `held`.
template <class Send>
void throw_again(problem& p, std::int64_t held, const Send& send) {
  throw_dart(p, static_cast<std::uint32_t>(held >> 8), static_cast<std::uint8_t>(held + 1), send);
}

/// A dart arrives. Calls send(pe, dart) if it, or the dart that it drives out, is thrown again.
template <class Send>
void land(problem& p, dart d, const Send& send) {
  std::int64_t& at = p.places[d.slot];
  const std::int64_t held = at;
  const std::int64_t arrived = d.on_board();
  at = std::min(held, arrived);
  if (held != empty) throw_again(p, std::max(held, arrived), send);
}

/// Collective. Reads the board in order into `part`; the same in all variants.
void read_board(world& w, problem& p);

/// Collective. Moves the pieces of all PEs, in the order of PEs, into parts of equal size.
void balance(world& w, problem& p, std::span<const std::uint32_t> piece);

void run_agp(world& w, problem& p);
void run_conveyor(world& w, problem& p);
void run_exstack(world& w, problem& p);
void run_exstack2(world& w, problem& p);
void run_actor(world& w, problem& p);
void run_lambda(world& w, problem& p);
void run_scatter(world& w, problem& p);

/// Serial and obvious: the whole permutation that darts give.
std::vector<std::uint32_t> reference(const problem& p);

}  // namespace randperm
}  // namespace shoal::kernels
