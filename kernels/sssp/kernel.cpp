// Shortest paths as the command sees them: options, choice of the variant, check and print of the answer.
#include <iomanip>
#include <optional>
#include <ostream>
#include <span>
#include <sstream>

#include "kernels/root.hpp"
#include "kernels/sssp/problem.hpp"

namespace shoal::kernels {
namespace sssp {
namespace {

class sssp_kernel final : public kernel {
public:
  sssp_kernel(world& w, const parameters& given)
      : problem_(make_problem(w, given)), n_edges_(n_entries(w, problem_.edges)) {}

  void prepare(world&, std::string_view) override {
    problem_.distances.assign(problem_.distances.size(), far);
    problem_.n_messages = 0;
  }

  work run(world& w, std::string_view variant) override {
    variant == "actor" ? run_actor(w, problem_) : run_lambda(w, problem_);
    std::uint64_t n = 0;
    for (std::size_t v = 0; v < problem_.distances.size(); ++v) {
      if (problem_.distances[v] != far) n += problem_.edges.row(static_cast<std::int64_t>(v)).size();
    }
    return {.n_operations = n, .n_messages = problem_.n_messages};
  }

  bool verify(world& w, std::string& why) override {
    const std::int64_t n = n_faults(w, problem_);
    if (n != 0) {
      why = std::to_string(n) + " edges or vertices contradict the distances";
      return false;
    }
    why = "no edge offers a shorter way, and each distance is offered by one";
    if (!fits_one_pe(problem_.edges.n_rows(), n_edges_)) return true;
    const std::int64_t n_different = n_unlike_reference(w);
    why = n_different == 0 ? "every distance equals the serial reference"
                           : std::to_string(n_different) + " distances differ from the serial reference";
    return n_different == 0;
  }

  void show(world& w, std::ostream& out) override {
    const auto [n_reached, farthest] = outcome(w);
    if (w.my_pe() != 0) return;
    std::ostringstream text;
    text << n_reached << " of " << problem_.edges.n_rows() << " vertices can be reached from " << problem_.root + 1
         << "; the farthest is " << std::setprecision(6) << farthest << " away\n";
    out << text.str();
  }

  std::string answer_json(world& w) override {
    const auto [n_reached, farthest] = outcome(w);
    std::ostringstream text;
    text << std::setprecision(17) << "\"reached\": " << n_reached << ", \"farthest\": " << farthest;
    return text.str();
  }

private:
  std::pair<std::int64_t, double> outcome(world& w) const {
    std::int64_t n = 0;
    double farthest = 0;
    for (const double d : problem_.distances) {
      if (d == far) continue;
      ++n;
      farthest = std::max(farthest, d);
    }
    return {w.sum(n), w.max(farthest)};
  }

  std::int64_t n_unlike_reference(world& w) {
    if (!expected_) {
      std::vector<weighted_entry> edges;
      actor keep{w,
                 [&](std::span<const weighted_entry> batch) { edges.insert(edges.end(), batch.begin(), batch.end()); }};
      w.finish([&] {
        for (std::int64_t r = 0; r < problem_.edges.n_local_rows(); ++r) {
          for (std::size_t i = 0; i < problem_.edges.row(r).size(); ++i) {
            keep.send(0, weighted_entry{problem_.edges.global_row(r), problem_.edges.row(r)[i],
                                        problem_.edges.row_values(r)[i]});
          }
        }
      });
      std::vector<double> distances(static_cast<std::size_t>(problem_.edges.n_rows()));
      if (w.my_pe() == 0) distances = reference(problem_.edges.n_rows(), problem_.root, edges);
      w.broadcast(std::span(distances));
      expected_ = std::move(distances);
    }
    std::int64_t n = 0;
    for (std::size_t v = 0; v < problem_.distances.size(); ++v) {
      const std::int64_t vertex = problem_.edges.global_row(static_cast<std::int64_t>(v));
      n += problem_.distances[v] != (*expected_)[static_cast<std::size_t>(vertex)];
    }
    return w.sum(n);
  }

  problem problem_;
  std::int64_t n_edges_;  // on all PEs
  std::optional<std::vector<double>> expected_;  // of all vertices, computed at the first use
};

}  // namespace
}  // namespace sssp

kernel_description describe_sssp() {
  return {
      .name = "sssp",
      .summary = "shortest paths from one vertex of a graph, over edges of random lengths",
      .variants = {"actor", "lambda"},
      .options =
          with_graph_options({{"root", "most", root_help},
                              {"undirected", "no", "also go against edges"},
                              {"delta", "auto", "distances of one bucket; auto for 1 over the edges of a vertex"},
                              {"seed", "1", "seed of the lengths"}}),
      .make = [](world& w, const option_list& options) -> std::unique_ptr<kernel> {
        return std::make_unique<sssp::sssp_kernel>(w, sssp::parse(options));
      },
  };
}

}  // namespace shoal::kernels
