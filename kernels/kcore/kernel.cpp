// K-core decomposition as the command sees it: choice of the variant, check and print of the answer.
#include <optional>
#include <ostream>
#include <span>

#include "kernels/comparison.hpp"
#include "kernels/kcore/problem.hpp"

namespace shoal::kernels {
namespace kcore {
namespace {

class kcore_kernel final : public kernel {
public:
  kcore_kernel(world& w, const parameters& given)
      : problem_(make_problem(w, given)), n_edges_(n_entries(w, problem_.both) / 2) {}

  void prepare(world&, std::string_view) override { reset(problem_); }

  work run(world& w, std::string_view variant) override {
    variant == "actor" ? run_actor(w, problem_) : run_lambda(w, problem_);
    return {.n_operations = static_cast<std::uint64_t>(problem_.both.n_local_entries()),
            .n_messages = problem_.n_messages};
  }

  bool verify(world& w, std::string& why) override {
    const bool fits = fits_one_pe(problem_.both.n_rows(), n_edges_);
    if (!expected_) expected_ = fits ? by_reference(w) : cores_by_h_index(w, problem_);
    comparison found;
    for (std::size_t v = 0; v < expected_->size(); ++v) found.compare(v, problem_.cores[v], (*expected_)[v]);
    return found.agree(w, "core", fits ? "the serial reference" : "what the h-indices of neighbours lead to", why);
  }

  void show(world& w, std::ostream& out) override {
    const auto [k, n] = innermost(w);
    if (w.my_pe() != 0) return;
    out << "the innermost core of " << problem_.both.n_rows() << " vertices is core " << k << ", with " << n
        << " vertices\n";
  }

  std::string answer_json(world& w) override {
    const auto [k, n] = innermost(w);
    return "\"innermost\": " + std::to_string(k) + ", \"vertices\": " + std::to_string(n);
  }

private:
  // The largest k, and how many vertices are in that core.
  std::pair<std::uint32_t, std::int64_t> innermost(world& w) const {
    std::uint32_t k = 0;
    for (const std::uint32_t core : problem_.cores) k = std::max(k, core == undecided ? 0 : core);
    k = w.max(k);
    return {k, w.sum(std::int64_t{std::ranges::count(problem_.cores, k)})};
  }

  std::vector<std::uint32_t> by_reference(world& w) const {
    const std::vector<entry> both = gather_on_first_pe(w, problem_.both);
    std::vector<std::uint32_t> cores(static_cast<std::size_t>(problem_.both.n_rows()));
    if (w.my_pe() == 0) cores = reference(problem_.both.n_rows(), both);
    if (!cores.empty()) w.broadcast(std::span(cores));
    std::vector<std::uint32_t> mine;
    for (std::int64_t v = 0; v < problem_.both.n_local_rows(); ++v) {
      mine.push_back(cores[static_cast<std::size_t>(problem_.both.global_row(v))]);
    }
    return mine;
  }

  problem problem_;
  std::int64_t n_edges_;  // on all PEs, each once
  std::optional<std::vector<std::uint32_t>> expected_;  // computed at the first use
};

}  // namespace
}  // namespace kcore

kernel_description describe_kcore() {
  return {
      .name = "kcore",
      .summary = "k-core decomposition of a graph, taken as undirected",
      .variants = {"actor", "lambda"},
      .options = with_graph_options({}),
      .make = [](world& w, const option_list& options) -> std::unique_ptr<kernel> {
        return std::make_unique<kcore::kcore_kernel>(w, kcore::parse(options));
      },
  };
}

}  // namespace shoal::kernels
