// Permutation as the command sees it: choice of the variant, check of the answer.
#include <algorithm>
#include <ostream>

#include "kernels/permute/problem.hpp"

namespace shoal::kernels {
namespace permuting {
namespace {

class permute_kernel final : public kernel {
public:
  permute_kernel(world& w, const parameters& given)
      : problem_(make_problem(w, given)), n_entries_(n_entries(w, problem_.matrix)) {
    prepare(w, {});
  }

  void prepare(world&, std::string_view) override {
    std::ranges::fill(problem_.next, 0);
    problem_.permuted.offsets.assign(1, 0);
    problem_.permuted.columns.clear();
  }

  work run(world& w, std::string_view variant) override {
    if (variant == "agp") run_agp(w, problem_);
    if (variant == "agp_nb") run_agp_nb(w, problem_);
    if (variant == "conveyor") run_conveyor(w, problem_);
    if (variant == "exstack") run_exstack(w, problem_);
    if (variant == "exstack2") run_exstack2(w, problem_);
    if (variant == "actor") run_actor(w, problem_);
    if (variant == "lambda") run_lambda(w, problem_);
    if (variant == "relabel_first") run_relabel_first(w, problem_);
    const auto n = static_cast<std::uint64_t>(problem_.matrix.n_local_entries());
    const auto n_rows = static_cast<std::uint64_t>(problem_.matrix.n_local_rows());
    // Of three messages for each entry, one goes and one comes back for its column. One-sided: an addition, a put, a get.
    return {.n_operations = n, .n_messages = n_rows + (variant == "relabel_first" ? 2 * n : 3 * n)};
  }

  bool verify(world& w, std::string& why) override {
    const bool fits = fits_one_pe(problem_.matrix.n_rows(), n_entries_);
    const bool is_right = fits ? equals_reference(w, problem_) : equals_library(w, problem_);
    why = fits ? std::string("the rows ") + (is_right ? "equal" : "differ from") + " the serial reference's"
               : std::string("the inverse permutations ") + (is_right ? "lead" : "do not lead") + " back to the matrix";
    return is_right;
  }

  void show(world& w, std::ostream& out) override {
    if (w.my_pe() != 0) return;
    out << "permuted a matrix of " << problem_.matrix.n_rows() << " rows and " << n_entries_ << " entries\n";
  }

private:
  problem problem_;
  std::int64_t n_entries_;  // on all PEs
};

}  // namespace
}  // namespace permuting

kernel_description describe_permute() {
  return {
      .name = "permute",
      .summary = "permute rows and columns of a sparse matrix at random",
      .variants = {"agp", "agp_nb", "conveyor", "exstack", "exstack2", "actor", "lambda", "relabel_first"},
      .one_sided = {"agp", "agp_nb"},
      .options = with_graph_options({{"seed", "1", "seed of the random permutations"}}),
      .make = [](world& w, const option_list& options) -> std::unique_ptr<kernel> {
        return std::make_unique<permuting::permute_kernel>(w, permuting::parse(options));
      },
  };
}

}  // namespace shoal::kernels
