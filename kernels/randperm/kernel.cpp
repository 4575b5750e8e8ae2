// The random permutation as the command sees it: options, choice of the variant, check of the answer.
#include <algorithm>

#include "kernels/comparison.hpp"
#include "kernels/randperm/problem.hpp"

namespace shoal::kernels {
namespace randperm {
namespace {

// Each PE computes the whole permutation, which takes a second or two for this many in total.
constexpr std::uint64_t n_serial_max = 10'000'000;

class randperm_kernel final : public kernel {
public:
  randperm_kernel(world& w, const parameters& given) : problem_(make_problem(w, given)) {}

  void prepare(world&, std::string_view variant) override {
    has_darts_ = variant != "scatter";
    std::ranges::fill(problem_.places, empty);
    problem_.n_thrown = 0;
    problem_.part.clear();
  }

  work run(world& w, std::string_view variant) override {
    if (variant == "agp") run_agp(w, problem_);
    if (variant == "conveyor") run_conveyor(w, problem_);
    if (variant == "exstack") run_exstack(w, problem_);
    if (variant == "exstack2") run_exstack2(w, problem_);
    if (variant == "actor") run_actor(w, problem_);
    if (variant == "lambda") run_lambda(w, problem_);
    if (variant == "scatter") run_scatter(w, problem_);
    return {.n_operations = problem_.given.n_entries, .n_messages = problem_.n_thrown};
  }

  bool verify(world& w, std::string& why) override {
    const std::uint64_t n_wrong = count_wrong(w);
    why = n_wrong == 0 ? "every number comes once" : std::to_string(n_wrong) + " numbers do not come once";
    if (n_wrong != 0 || !has_darts_ || problem_.given.n_entries > n_serial_max / problem_.n_pes / problem_.n_pes) {
      return n_wrong == 0;
    }
    if (expected_.empty()) expected_ = reference(problem_);
    const std::uint64_t first = static_cast<std::uint64_t>(w.my_pe()) * problem_.given.n_entries;
    comparison check;
    for (std::size_t i = 0; i < problem_.part.size(); ++i) check.compare(i, problem_.part[i], expected_[first + i]);
    return check.agree(w, "entry", "the serial reference", why);
  }

private:
  // How many numbers do not come exactly once; also counts if a part has another size.
  std::uint64_t count_wrong(world& w) const {
    std::vector<std::uint8_t> n_seen(problem_.given.n_entries);
    std::uint64_t n_wrong = problem_.part.size() != n_seen.size();
    actor seen{w, [&](std::uint32_t slot) {
                 if (slot >= n_seen.size() || n_seen[slot]++ != 0) ++n_wrong;
               }};
    w.finish([&] {
      for (const std::uint32_t number : problem_.part) {
        seen.send(static_cast<pe_id>(number % problem_.n_pes), static_cast<std::uint32_t>(number / problem_.n_pes));
      }
    });
    n_wrong += static_cast<std::uint64_t>(std::ranges::count(n_seen, 0));
    return w.sum(n_wrong);
  }

  problem problem_;
  bool has_darts_ = true;
  std::vector<std::uint32_t> expected_;  // the whole permutation, computed at the first use
};

}  // namespace
}  // namespace randperm

kernel_description describe_randperm() {
  return {
      .name = "randperm",
      .summary = "put the numbers below N in random order",
      .variants = {"agp", "conveyor", "exstack", "exstack2", "actor", "lambda", "scatter"},
      .one_sided = {"agp"},
      .options = {{"entries", "1000000", "entries of the permutation on each PE"},
                  {"seed", "1", "seed of the random permutation"}},
      .make = [](world& w, const option_list& options) -> std::unique_ptr<kernel> {
        return std::make_unique<randperm::randperm_kernel>(w, randperm::parse(options));
      },
      .check = [](const option_list& options) { randperm::parse(options); },
  };
}

}  // namespace shoal::kernels
