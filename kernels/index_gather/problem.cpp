#include "kernels/index_gather/problem.hpp"

#include "kernels/options.hpp"
#include "shoal/base/random.hpp"
#include "shoal/base/setup_error.hpp"

namespace shoal::kernels::index_gather {

parameters parse(const option_list& options) {
  parameters given;
  for (const auto& [name, value] : options) {
    if (name == "reads") {
      given.n_reads = whole_number("--reads", value, 1, UINT32_MAX);
    } else if (name == "table") {
      given.table_size = whole_number("--table", value, 1, UINT32_MAX);
    } else if (name == "seed") {
      given.seed = whole_number("--seed", value, 0, INT64_MAX);
    } else if (name == "index-bits") {
      if (value != "32" && value != "64") throw setup_error("--index-bits=" + value + " is neither 32 nor 64");
      given.index_bits = value == "32" ? 32 : 64;
    } else {
      throw setup_error("index_gather has no option --" + name);
    }
  }
  return given;
}

problem make_problem(world& w, const parameters& given) {
  const std::uint64_t read_bytes = sizeof(request) + 3 * sizeof(std::int64_t);
  require_memory(w, "--reads", given.n_reads * read_bytes);
  problem p;
  p.given = given;
  p.table = w.allocate<std::int64_t>(given.table_size);
  p.part = w.local(p.table);
  const auto me = static_cast<std::uint64_t>(w.my_pe());
  const auto n_pes = static_cast<std::uint64_t>(w.n_pes());
  for (std::uint64_t i = 0; i < p.part.size(); ++i) p.part[i] = value_at(i, me, w.n_pes());

  random_engine random(given.seed, me);
  p.requests.reserve(given.n_reads);
  p.local.reserve(given.n_reads);
  for (std::uint64_t i = 0; i < given.n_reads; ++i) {
    const std::uint64_t g = random.below(given.table_size * n_pes);
    p.requests.push_back({static_cast<std::uint32_t>(g / n_pes), static_cast<std::uint32_t>(g % n_pes)});
    p.local.push_back(static_cast<std::int64_t>(g / n_pes));
  }
  p.target.resize(given.n_reads);
  return p;
}

}  // namespace shoal::kernels::index_gather
