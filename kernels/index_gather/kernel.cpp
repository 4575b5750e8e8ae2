// Index gather as the command sees it: options, choice of the variant, check of the answer.
#include <algorithm>

#include "kernels/comparison.hpp"
#include "kernels/index_gather/problem.hpp"

namespace shoal::kernels {
namespace index_gather {
namespace {

class index_gather_kernel final : public kernel {
public:
  index_gather_kernel(world& w, const parameters& given) : problem_(make_problem(w, given)) {}

  void prepare(world& w, std::string_view variant) override {
    if (variant == "array" && problem_.global == nullptr) {
      problem_.global = std::make_unique<global_reads>(w, problem_);
    }
    is_loop_ = variant == "loop";
    std::ranges::fill(problem_.target, 0);  // no entry is 0
  }

  work run(world& w, std::string_view variant) override {
    if (variant == "agp") run_agp(w, problem_);
    if (variant == "agp_nb") run_agp_nb(w, problem_);
    if (variant == "conveyor") run_conveyor(w, problem_);
    if (variant == "exstack") run_exstack(w, problem_);
    if (variant == "exstack2") run_exstack2(w, problem_);
    if (variant == "actor") run_actor(w, problem_);
    if (variant == "lambda") run_lambda(w, problem_);
    if (variant == "array") run_array(w, problem_);
    if (variant == "loop") run_loop(problem_);
    const std::uint64_t n = problem_.given.n_reads;
    const std::uint64_t n_by_message = variant == "loop" ? 0 : variant == "array" ? problem_.global->n_by_message : n;
    return {.n_operations = n, .n_messages = 2 * n_by_message};
  }

  bool verify(world& w, std::string& why) override {
    const auto me = static_cast<std::uint32_t>(w.my_pe());
    std::vector<request> requests = problem_.requests;
    if (is_loop_) {
      for (request& r : requests) r.pe = me;
    }
    const std::vector<std::int64_t> expected = reference(requests, w.n_pes());
    comparison check;
    for (std::size_t i = 0; i < expected.size(); ++i) check.compare(i, problem_.target[i], expected[i]);
    return check.agree(w, "read", "what the table holds there", why);
  }

  double loop_ns_max() const override { return problem_.given.table_size <= 100'000 ? 1.7 : 0; }

private:
  problem problem_;
  bool is_loop_ = false;
};

}  // namespace
}  // namespace index_gather

kernel_description describe_index_gather() {
  return {
      .name = "index_gather",
      .summary = "read random entries of a table that is spread over all PEs",
      .variants = {"agp", "agp_nb", "conveyor", "exstack", "exstack2", "actor", "lambda", "array"},
      .one_sided = {"agp", "agp_nb"},
      .has_loop = true,
      .options = {{"reads", "10000000", "reads that each PE makes"},
                  {"table", "100000", "entries of the table on each PE"},
                  {"seed", "1", "seed of the random reads"},
                  {"index-bits", "32", "width of indices in messages: 32, or 64 as in other systems"}},
      .make = [](world& w, const option_list& options) -> std::unique_ptr<kernel> {
        return std::make_unique<index_gather::index_gather_kernel>(w, index_gather::parse(options));
      },
      .check = [](const option_list& options) { index_gather::parse(options); },
  };
}

}  // namespace shoal::kernels
