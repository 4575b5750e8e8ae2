// PageRank as the command sees it: options, choice of the variant, check and print of the answer.
#include <cmath>
#include <iomanip>
#include <numeric>
#include <optional>
#include <ostream>
#include <sstream>

#include "kernels/pagerank/problem.hpp"

namespace shoal::kernels {
namespace pagerank {
namespace {

// How far two correct answers may be apart, all vertices together. They add the same numbers, none of them negative, in
// different order. No sum has more than n + 2 terms, so an iteration puts a relative error below n * 2^-53 on each
// (Higham, "Accuracy and stability of numerical algorithms", 2002, section 4.2), and `agp` adds 2^-63 on each edge. An
// old error shrinks by the damping factor in each later iteration, because ranks move along edges and no more of them
// arrives than leaves.
double rounding_error(double n_vertices, double n_edges, double damping) {
  return (2 * (n_vertices + 2) * 0x1p-53 + n_edges * 0x1p-63) / (1 - damping);
}

class pagerank_kernel final : public kernel {
public:
  pagerank_kernel(world& w, const parameters& given)
      : problem_(make_problem(w, given)),
        names_(read_names(w, given.graph, problem_.edges)),
        n_edges_(n_entries(w, problem_.edges)) {}

  void prepare(world& w, std::string_view variant) override {
    if (variant == "array" && !n_array_messages_) n_array_messages_ = n_array_messages(w, problem_);
    problem_.reached = {};
    std::fill(problem_.ranks.begin(), problem_.ranks.end(), 0.0);
  }

  work run(world& w, std::string_view variant) override {
    if (variant == "agp") run_agp(w, problem_);
    if (variant == "agp_nb") run_agp_nb(w, problem_);
    if (variant == "conveyor") run_conveyor(w, problem_);
    if (variant == "actor") run_actor(w, problem_);
    if (variant == "lambda") run_lambda(w, problem_);
    if (variant == "parallel") run_parallel(w, problem_);
    if (variant == "array") run_array(w, problem_);
    const std::uint64_t n_iterations = problem_.reached.n_iterations;
    const auto n_edges = static_cast<std::uint64_t>(problem_.edges.n_local_entries());
    const bool asks = problem_.given.along == direction::pull;
    const std::uint64_t n_messages = variant == "array" ? *n_array_messages_ : asks ? 2 * n_edges : n_edges;
    return {.n_operations = n_iterations * n_edges, .n_messages = n_iterations * n_messages};
  }

  bool verify(world& w, std::string& why) override {
    const auto n = static_cast<double>(problem_.edges.n_rows());
    const double rounding = rounding_error(n, static_cast<double>(n_edges_), problem_.given.damping);
    const double missing = std::abs(sum_of_ranks(w) - 1);
    std::ostringstream text;
    const bool fits = fits_one_pe(problem_.edges.n_rows(), n_edges_);
    const bool is_right = fits ? equals_reference(w, rounding, text) : is_fixed_point(w, rounding, text);
    if (missing > rounding) text << "; the sum of the ranks is off 1 by " << missing;
    if (!problem_.reached.has_converged) {
      text << "; not converged: the limit of " << problem_.given.n_iterations_max
           << " iterations came first (raise --iterations)";
    }
    why = text.str();
    return is_right && missing <= rounding;
  }

  void show(world& w, std::ostream& out) override {
    const double sum = sum_of_ranks(w);
    const std::vector<ranked> best = top(w, problem_);
    if (w.my_pe() != 0) return;
    const outcome& reached = problem_.reached;
    std::ostringstream text;
    text << "PageRank of " << problem_.edges.n_rows() << " vertices and " << n_edges_
         << " edges: " << (reached.has_converged ? "converged after " : "NOT converged, stopped by the limit of ")
         << reached.n_iterations << " iterations; the last changed the ranks by " << std::scientific
         << std::setprecision(1) << reached.change << " in all; their sum is " << std::fixed << std::setprecision(9)
         << sum << '\n';
    for (const auto& [rank, vertex] : best) {
      text << "  " << std::fixed << std::setprecision(9) << rank << "  " << name_of(vertex) << '\n';
    }
    out << text.str();
  }

  std::string answer_json(world& w) override {
    const double sum = sum_of_ranks(w);
    const std::vector<ranked> best = top(w, problem_);
    if (w.my_pe() != 0) return {};
    std::ostringstream text;
    text << std::setprecision(12) << "\"iterations\": " << problem_.reached.n_iterations
         << ", \"converged\": " << (problem_.reached.has_converged ? "true" : "false")
         << ", \"change\": " << problem_.reached.change << ", \"sum_of_ranks\": " << sum << ", \"top\": [";
    for (const auto& [rank, vertex] : best) {
      text << (&rank == &best.front().rank ? "" : ", ") << "{\"vertex\": " << vertex + 1
           << ", \"name\": " << json_string(name_of(vertex)) << ", \"rank\": " << rank << '}';
    }
    text << ']';
    return text.str();
  }

private:
  std::string name_of(std::int64_t vertex) const {
    return names_.empty() ? std::to_string(vertex + 1) : names_[static_cast<std::size_t>(vertex)];
  }

  double sum_of_ranks(world& w) const {
    return w.sum(std::accumulate(problem_.ranks.begin(), problem_.ranks.end(), 0.0));
  }

  // The reference decides by itself when to stop. If rounding makes it stop earlier or later than the variant, each
  // iteration between may differ by what counts as no change.
  bool equals_reference(world& w, double rounding, std::ostream& why) {
    if (!expected_) expected_ = reference_of(w, problem_);
    const std::vector<double> ranks = gather_ranks(w, problem_);
    double distance = 0;
    for (std::size_t v = 0; v < ranks.size(); ++v) {
      distance += std::abs(ranks[v] - expected_->ranks[v]);
    }
    distance = w.broadcast(distance);
    const std::uint64_t n_expected = w.broadcast(expected_->reached.n_iterations);
    const std::uint64_t n_iterations = problem_.reached.n_iterations;
    const auto n_apart = static_cast<double>(std::max(n_expected, n_iterations) - std::min(n_expected, n_iterations));
    const double allowed = rounding + n_apart * static_cast<double>(problem_.edges.n_rows()) * problem_.given.tolerance;
    why << "ranks after " << n_iterations << " iterations are " << distance
        << " in all from the serial reference's after " << n_expected;
    if (!(distance <= allowed)) why << ", more than the " << allowed << " that rounding explains";
    return distance <= allowed;
  }

  // In each iteration the ranks change by at most the damping factor times their previous change, so one more iteration
  // must do so, too. If that iteration changes them by r in all, they are at most r / (1 - damping) from the answer.
  bool is_fixed_point(world& w, double rounding, std::ostream& why) const {
    const double change = residual(w, problem_, w.is_one_sided());
    const double allowed = problem_.given.damping * problem_.reached.change + rounding;
    why << "one more iteration, by " << (w.is_one_sided() ? "one-sided gets" : "messages") << ", changes the ranks by "
        << change << " in all";
    if (!(change <= allowed)) why << ", more than " << allowed;
    return change <= allowed;
  }

  problem problem_;
  std::vector<std::string> names_;  // on PE 0, if given
  std::int64_t n_edges_;  // on all PEs
  std::optional<ranking> expected_;  // computed at the first use
  std::optional<std::uint64_t> n_array_messages_;  // of this PE in an iteration, once a run needs it
};

}  // namespace
}  // namespace pagerank

kernel_description describe_pagerank() {
  return {
      .name = "pagerank",
      .summary = "rank the vertices of a graph by where random walks spend their time",
      .variants = {"agp", "agp_nb", "conveyor", "actor", "lambda", "parallel", "array"},
      .one_sided = {"agp", "agp_nb"},
      .has_loop = false,
      .options =
          with_graph_options({{"direction", "push", "push: send ranks along edges; pull: ask for them, against edges"},
                              {"undirected", "no", "follow edges in both directions, without self loops"},
                              {"damping", "0.85", "probability of following an edge instead of jumping anywhere"},
                              {"tolerance", "1e-12", "stop when the ranks change by less than this, per vertex"},
                              {"iterations", "1000", "maximum number of iterations"}}),
      .make = [](world& w, const option_list& options) -> std::unique_ptr<kernel> {
        return std::make_unique<pagerank::pagerank_kernel>(w, pagerank::parse(options));
      },
  };
}

}  // namespace shoal::kernels
