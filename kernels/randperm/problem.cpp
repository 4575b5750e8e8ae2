#include "kernels/randperm/problem.hpp"

#include <algorithm>

#include "kernels/options.hpp"
#include "shoal/base/setup_error.hpp"

namespace shoal::kernels::randperm {

parameters parse(const option_list& options) {
  parameters given;
  for (const auto& [name, value] : options) {
    if (name == "entries") {
      given.n_entries = whole_number("--entries", value, 0, INT32_MAX);
    } else if (name == "seed") {
      given.seed = whole_number("--seed", value, 0, INT64_MAX);
    } else {
      throw setup_error("randperm has no option --" + name);
    }
  }
  return given;
}

problem make_problem(world& w, const parameters& given) {
  const auto n_pes = static_cast<std::uint64_t>(w.n_pes());
  if (given.n_entries > UINT32_MAX / n_pes) {
    throw setup_error("--entries=" + std::to_string(given.n_entries) + " on each of " + std::to_string(n_pes) +
                      " PEs are more than messages have room for; give at most " + std::to_string(UINT32_MAX / n_pes));
  }
  // The places; the piece, where it goes, and the part.
  require_memory(w, "--entries", given.n_entries * (2 * sizeof(std::int64_t) + 4 * sizeof(std::uint32_t)));
  problem p;
  p.given = given;
  p.my_pe = w.my_pe();
  p.n_pes = n_pes;
  p.board = w.allocate<std::int64_t>(2 * given.n_entries);
  p.places = w.local(p.board);
  std::ranges::fill(p.places, empty);
  return p;
}

void read_board(world& w, problem& p) {
  std::vector<std::uint32_t> piece;
  piece.reserve(p.given.n_entries + p.given.n_entries / 8);
  for (const std::int64_t held : p.places) {
    if (held != empty) piece.push_back(static_cast<std::uint32_t>(held >> 8));
  }
  balance(w, p, piece);
}

void balance(world& w, problem& p, std::span<const std::uint32_t> piece) {
  const std::uint64_t first = w.exclusive_scan(std::uint64_t{piece.size()});
  std::vector<std::span<const std::uint32_t>> for_pe(p.n_pes);
  for (std::uint64_t i = 0; i < piece.size();) {
    const std::uint64_t pe = (first + i) / p.given.n_entries;
    const std::uint64_t n = std::min(piece.size() - i, (pe + 1) * p.given.n_entries - (first + i));
    for_pe.at(pe) = piece.subspan(i, n);
    i += n;
  }
  const arrays_by_pe<std::uint32_t> arrived = w.all_to_all(for_pe);
  p.part.assign(arrived.values().begin(), arrived.values().end());
}

}  // namespace shoal::kernels::randperm
