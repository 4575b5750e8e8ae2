// RandomAccess as the command sees it: options, choice of the variant, check of the answer.
#include <algorithm>
#include <string>
#include <vector>

#include "kernels/random_access/problem.hpp"

namespace shoal::kernels {
namespace random_access {
namespace {

// Every PE makes the updates of all PEs for the check; this is the most, some seconds for two cores.
constexpr std::int64_t n_remade_max = std::int64_t{1} << 28;

class random_access_kernel final : public kernel {
public:
  random_access_kernel(world& w, const parameters& given) : problem_(make_problem(w, given)) { fill(w, problem_); }

  void prepare(world& w, std::string_view variant) override {
    is_loop_ = variant == "loop";
    fill(w, problem_);
  }

  work run(world& w, std::string_view variant) override {
    if (variant == "agp") run_agp(w, problem_);
    if (variant == "conveyor") run_conveyor(w, problem_);
    if (variant == "actor") run_actor(w, problem_);
    if (variant == "lambda") run_lambda(w, problem_);
    if (variant == "loop") run_loop(w, problem_);
    const auto n = static_cast<std::uint64_t>(problem_.updates.n_local(w.my_pe()));
    return {.n_operations = n, .n_messages = variant == "loop" ? 0 : n};
  }

  bool verify(world& w, std::string& why) override {
    const bool is_remade = !is_loop_ && problem_.updates.n() * w.n_pes() <= n_remade_max;
    const std::int64_t n = w.sum(is_remade ? n_wrong(w, problem_) : n_wrong_after_both(w));
    const std::string method =
        is_remade ? "serially made updates" : "what they were, after all updates were made once more";
    why = n == 0 ? "all words equal " + method : std::to_string(n) + " words differ from " + method;
    return n == 0;
  }

private:
  // Leaves the table as it was found.
  std::int64_t n_wrong_after_both(world& w) {
    const std::vector<std::uint64_t> found(problem_.part.begin(), problem_.part.end());
    w.barrier();  // nobody changes words that another PE still saves
    is_loop_ ? run_loop(w, problem_) : run_actor(w, problem_);
    w.barrier();
    std::int64_t n = 0;
    for (std::size_t i = 0; i < problem_.part.size(); ++i) {
      n += problem_.part[i] !=
           static_cast<std::uint64_t>(problem_.words.global(w.my_pe(), static_cast<std::int64_t>(i)));
    }
    // An empty run would pass otherwise.
    const bool is_changed = found != std::vector<std::uint64_t>(problem_.part.begin(), problem_.part.end());
    std::ranges::copy(found, problem_.part.begin());
    return w.max(static_cast<int>(is_changed)) != 0 ? n : n + 1;
  }

  problem problem_;
  bool is_loop_ = false;
};

}  // namespace
}  // namespace random_access

kernel_description describe_random_access() {
  return {
      .name = "random_access",
      .summary = "HPC Challenge RandomAccess: combine random words of a table on all PEs with random numbers",
      .variants = {"agp", "conveyor", "actor", "lambda"},
      .one_sided = {"agp"},
      .has_loop = true,
      .options = {{"table-log2", "20", "the table has two to this power words, on all PEs together"},
                  {"updates-per-word", "4", "updates for each word, on average"}},
      .make = [](world& w, const option_list& options) -> std::unique_ptr<kernel> {
        return std::make_unique<random_access::random_access_kernel>(w, random_access::parse(options));
      },
      .check = [](const option_list& options) { random_access::parse(options); },
  };
}

}  // namespace shoal::kernels
