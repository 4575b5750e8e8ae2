// Triangle centrality as the command sees it: choice of the variant, check and print of the answer.
#include <iomanip>
#include <optional>
#include <ostream>
#include <span>
#include <sstream>
#include <string>

#include "kernels/comparison.hpp"
#include "kernels/triangle_centrality/problem.hpp"

namespace shoal::kernels {
namespace triangle_centrality {
namespace {

class centrality_kernel final : public kernel {
public:
  centrality_kernel(world& w, const parameters& given)
      : problem_(make_problem(w, given)),
        names_(read_names(w, given.graph, problem_.lower)),
        n_edges_(n_entries(w, problem_.lower)) {}

  void prepare(world&, std::string_view variant) override {
    is_row_wise_ = variant == "row_wise";
    reset(problem_);
  }

  work run(world& w, std::string_view variant) override {
    if (variant == "agp") run_agp(w, problem_);
    if (variant == "agp_nb") run_agp_nb(w, problem_);
    if (variant == "conveyor") run_conveyor(w, problem_);
    if (variant == "actor") run_actor(w, problem_);
    if (variant == "lambda") run_lambda(w, problem_);
    if (variant == "row_wise") run_row_wise(w, problem_);
    return {.n_operations = static_cast<std::uint64_t>(problem_.lower.n_local_entries()),
            .n_messages = problem_.n_messages};
  }

  bool verify(world& w, std::string& why) override {
    const bool fits = fits_one_pe(problem_.lower.n_rows(), n_edges_);
    if (fits && !expected_) expected_ = by_reference(w);
    const std::vector<at_vertex> expected = fits ? *expected_ : by_other_variant(w);
    comparison found;
    for (std::size_t v = 0; v < expected.size(); ++v) {
      found.compare(v, as_signed(problem_.n_at_vertex[v]), as_signed(expected[v].n_triangles));
      found.compare(v, as_signed(problem_.numerators[v]), as_signed(expected[v].numerator));
    }
    const std::string method = fits           ? "the serial reference"
                               : is_row_wise_ ? "the variant actor"
                                              : "the variant row_wise";
    return found.agree(w, "vertex", method, why);
  }

  void show(world& w, std::ostream& out) override {
    const outcome reached = outcome_of(w, problem_);
    if (w.my_pe() != 0) return;
    std::ostringstream text;
    text << std::fixed << std::setprecision(9) << "triangle centrality of " << problem_.lower.n_rows()
         << " vertices and " << n_edges_ << " edges with " << reached.n_triangles << " triangles; their sum is "
         << reached.centrality(reached.sum) << '\n';
    for (const auto& [numerator, vertex] : reached.top) {
      text << "  " << reached.centrality(numerator) << "  " << name_of(vertex) << '\n';
    }
    out << text.str();
  }

  std::string answer_json(world& w) override {
    const outcome reached = outcome_of(w, problem_);
    if (w.my_pe() != 0) return {};
    std::ostringstream text;
    text << std::setprecision(14) << "\"triangles\": " << reached.n_triangles
         << ", \"sum\": " << reached.centrality(reached.sum) << ", \"top\": [";
    for (const auto& [numerator, vertex] : reached.top) {
      text << (vertex == reached.top.front().vertex ? "" : ", ") << "{\"vertex\": " << vertex + 1
           << ", \"name\": " << json_string(name_of(vertex)) << ", \"centrality\": " << reached.centrality(numerator)
           << '}';
    }
    text << ']';
    return text.str();
  }

private:
  static std::int64_t as_signed(std::uint64_t n) { return static_cast<std::int64_t>(n); }

  std::string name_of(std::int64_t vertex) const {
    return names_.empty() ? std::to_string(vertex + 1) : names_[static_cast<std::size_t>(vertex)];
  }

  std::vector<at_vertex> by_reference(world& w) const {
    const std::vector<entry> edges = gather_on_first_pe(w, problem_.lower);
    std::vector<at_vertex> all(static_cast<std::size_t>(problem_.lower.n_rows()));
    if (w.my_pe() == 0) all = reference(problem_.lower.n_rows(), edges);
    if (!all.empty()) w.broadcast(std::span(all));
    std::vector<at_vertex> mine;
    for (std::int64_t v = 0; v < problem_.lower.n_local_rows(); ++v) {
      mine.push_back(all[static_cast<std::size_t>(problem_.lower.global_row(v))]);
    }
    return mine;
  }

  std::vector<at_vertex> by_other_variant(world& w) const {
    problem other{.lower = problem_.lower};
    reset(other);
    is_row_wise_ ? run_actor(w, other) : run_row_wise(w, other);
    std::vector<at_vertex> mine;
    for (std::size_t v = 0; v < other.numerators.size(); ++v) {
      mine.push_back({other.n_at_vertex[v], other.numerators[v]});
    }
    return mine;
  }

  problem problem_;
  std::vector<std::string> names_;  // on PE 0, if given
  std::int64_t n_edges_;  // on all PEs, each once
  bool is_row_wise_ = false;
  std::optional<std::vector<at_vertex>> expected_;  // the reference's, computed at the first use
};

}  // namespace
}  // namespace triangle_centrality

kernel_description describe_triangle_centrality() {
  return {
      .name = "triangle_centrality",
      .summary = "triangle centrality of the vertices of a graph, taken as undirected",
      .variants = {"agp", "agp_nb", "conveyor", "actor", "lambda", "row_wise"},
      .one_sided = {"agp", "agp_nb"},
      .options = with_graph_options({}),
      .make = [](world& w, const option_list& options) -> std::unique_ptr<kernel> {
        return std::make_unique<triangle_centrality::centrality_kernel>(w, triangle_centrality::parse(options));
      },
  };
}

}  // namespace shoal::kernels
