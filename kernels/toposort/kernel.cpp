// Topological sort as the command sees it: options, choice of the variant, check of the answer.
#include <algorithm>
#include <optional>
#include <ostream>
#include <span>
#include <string>

#include "kernels/comparison.hpp"
#include "kernels/toposort/problem.hpp"

namespace shoal::kernels {
namespace toposort {
namespace {

class toposort_kernel final : public kernel {
public:
  toposort_kernel(world& w, const parameters& given)
      : problem_(make_problem(w, given)), n_entries_(n_entries(w, problem_.rows)) {}

  void prepare(world&, std::string_view) override { reset(problem_); }

  work run(world& w, std::string_view variant) override {
    if (variant == "agp") run_agp(w, problem_);
    if (variant == "agp_nb") run_agp_nb(w, problem_);
    if (variant == "conveyor") run_conveyor(w, problem_);
    if (variant == "exstack") run_exstack(w, problem_);
    if (variant == "exstack2") run_exstack2(w, problem_);
    if (variant == "actor") run_actor(w, problem_);
    if (variant == "lambda") run_lambda(w, problem_);
    const auto n = static_cast<std::uint64_t>(problem_.rows.n_local_entries());
    return {.n_operations = n, .n_messages = n + 2 * static_cast<std::uint64_t>(problem_.rows.n_local_rows())};
  }

  bool verify(world& w, std::string& why) override {
    if (!is_permutation(w, problem_.row_places) || !is_permutation(w, problem_.column_places)) {
      why = "rows or columns do not have places of their own";
      return false;
    }
    const sparse_matrix sorted = permute(w, problem_.rows, problem_.row_places, problem_.column_places);
    if (!is_upper_triangular(w, sorted, main_diagonal::unit)) {
      why = "the sorted matrix is not upper triangular with a unit diagonal";
      return false;
    }
    why = "the sorted matrix is upper triangular with a unit diagonal";
    if (!fits_one_pe(problem_.rows.n_rows(), n_entries_)) return true;
    const bool is_right = equals_reference(w, why);
    if (is_right) why = "the sorted matrix is upper triangular with a unit diagonal, and " + why;
    return is_right;
  }

  void show(world& w, std::ostream& out) override {
    const std::uint32_t n = n_levels(w);
    if (w.my_pe() != 0) return;
    out << "sorted " << problem_.rows.n_rows() << " rows on " << n << " levels\n";
  }

  std::string answer_json(world& w) override { return "\"levels\": " + std::to_string(n_levels(w)); }

private:
  std::uint32_t n_levels(world& w) const {
    const std::uint32_t highest = problem_.levels.empty() ? 0 : std::ranges::max(problem_.levels) + 1;
    return w.max(highest);
  }

  bool equals_reference(world& w, std::string& why) {
    if (!expected_) {
      const std::vector<entry> entries = gather_on_first_pe(w, problem_.rows);
      std::vector<std::uint32_t> levels(static_cast<std::size_t>(problem_.rows.n_rows()));
      if (w.my_pe() == 0) levels = reference(problem_.rows.n_rows(), entries);
      if (!levels.empty()) w.broadcast(std::span(levels));
      expected_ = std::move(levels);
    }
    comparison found;
    for (std::size_t r = 0; r < problem_.levels.size(); ++r) {
      const std::int64_t row = problem_.rows.global_row(static_cast<std::int64_t>(r));
      found.compare(r, problem_.levels[r], (*expected_)[static_cast<std::size_t>(row)]);
    }
    return found.agree(w, "level", "the serial reference", why);
  }

  problem problem_;
  std::int64_t n_entries_;  // on all PEs
  std::optional<std::vector<std::uint32_t>> expected_;  // of all rows, computed at the first use
};

}  // namespace
}  // namespace toposort

kernel_description describe_toposort() {
  return {
      .name = "toposort",
      .summary = "find the order of rows and columns that makes a hidden triangular matrix triangular again",
      .variants = {"agp", "agp_nb", "conveyor", "exstack", "exstack2", "actor", "lambda"},
      .one_sided = {"agp", "agp_nb"},
      .options = with_graph_options({{"seed", "1", "seed of the permutations that hide the order"}}),
      .make = [](world& w, const option_list& options) -> std::unique_ptr<kernel> {
        return std::make_unique<toposort::toposort_kernel>(w, toposort::parse(options));
      },
  };
}

}  // namespace shoal::kernels
