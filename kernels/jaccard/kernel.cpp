// Jaccard similarity as the command sees it: choice of the variant, check and print of the answer.
#include <iomanip>
#include <map>
#include <optional>
#include <ostream>
#include <sstream>
#include <string>

#include "kernels/jaccard/problem.hpp"

namespace shoal::kernels {
namespace jaccard {
namespace {

class jaccard_kernel final : public kernel {
public:
  jaccard_kernel(world& w, const parameters& given)
      : problem_(make_problem(w, given)), n_edges_(n_entries(w, problem_.both) / 2) {}

  void prepare(world&, std::string_view variant) override {
    is_row_wise_ = variant == "row_wise";
    std::ranges::fill(problem_.n_common, 0);
    std::ranges::fill(problem_.degrees, 0);
  }

  work run(world& w, std::string_view variant) override {
    std::uint64_t n_edges = 0;
    for (std::int64_t i = 0; i < problem_.both.n_local_rows(); ++i) n_edges += problem_.lower(i).size();
    if (variant == "row_wise") return {.n_operations = n_edges, .n_messages = run_row_wise(w, problem_)};
    if (variant == "agp") run_agp(w, problem_);
    if (variant == "agp_nb") run_agp_nb(w, problem_);
    if (variant == "conveyor") run_conveyor(w, problem_);
    if (variant == "actor") run_actor(w, problem_);
    if (variant == "lambda") run_lambda(w, problem_);
    // One-sided, an edge costs three gets. Answers are not counted: how many there are is the result.
    return {.n_operations = n_edges, .n_messages = variant.starts_with("agp") ? 3 * n_edges : n_questions(problem_)};
  }

  bool verify(world& w, std::string& why) override {
    const bool fits = fits_one_pe(problem_.both.n_rows(), n_edges_);
    const std::int64_t n = w.sum(fits ? n_unlike_reference(w) : n_unlike_other(w));
    const std::string method = fits           ? "the serial reference"
                               : is_row_wise_ ? "the variant actor"
                                              : "the variant row_wise";
    why = (n == 0 ? "every edge equals " : std::to_string(n) + " edges differ from ") + method;
    return n == 0;
  }

  void show(world& w, std::ostream& out) override {
    const outcome reached = outcome_of(w, problem_);
    if (w.my_pe() != 0) return;
    std::ostringstream text;
    text << std::fixed << std::setprecision(9) << "Jaccard similarity of " << n_edges_ << " edges of "
         << problem_.both.n_rows() << " vertices: " << reached.sum << " in all, " << reached.max << " at most\n";
    out << text.str();
  }

  std::string answer_json(world& w) override {
    const outcome reached = outcome_of(w, problem_);
    std::ostringstream text;
    text << std::setprecision(14) << "\"sum\": " << reached.sum << ", \"max\": " << reached.max;
    return text.str();
  }

private:
  // Degrees, from the graph; and the counts of PE 0's reference.
  std::int64_t n_unlike_reference(world& w) {
    if (!expected_) {
      expected_.emplace();
      const std::vector<entry> both = gather_on_first_pe(w, problem_.both);
      std::vector<counted_edge> all;
      std::vector<std::int64_t> degrees(static_cast<std::size_t>(problem_.both.n_rows()), 0);
      if (w.my_pe() == 0) all = reference(problem_.both.n_rows(), both);
      for (const auto [row, column] : both) ++degrees[static_cast<std::size_t>(row)];
      w.broadcast(std::span(degrees));
      all.resize(w.broadcast(all.size()));
      w.broadcast(std::span(all));
      for (const counted_edge& e : all) {
        if (problem_.both.rows.owner(e.high) != w.my_pe()) continue;
        (*expected_)[{e.high, e.low}] = {e.n_common,
                                         static_cast<std::uint32_t>(degrees[static_cast<std::size_t>(e.low)])};
      }
    }
    std::int64_t n = 0;
    for_each_edge([&](std::int64_t high, std::int64_t low, std::size_t e) {
      n += expected_->at({high, low}) != std::pair{problem_.n_common[e], problem_.degrees[e]};
    });
    return n;
  }

  std::int64_t n_unlike_other(world& w) {
    problem other{.both = problem_.both, .n_common = {}, .degrees = {}};
    other.n_common.resize(problem_.n_common.size());
    other.degrees.resize(problem_.degrees.size());
    if (is_row_wise_) {
      run_actor(w, other);
    } else {
      run_row_wise(w, other);
    }
    std::int64_t n = 0;
    for_each_edge([&](std::int64_t, std::int64_t, std::size_t e) {
      n += other.n_common[e] != problem_.n_common[e] || other.degrees[e] != problem_.degrees[e];
    });
    return n;
  }

  template <class F>
  void for_each_edge(F&& f) const {
    for (std::int64_t i = 0; i < problem_.both.n_local_rows(); ++i) {
      std::size_t e = problem_.first_edge(i);
      for (const std::int64_t j : problem_.lower(i)) f(problem_.both.global_row(i), j, e++);
    }
  }

  problem problem_;
  std::int64_t n_edges_;  // on all PEs, each once
  bool is_row_wise_ = false;
  // By edge of this PE: common neighbours, and the degree of the lower end. Computed at the first use.
  std::optional<std::map<std::pair<std::int64_t, std::int64_t>, std::pair<std::uint32_t, std::uint32_t>>> expected_;
};

}  // namespace
}  // namespace jaccard

kernel_description describe_jaccard() {
  return {
      .name = "jaccard",
      .summary = "Jaccard similarity of the ends of each edge of a graph, taken as undirected",
      .variants = {"agp", "agp_nb", "conveyor", "actor", "lambda", "row_wise"},
      .one_sided = {"agp", "agp_nb"},
      .options = with_graph_options({}),
      .make = [](world& w, const option_list& options) -> std::unique_ptr<kernel> {
        return std::make_unique<jaccard::jaccard_kernel>(w, jaccard::parse(options));
      },
  };
}

}  // namespace shoal::kernels
