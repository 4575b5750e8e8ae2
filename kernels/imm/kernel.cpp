// Influence maximisation as the command sees it: options, choice of the variant, check and print of the answer.
#include <cmath>
#include <iomanip>
#include <optional>
#include <ostream>
#include <sstream>

#include "kernels/imm/problem.hpp"

namespace shoal::kernels {
namespace imm {
namespace {

class imm_kernel final : public kernel {
public:
  imm_kernel(world& w, const parameters& given)
      : problem_(make_problem(w, given)),
        names_(read_names(w, given.graph, problem_.incoming)),
        n_edges_(n_entries(w, problem_.incoming)) {}

  void prepare(world&, std::string_view) override {
    problem_.chosen = {};
    problem_.n_members = 0;
    problem_.n_messages = 0;
  }

  work run(world& w, std::string_view variant) override {
    if (variant == "actor") run_actor(w, problem_);
    if (variant == "lambda") run_lambda(w, problem_);
    if (variant == "parallel") run_parallel(w, problem_);
    return {.n_operations = problem_.n_members, .n_messages = problem_.n_messages};
  }

  bool verify(world& w, std::string& why) override {
    // The reference counts all members anew for each vertex that it chooses.
    const std::uint64_t n_counted = w.sum(problem_.members.size()) * problem_.given.n_seeds;
    const bool fits = fits_one_pe(problem_.n(), n_edges_) && n_counted <= 1'000'000'000;
    return fits ? equals_reference(w, why) : has_no_fault(w, why);
  }

  void show(world& w, std::ostream& out) override {
    if (w.my_pe() != 0) return;
    std::ostringstream text;
    text << std::fixed << std::setprecision(1) << problem_.chosen.seeds.size() << " of " << problem_.n()
         << " vertices, chosen from " << problem_.n_sets << " random sets, reach about " << problem_.influence()
         << " (standard error " << problem_.influence_error() << "), as " << problem_.n_fresh_sets
         << " fresh sets tell; first, and what each adds:\n";
    for (std::size_t i = 0; i < n_shown(); ++i) {
      text << "  " << reached_by(i) << "  " << name_of(problem_.chosen.seeds[i]) << '\n';
    }
    out << text.str();
  }

  std::string answer_json(world& w) override {
    if (w.my_pe() != 0) return {};
    std::ostringstream text;
    text << std::setprecision(14) << "\"influence\": " << problem_.influence()
         << ", \"standard_error\": " << problem_.influence_error() << ", \"sets\": " << problem_.n_sets
         << ", \"top\": [";
    for (std::size_t i = 0; i < n_shown(); ++i) {
      const std::int64_t vertex = problem_.chosen.seeds[i];
      text << (i == 0 ? "" : ", ") << "{\"vertex\": " << vertex + 1 << ", \"name\": " << json_string(name_of(vertex))
           << ", \"adds\": " << reached_by(i) << '}';
    }
    text << ']';
    return text.str();
  }

private:
  bool equals_reference(world& w, std::string& why) {
    if (!expected_) expected_ = by_reference(w);
    const selection& found = problem_.chosen;
    const selection& right = expected_->chosen;
    const bool is_equal = problem_.n_sets == expected_->n_sets && found.seeds == right.seeds &&
                          found.gains == right.gains && problem_.fresh_gains == expected_->fresh_gains;
    why = is_equal ? "the vertices, and how many of " + std::to_string(problem_.n_sets) + " sets and of " +
                         std::to_string(problem_.n_fresh_sets) + " fresh ones each adds, equal the serial reference"
                   : "the vertices, or the sets that they add, differ from the serial reference";
    return w.min(static_cast<int>(is_equal)) != 0;
  }

  bool has_no_fault(world& w, std::string& why) const {
    const faults found = find_faults(w, problem_);
    const double influence = problem_.influence();
    // The second term is for means of few cascades whose sizes differ much: their spread is not known well.
    const bool is_near = std::abs(found.reached - influence) <= 6 * found.error + 0.1 * influence;
    std::ostringstream text;
    if (found.n_gains + found.n_better + found.n_sets == 0 && is_near) {
      text << "each vertex adds what a recount says, and none would add more; " << found.n_followed
           << " cascades reach the roots of the covered sets alone, and " << found.reached << " vertices on average";
    } else {
      text << found.n_gains << " vertices add not what a recount says; " << found.n_better << " would add more; "
           << found.n_sets << " of " << found.n_followed << " cascades contradict a set; they reach " << found.reached
           << " vertices on average instead of " << influence;
    }
    why = text.str();
    return found.n_gains + found.n_better + found.n_sets == 0 && is_near;
  }

  answer by_reference(world& w) const {
    const std::vector<entry> incoming = gather_on_first_pe(w, problem_.incoming);
    answer right;
    if (w.my_pe() == 0) right = reference(problem_.given, problem_.n(), incoming);
    right.n_sets = w.broadcast(right.n_sets);
    right.chosen.seeds.resize(problem_.given.n_seeds);
    right.chosen.gains.resize(problem_.given.n_seeds);
    w.broadcast(std::span(right.chosen.seeds));
    w.broadcast(std::span(right.chosen.gains));
    right.fresh_gains.resize(problem_.given.n_seeds);
    w.broadcast(std::span(right.fresh_gains));
    return right;
  }

  std::size_t n_shown() const { return std::min<std::size_t>(10, problem_.chosen.seeds.size()); }
  double reached_by(std::size_t i) const { return problem_.reached_with(problem_.fresh_gains[i]); }
  std::string name_of(std::int64_t vertex) const {
    return names_.empty() ? std::to_string(vertex + 1) : names_[static_cast<std::size_t>(vertex)];
  }

  problem problem_;
  std::vector<std::string> names_;  // on PE 0, if given
  std::int64_t n_edges_;  // on all PEs
  std::optional<answer> expected_;  // the reference's, computed at the first use
};

}  // namespace
}  // namespace imm

kernel_description describe_imm() {
  return {
      .name = "imm",
      .summary = "which vertices of a graph reach most others by random cascades, and about how many",
      .variants = {"actor", "lambda", "parallel"},
      .options = with_graph_options(
          {{"seeds", "auto", "how many vertices to choose; auto: 50, or all of a graph that has fewer"},
           {"undirected", "no", "also go against edges"},
           {"probability", "weighted",
            "with which an edge lets through; weighted: 1 over the edges that lead to the same vertex"},
           {"epsilon", "0.5", "the chosen ones reach at least 1 - 1/e - epsilon of what the best would,"},
           {"ell", "1", "with a probability of 1 - n^-ell for n vertices"},
           {"seed", "1", "seed of the random sets"}}),
      .make = [](world& w, const option_list& options) -> std::unique_ptr<kernel> {
        return std::make_unique<imm::imm_kernel>(w, imm::parse(options));
      },
  };
}

}  // namespace shoal::kernels
