#include "kernels/random_access/problem.hpp"

#include "kernels/options.hpp"
#include "shoal/base/setup_error.hpp"

namespace shoal::kernels::random_access {

parameters parse(const option_list& options) {
  parameters given;
  for (const auto& [name, value] : options) {
    if (name == "table-log2") {
      given.log2_words = static_cast<int>(whole_number("--table-log2", value, 1, 40));
    } else if (name == "updates-per-word") {
      given.n_updates_per_word = whole_number("--updates-per-word", value, 1, 1'000);
    } else {
      throw setup_error("random_access has no option --" + name);
    }
  }
  return given;
}

problem make_problem(world& w, const parameters& given) {
  const std::int64_t n = std::int64_t{1} << given.log2_words;
  problem p{.given = given,
            .words = {layout::block, n, w.n_pes()},
            .updates = {layout::block, n * static_cast<std::int64_t>(given.n_updates_per_word), w.n_pes()}};
  const auto n_mine = static_cast<std::size_t>(p.words.n_local(0));  // no PE has more
  require_memory(w, "--table-log2", n_mine * sizeof(std::uint64_t));
  p.table = w.allocate<std::uint64_t>(n_mine);
  p.part = w.local(p.table).first(static_cast<std::size_t>(p.words.n_local(w.my_pe())));
  return p;
}

void fill(const world& w, problem& p) {
  for (std::size_t i = 0; i < p.part.size(); ++i) {
    p.part[i] = static_cast<std::uint64_t>(p.words.global(w.my_pe(), static_cast<std::int64_t>(i)));
  }
}

// By the bits of one factor, the highest first.
std::uint64_t random_powers::product(std::uint64_t a, std::uint64_t b) noexcept {
  std::uint64_t sum = 0;
  for (int bit = 63; bit >= 0; --bit) {
    sum = times_x(sum);
    if ((b >> bit & 1) != 0) sum ^= a;
  }
  return sum;
}

std::uint64_t random_powers::power_of_x(std::uint64_t n) noexcept {
  std::uint64_t power = 1;
  for (int bit = 63; bit >= 0; --bit) {
    power = product(power, power);
    if ((n >> bit & 1) != 0) power = times_x(power);
  }
  return power;
}

}  // namespace shoal::kernels::random_access
