// Permutation as the command sees it: choice of the variant, check of the answer.
#include <algorithm>
#include <ostream>
#include <span>

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
    sparse_matrix sorted = problem_.permuted;
    const bool is_whole = sorted.n_local_rows() == sorted.rows.n_local(w.my_pe());
    if (w.min(static_cast<int>(is_whole)) == 0) {
      why = "rows are missing";
      return false;
    }
    sort_rows(sorted);
    const bool fits = fits_one_pe(sorted.n_rows(), n_entries_);
    const bool is_right = fits ? equals_reference(w, sorted) : leads_back(w, sorted);
    why = fits ? std::string("the rows ") + (is_right ? "equal" : "differ from") + " the serial reference's"
               : std::string("the inverse permutations ") + (is_right ? "lead" : "do not lead") + " back to the matrix";
    return is_right;
  }

  void show(world& w, std::ostream& out) override {
    if (w.my_pe() != 0) return;
    out << "permuted a matrix of " << problem_.matrix.n_rows() << " rows and " << n_entries_ << " entries\n";
  }

private:
  bool equals_reference(world& w, const sparse_matrix& sorted) const {
    const std::vector<entry> given = gather_on_first_pe(w, problem_.matrix);
    std::vector<entry> found = gather_on_first_pe(w, sorted);
    std::ranges::sort(found);
    const std::vector<std::int64_t> rows = gather_images(w, problem_.rows);
    const std::vector<std::int64_t> columns = gather_images(w, problem_.columns);
    return w.broadcast(w.my_pe() != 0 || found == reference(given, rows, columns));
  }

  // The images of all indices, on every PE.
  static std::vector<std::int64_t> gather_images(world& w, const permutation& p) {
    std::vector<std::int64_t> all(static_cast<std::size_t>(p.indices.n()), 0);
    for (std::size_t i = 0; i < p.images.size(); ++i) {
      all[static_cast<std::size_t>(p.indices.global(p.pe, static_cast<std::int64_t>(i)))] = p.images[i];
    }
    if (!all.empty()) w.sum(std::span(all));
    return all;
  }

  // By the library, which sends entries on another way.
  bool leads_back(world& w, const sparse_matrix& sorted) const {
    const permutation rows = inverse(w, problem_.rows);
    const permutation columns = inverse(w, problem_.columns);
    return are_equal(w, permute(w, sorted, rows, columns), problem_.matrix);
  }

  problem problem_;
  std::int64_t n_entries_;  // on all PEs
};

}  // namespace
}  // namespace permuting

kernel_description describe_permute() {
  return {
      .name = "permute",
      .summary = "permute rows and columns of a sparse matrix at random",
      .variants = {"agp", "conveyor", "exstack", "exstack2", "actor", "lambda", "relabel_first"},
      .one_sided = {"agp"},
      .options = with_graph_options({{"seed", "1", "seed of the random permutations"}}),
      .make = [](world& w, const option_list& options) -> std::unique_ptr<kernel> {
        return std::make_unique<permuting::permute_kernel>(w, permuting::parse(options));
      },
  };
}

}  // namespace shoal::kernels
