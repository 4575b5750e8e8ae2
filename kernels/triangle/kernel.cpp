// Triangle counting as the command sees it: options, choice of the variant, check of the answer.
#include <optional>
#include <ostream>

#include "kernels/triangle/problem.hpp"

namespace shoal::kernels {
namespace triangle {
namespace {

class triangle_kernel final : public kernel {
public:
  triangle_kernel(world& w, const parameters& given)
      : problem_(make_problem(w, given)), n_edges_(n_entries(w, problem_.lower)) {}

  void prepare(world&, std::string_view) override { problem_.n_triangles = 0; }

  work run(world& w, std::string_view variant) override {
    if (variant == "agp") run_agp(w, problem_);
    if (variant == "agp_nb") run_agp_nb(w, problem_);
    if (variant == "conveyor") run_conveyor(w, problem_);
    if (variant == "exstack") run_exstack(w, problem_);
    if (variant == "exstack2") run_exstack2(w, problem_);
    if (variant == "actor") run_actor(w, problem_);
    if (variant == "lambda") run_lambda(w, problem_);
    if (variant == "parallel") run_parallel(w, problem_);
    const auto n_edges = static_cast<std::uint64_t>(problem_.lower.n_local_entries());
    if (variant == "row_wise") return {.n_operations = n_edges, .n_messages = run_row_wise(w, problem_)};
    // One-sided, an edge costs three gets: where a row begins, where it ends, and the row if it is not empty.
    return {.n_operations = n_edges, .n_messages = variant.starts_with("agp") ? 3 * n_edges : n_probes(problem_)};
  }

  bool verify(world& w, std::string& why) override {
    const bool fits = fits_one_pe(problem_.lower.n_rows(), n_edges_);
    if (!expected_) expected_ = fits ? count_serially(w, problem_) : count_otherwise(w, problem_, w.is_one_sided());
    const std::uint64_t n = w.sum(problem_.n_triangles);
    why = std::to_string(n) + " triangles; " + (fits ? "the serial reference" : "the other algorithm") +
          (fits               ? ""
           : w.is_one_sided() ? ", by one-sided gets,"
                              : ", by messages,") +
          " counts " + std::to_string(*expected_);
    return n == *expected_;
  }

  void show(world& w, std::ostream& out) override {
    const std::uint64_t n = w.sum(problem_.n_triangles);
    if (w.my_pe() != 0) return;
    out << n << " triangles in an undirected graph of " << problem_.lower.n_rows() << " vertices and " << n_edges_
        << " edges\n";
  }

  std::string answer_json(world& w) override { return "\"triangles\": " + std::to_string(w.sum(problem_.n_triangles)); }

private:
  problem problem_;
  std::int64_t n_edges_;  // on all PEs, each once
  std::optional<std::uint64_t> expected_;  // computed at the first use
};

}  // namespace

std::uint64_t count_serially(world& w, const problem& p) {
  const std::vector<entry> edges = gather_on_first_pe(w, p.lower);
  return w.broadcast(w.my_pe() == 0 ? reference(p.lower.n_rows(), edges) : 0);
}

std::uint64_t count_otherwise(world& w, const problem& p, bool is_one_sided) {
  problem other{.given = p.given, .lower = p.lower};
  other.given.algorithm = 1 - p.given.algorithm;
  if (other.given.algorithm == 1) other.upper = transpose(w, other.lower);
  is_one_sided ? run_agp(w, other) : run_actor(w, other);
  return w.sum(other.n_triangles);
}

}  // namespace triangle

kernel_description describe_triangle() {
  return {
      .name = "triangle",
      .summary = "count the triangles of a graph, taken as undirected",
      .variants = {"agp", "agp_nb", "conveyor", "exstack", "exstack2", "actor", "lambda", "parallel", "row_wise"},
      .one_sided = {"agp", "agp_nb"},
      .has_loop = false,
      .options =
          with_graph_options({{"algorithm", "0", "0: from each triangle's largest vertex; 1: from its middle one"}}),
      .make = [](world& w, const option_list& options) -> std::unique_ptr<kernel> {
        return std::make_unique<triangle::triangle_kernel>(w, triangle::parse(options));
      },
  };
}

}  // namespace shoal::kernels
