// Transposition as the command sees it: choice of the variant, check of the answer.
#include <algorithm>
#include <ostream>

#include "kernels/transpose/problem.hpp"

namespace shoal::kernels {
namespace transposition {
namespace {

class transpose_kernel final : public kernel {
public:
  transpose_kernel(world& w, const parameters& given)
      : problem_(make_problem(w, given)), n_entries_(n_entries(w, problem_.matrix)) {
    prepare(w, {});
  }

  void prepare(world&, std::string_view) override {
    std::ranges::fill(problem_.next, 0);
    problem_.transposed.offsets.assign(1, 0);
    problem_.transposed.columns.clear();
  }

  work run(world& w, std::string_view variant) override {
    if (variant == "agp") run_agp(w, problem_);
    if (variant == "agp_nb") run_agp_nb(w, problem_);
    if (variant == "conveyor") run_conveyor(w, problem_);
    if (variant == "exstack") run_exstack(w, problem_);
    if (variant == "exstack2") run_exstack2(w, problem_);
    if (variant == "actor") run_actor(w, problem_);
    if (variant == "lambda") run_lambda(w, problem_);
    const auto n = static_cast<std::uint64_t>(problem_.matrix.n_local_entries());
    // One-sided, an entry costs an addition to count it, another one to find its place, and a put.
    return {.n_operations = n, .n_messages = variant.starts_with("agp") ? 3 * n : 2 * n};
  }

  bool verify(world& w, std::string& why) override {
    const bool fits = fits_one_pe(problem_.matrix.n_rows(), n_entries_);
    const bool is_right = fits ? equals_reference(w, problem_) : equals_library(w, problem_);
    why = std::string("the rows ") + (is_right ? "equal " : "differ from ") +
          (fits ? "the serial reference's" : "the library's");
    return is_right;
  }

  void show(world& w, std::ostream& out) override {
    if (w.my_pe() != 0) return;
    out << "transposed a matrix of " << problem_.matrix.n_rows() << " rows and " << n_entries_ << " entries\n";
  }

private:
  problem problem_;
  std::int64_t n_entries_;  // on all PEs
};

}  // namespace
}  // namespace transposition

kernel_description describe_transpose() {
  return {
      .name = "transpose",
      .summary = "transpose a sparse matrix",
      .variants = {"agp", "agp_nb", "conveyor", "exstack", "exstack2", "actor", "lambda"},
      .one_sided = {"agp", "agp_nb"},
      .options = with_graph_options({}),
      .make = [](world& w, const option_list& options) -> std::unique_ptr<kernel> {
        return std::make_unique<transposition::transpose_kernel>(w, transposition::parse(options));
      },
  };
}

}  // namespace shoal::kernels
