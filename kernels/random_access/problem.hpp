/// RandomAccess of the HPC Challenge: random words of a table that is spread over all PEs are changed by random numbers.
///
/// The rules (Luszczek et al., "Introduction to the HPC Challenge benchmark suite", 2005, and the benchmark's own): the
/// table has 2^k words, word i is i at first. Four updates a word: the random numbers are consecutive powers of x in the
/// Galois field of 2^64 elements whose polynomial is x^64 + x^2 + x + 1; the lower k bits of each say which word it is
/// combined with, by exclusive or. A PE may look ahead by 1,024 updates at most: so many may wait before they leave. Made
/// twice, the updates leave the table as it was.
#pragma once

#include <cstdint>
#include <span>

#include "kernels/kernel.hpp"
#include "shoal/pgas/distribution.hpp"
#include "shoal/shoal.hpp"

namespace shoal::kernels {

kernel_description describe_random_access();

namespace random_access {

struct parameters {
  int log2_words = 20;  // of the whole table
  std::uint64_t n_updates_per_word = 4;
};

/// Throws setup_error with one line that names the option and a value that would work.
parameters parse(const option_list& options);

/// How many updates may wait on a PE before they leave.
inline constexpr std::uint64_t look_ahead = 1024;

/// The sequence of random numbers, from its n-th on.
class random_powers {
public:
  explicit random_powers(std::uint64_t n) noexcept : power_(power_of_x(n)) {}

  std::uint64_t next() noexcept {
    const std::uint64_t now = power_;
    power_ = times_x(now);
    return now;
  }

private:
  static constexpr std::uint64_t times_x(std::uint64_t a) noexcept {
    return a << 1 ^ (static_cast<std::int64_t>(a) < 0 ? 7 : 0);
  }
  static std::uint64_t product(std::uint64_t a, std::uint64_t b) noexcept;
  static std::uint64_t power_of_x(std::uint64_t n) noexcept;

  std::uint64_t power_;
};

/// The data of one PE on which the variants work.
struct problem {
  parameters given;
  distribution words;  // in blocks, as the benchmark's reference has it
  distribution updates;  // which of them a PE makes
  symmetric<std::uint64_t> table = {};  // all variants work in the same memory
  std::span<std::uint64_t> part = {};  // this PE's part of it

  std::uint64_t mask() const noexcept { return static_cast<std::uint64_t>(words.n()) - 1; }

  /// The word that a random number is combined with.
  place place_of(std::uint64_t number) const noexcept {
    return words.place_of(static_cast<std::int64_t>(number & mask()));
  }
};

/// Collective: the table is allocated, and not yet filled. Throws setup_error.
problem make_problem(world& w, const parameters& given);

/// Makes word i of this PE's part equal to its number.
void fill(const world& w, problem& p);

/// Calls use(number) for each update of PE `pe`.
template <class Use>
void for_each_update(const problem& p, pe_id pe, Use use) {
  const std::int64_t n = p.updates.n_local(pe);
  if (n == 0) return;
  random_powers numbers(static_cast<std::uint64_t>(p.updates.global(pe, 0)));
  for (std::int64_t i = 0; i < n; ++i) use(numbers.next());
}

void run_agp(world& w, problem& p);
void run_conveyor(world& w, problem& p);
void run_actor(world& w, problem& p);
void run_lambda(world& w, problem& p);

/// The plain loop: as many updates of words of this PE's part.
void run_loop(world& w, problem& p);

/// How many words of this PE differ from what all updates make of them: serial and obvious.
std::int64_t n_wrong(world& w, const problem& p);

}  // namespace random_access
}  // namespace shoal::kernels
