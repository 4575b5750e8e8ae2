// The histogram as the command sees it: options, choice of the variant, check of the answer.
#include <algorithm>

#include "kernels/comparison.hpp"
#include "kernels/histogram/problem.hpp"

namespace shoal::kernels {
namespace histogram {
namespace {

// Each PE recounts the updates of all PEs; this is the most in total, about a second of work for one core, or several
// seconds if keys follow Zipf's law.
constexpr std::uint64_t n_recounted_max = 100'000'000;

class histogram_kernel final : public kernel {
public:
  histogram_kernel(world& w, const parameters& given) : problem_(make_problem(w, given)) {}

  void prepare(world&, std::string_view variant) override {
    is_loop_ = variant == "loop";
    std::ranges::fill(problem_.counts, 0);
  }

  work run(world& w, std::string_view variant) override {
    if (variant == "agp") run_agp(w, problem_);
    if (variant == "agp_nb") run_agp_nb(w, problem_);
    if (variant == "conveyor") run_conveyor(w, problem_);
    if (variant == "exstack") run_exstack(w, problem_);
    if (variant == "exstack2") run_exstack2(w, problem_);
    if (variant == "actor") run_actor(w, problem_);
    if (variant == "lambda") run_lambda(w, problem_);
    const std::uint64_t n = problem_.given.n_updates;
    if (variant == "combining") return {.n_operations = n, .n_messages = run_combining(w, problem_)};
    if (variant == "loop") run_loop(problem_);
    return {.n_operations = n, .n_messages = variant == "loop" ? 0 : n};
  }

  bool verify(world& w, std::string& why) override {
    if (!is_loop_ && !can_recount(w) && !w.is_one_sided()) return verify_checksum(w, why);
    const std::vector<std::int64_t>& expected = is_loop_ ? expected_of_loop() : expected_of_all(w);
    comparison check;
    for (std::size_t i = 0; i < expected.size(); ++i) check.compare(i, problem_.counts[i], expected[i]);
    const bool is_reference = is_loop_ || can_recount(w);
    return check.agree(w, "count", is_reference ? "a serial recount" : "a count by remote atomics", why);
  }

  // An increment of the entry that the last one changed waits for it, so frequent entries take longer.
  double loop_ns_max() const override {
    return problem_.given.table_size <= 1000 && problem_.given.zipf_exponent == 0 ? 1.1 : 0;
  }

private:
  bool verify_checksum(world& w, std::string& why) const {
    const bool is_right = has_checksum_of_updates(w, problem_);
    why =
        is_right ? "the counts have the checksum of the updates" : "the counts do not have the checksum of the updates";
    return is_right;
  }

  bool can_recount(const world& w) const {
    const auto n_pes = static_cast<std::uint64_t>(w.n_pes());
    return problem_.given.n_updates <= n_recounted_max / n_pes / n_pes;
  }

  const std::vector<std::int64_t>& expected_of_all(world& w) {
    if (expected_.empty()) {
      expected_ = can_recount(w) ? reference(problem_.given, w.n_pes(), w.my_pe()) : count_by_atomics(w);
    }
    return expected_;
  }

  // bale checks its histogram in this way: one remote addition for each update. The check shares nothing with what is
  // checked but the memory. (For the variant agp, which does the same, it is no check.)
  std::vector<std::int64_t> count_by_atomics(world& w) {
    const symmetric<std::int64_t> table = w.allocate<std::int64_t>(problem_.given.table_size);
    for (const auto [slot, pe] : problem_.updates) w.fetch_add(table, slot, std::int64_t{1}, pe);
    w.quiet();
    w.barrier();
    const std::span counts = w.local(table);
    std::vector<std::int64_t> counted(counts.begin(), counts.end());
    w.deallocate(table);
    return counted;
  }

  const std::vector<std::int64_t>& expected_of_loop() {
    if (expected_of_loop_.empty()) {
      expected_of_loop_.resize(problem_.counts.size());
      for (const update u : problem_.updates) ++expected_of_loop_[u.slot];
    }
    return expected_of_loop_;
  }

  problem problem_;
  bool is_loop_ = false;
  std::vector<std::int64_t> expected_;
  std::vector<std::int64_t> expected_of_loop_;
};

}  // namespace
}  // namespace histogram

kernel_description describe_histogram() {
  return {
      .name = "histogram",
      .summary = "count random entries of a table that is spread over all PEs",
      .variants = {"agp", "agp_nb", "conveyor", "exstack", "exstack2", "actor", "lambda", "combining"},
      .one_sided = {"agp", "agp_nb"},
      .has_loop = true,
      .options = {{"updates", "10000000", "updates that each PE makes"},
                  {"table", "1000", "entries of the table on each PE"},
                  {"keys", "uniform",
                   "how often entries come: uniform, or zipf:EXPONENT (0.01 to "
                   "10), where the k-th most frequent entry has weight k^-EXPONENT"},
                  {"seed", "1", "seed of the random updates"},
                  {"prefetch", "auto",
                   "the actor's prefetch hook: on, off, or auto for on when a "
                   "PE's part of the table exceeds the core's cache"}},
      .make = [](world& w, const option_list& options) -> std::unique_ptr<kernel> {
        return std::make_unique<histogram::histogram_kernel>(w, histogram::parse(options));
      },
      .check = [](const option_list& options) { histogram::parse(options); },
  };
}

}  // namespace shoal::kernels
