// Breadth-first search as the command sees it: options, choice of the variant, check and print of the answer.
#include <optional>
#include <ostream>

#include "kernels/bfs/problem.hpp"
#include "kernels/comparison.hpp"
#include "kernels/root.hpp"

namespace shoal::kernels {
namespace bfs {
namespace {

class bfs_kernel final : public kernel {
public:
  bfs_kernel(world& w, const parameters& given)
      : problem_(make_problem(w, given)), n_edges_(n_entries(w, problem_.edges)) {}

  void prepare(world&, std::string_view) override {
    problem_.parents.assign(problem_.parents.size(), nothing);
    problem_.levels.assign(problem_.levels.size(), nothing);
  }

  work run(world& w, std::string_view variant) override {
    if (variant == "agp") run_agp(w, problem_);
    if (variant == "conveyor") run_conveyor(w, problem_);
    if (variant == "actor") run_actor(w, problem_);
    if (variant == "lambda") run_lambda(w, problem_);
    std::uint64_t n = 0;
    for (std::size_t v = 0; v < problem_.levels.size(); ++v) {
      if (problem_.levels[v] != nothing) n += problem_.edges.row(static_cast<std::int64_t>(v)).size();
    }
    return {.n_operations = n, .n_messages = n};
  }

  bool verify(world& w, std::string& why) override {
    const std::int64_t n = n_faults(w, problem_);
    if (n != 0) {
      why = std::to_string(n) + " vertices or edges contradict the tree or the levels";
      return false;
    }
    why = "the tree has edges of the graph only, and no edge leads farther than one level";
    if (!fits_one_pe(problem_.edges.n_rows(), n_edges_)) return true;
    return equals_reference(w, why);
  }

  void show(world& w, std::ostream& out) override {
    const outcome reached = outcome_of(w, problem_);
    if (w.my_pe() != 0) return;
    out << reached.n_reached << " of " << problem_.edges.n_rows() << " vertices can be reached from " << root_name()
        << ", the farthest over " << reached.eccentricity << " edges\n";
  }

  std::string answer_json(world& w) override {
    const outcome reached = outcome_of(w, problem_);
    return "\"reached\": " + std::to_string(reached.n_reached) +
           ", \"eccentricity\": " + std::to_string(reached.eccentricity) +
           ", \"edges\": " + std::to_string(reached.n_edges);
  }

private:
  std::string root_name() const {
    return problem_.given.root == "most" ? std::to_string(problem_.root + 1) : problem_.given.root;
  }

  bool equals_reference(world& w, std::string& why) {
    if (!expected_) {
      const std::vector<entry> edges = gather_on_first_pe(w, problem_.edges);
      std::vector<std::int64_t> levels(static_cast<std::size_t>(problem_.edges.n_rows()));
      if (w.my_pe() == 0) levels = reference(problem_.edges.n_rows(), problem_.root, edges);
      w.broadcast(std::span(levels));
      expected_.emplace();
      for (std::int64_t v = 0; v < problem_.edges.n_local_rows(); ++v) {
        expected_->push_back(levels[static_cast<std::size_t>(problem_.edges.global_row(v))]);
      }
    }
    comparison found;
    for (std::size_t v = 0; v < expected_->size(); ++v) found.compare(v, problem_.levels[v], (*expected_)[v]);
    return found.agree(w, "level", "the serial reference", why);
  }

  problem problem_;
  std::int64_t n_edges_;  // on all PEs
  std::optional<std::vector<std::int64_t>> expected_;  // levels of this PE's vertices, computed at the first use
};

}  // namespace
}  // namespace bfs

kernel_description describe_bfs() {
  return {
      .name = "bfs",
      .summary = "which vertices of a graph can be reached from one, and over how few edges",
      .variants = {"agp", "conveyor", "actor", "lambda"},
      .one_sided = {"agp"},
      .has_loop = false,
      .options = with_graph_options(
          {{"root", "most",
            "where to begin: a vertex, by its number from 1 or its name; most: the one with most edges"},
           {"undirected", "no", "also go against edges"}}),
      .make = [](world& w, const option_list& options) -> std::unique_ptr<kernel> {
        return std::make_unique<bfs::bfs_kernel>(w, bfs::parse(options));
      },
  };
}

}  // namespace shoal::kernels
