// Connected components as the command sees them: choice of the variant, check and print of the answer.
#include <optional>
#include <ostream>
#include <span>

#include "kernels/comparison.hpp"
#include "kernels/components/problem.hpp"

namespace shoal::kernels {
namespace components {
namespace {

class components_kernel final : public kernel {
public:
  components_kernel(world& w, const parameters& given)
      : problem_(make_problem(w, given)), n_edges_(n_entries(w, problem_.edges)) {
    prepare(w, {});
  }

  void prepare(world&, std::string_view) override {
    for (std::size_t v = 0; v < problem_.parents.size(); ++v) {
      problem_.parents[v] = static_cast<std::uint32_t>(problem_.edges.global_row(static_cast<std::int64_t>(v)));
    }
    problem_.n_messages = 0;
  }

  work run(world& w, std::string_view variant) override {
    variant == "actor" ? run_actor(w, problem_) : run_lambda(w, problem_);
    return {.n_operations = static_cast<std::uint64_t>(problem_.edges.n_local_entries()),
            .n_messages = problem_.n_messages};
  }

  bool verify(world& w, std::string& why) override {
    const bool fits = fits_one_pe(problem_.edges.n_rows(), n_edges_);
    if (!expected_) expected_ = fits ? by_reference(w) : lowest_by_telling(w, problem_);
    comparison found;
    for (std::size_t v = 0; v < expected_->size(); ++v) found.compare(v, problem_.parents[v], (*expected_)[v]);
    return found.agree(w, "component", fits ? "the serial reference" : "what vertices tell their neighbours", why);
  }

  void show(world& w, std::ostream& out) override {
    const std::int64_t n = n_components(w, problem_);
    if (w.my_pe() != 0) return;
    out << n << " connected components in a graph of " << problem_.edges.n_rows() << " vertices and " << n_edges_
        << " edges\n";
  }

  std::string answer_json(world& w) override { return "\"components\": " + std::to_string(n_components(w, problem_)); }

private:
  std::vector<std::uint32_t> by_reference(world& w) const {
    const std::vector<entry> edges = gather_on_first_pe(w, problem_.edges);
    std::vector<std::int64_t> lowest(static_cast<std::size_t>(problem_.edges.n_rows()));
    if (w.my_pe() == 0) lowest = reference(problem_.edges.n_rows(), edges);
    w.broadcast(std::span(lowest));
    std::vector<std::uint32_t> mine;
    for (std::int64_t v = 0; v < problem_.edges.n_local_rows(); ++v) {
      mine.push_back(static_cast<std::uint32_t>(lowest[static_cast<std::size_t>(problem_.edges.global_row(v))]));
    }
    return mine;
  }

  problem problem_;
  std::int64_t n_edges_;  // on all PEs
  std::optional<std::vector<std::uint32_t>> expected_;  // computed at the first use
};

}  // namespace
}  // namespace components

kernel_description describe_components() {
  return {
      .name = "components",
      .summary = "connected components of a graph, taken as undirected",
      .variants = {"actor", "lambda"},
      .options = with_graph_options({}),
      .make = [](world& w, const option_list& options) -> std::unique_ptr<kernel> {
        return std::make_unique<components::components_kernel>(w, components::parse(options));
      },
  };
}

}  // namespace shoal::kernels
