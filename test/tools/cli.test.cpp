// Tests the command `shoal` from the inside: a kernel with wrong answers, arithmetic of the table, JSON, suggestions.
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "shoal/base/setup_error.hpp"
#include "tools/cli/commands.hpp"
#include "tools/cli/json.hpp"
#include "tools/cli/measure.hpp"
#include "tools/cli/report.hpp"
#include "tools/cli/suggest.hpp"

namespace {

using namespace shoal::cli;
using shoal::world;
using shoal::kernels::kernel;
using shoal::kernels::kernel_description;
using shoal::kernels::option_list;
using shoal::kernels::work;

// Two variants, of which `wrong` gives a wrong answer from its second run on.
class lying_kernel final : public kernel {
public:
  void prepare(world&, std::string_view variant) override { calls += 'p', last_ = variant; }
  work run(world&, std::string_view variant) override {
    calls += variant.front();
    n_lies_ += variant == "wrong";
    return {.n_operations = 10, .n_messages = variant == "loop" ? 0U : 20U};
  }
  bool verify(world&, std::string& why) override {
    calls += 'v';
    why = "as \"" + last_ + "\" says";
    return last_ != "wrong" || n_lies_ < 2;
  }
  void show(world&, std::ostream& out) override { out << "the answer is 42\n"; }
  std::string answer_json(world&) override { return R"("answer": 42)"; }

  static inline std::string calls;

private:
  std::string last_;
  int n_lies_ = 0;
};

const kernel_description liar = {
    .name = "liar",
    .summary = "lies",
    .variants = {"right", "wrong"},
    .has_loop = true,
    .options = {},
    .make = [](world&, const option_list&) { return std::make_unique<lying_kernel>(); },
};

run_request request_for(std::vector<std::string> variants) {
  run_request request;
  request.kernel = &liar;
  request.variants = std::move(variants);
  request.has_baseline = true;
  request.where.substrate = shoal::substrate_kind::threads;
  request.where.pes = "1";
  request.n_repeats = 2;
  request.options = {{"size", "10"}, {"file", "a\"b"}};
  return request;
}

TEST(cli, a_right_answer_is_status_0_and_a_wrong_one_is_status_1) {
  testing::internal::CaptureStdout();
  EXPECT_EQ(run_kernel(request_for({"right"}), {}), 0);
  const std::string right = testing::internal::GetCapturedStdout();
  EXPECT_NE(right.find("the answer is 42"), right.npos);
  EXPECT_NE(right.find("verified: as \"right\" says"), right.npos);

  testing::internal::CaptureStdout();
  EXPECT_EQ(run_kernel(request_for({"right", "wrong"}), {}), 1);
  const std::string wrong = testing::internal::GetCapturedStdout();
  EXPECT_NE(wrong.find("WRONG: variant wrong: as \"wrong\" says"), wrong.npos);
  EXPECT_EQ(wrong.find("verified: "), wrong.npos);
}

// Warm-ups are verified; then the variants and the loop take turns, and the last run of each is verified.
TEST(cli, variants_and_loop_alternate) {
  lying_kernel::calls.clear();
  testing::internal::CaptureStdout();
  run_kernel(request_for({"right", "wrong"}), {});
  testing::internal::GetCapturedStdout();
  EXPECT_EQ(lying_kernel::calls,
            "prvpwvplv"
            "prpwpl"
            "prvpwvplv");
}

measurement two_variants() {
  measurement m;
  m.substrate = shoal::substrate_kind::local;
  m.n_pes = 2;
  m.loop_ns_max = 1.1;
  variant_result& actor = m.variants.emplace_back();
  actor = {.variant = "actor",
           .operations_per_pe = 1e6,
           .messages_per_pe = 2e6,
           .seconds = {4e-3, 2e-3, 9e-3},
           .is_verified = true,
           .why = {}};
  variant_result& loop = m.variants.emplace_back();
  loop = {.variant = "loop",
          .operations_per_pe = 1e6,
          .messages_per_pe = 0,
          .seconds = {2e-3, 1e-3, 1e-3},
          .is_verified = true,
          .why = {}};
  return m;
}

TEST(cli, numbers_of_the_table_follow_from_the_seconds) {
  const measurement m = two_variants();
  const summary s = summarise(m.variants[0].seconds);
  EXPECT_DOUBLE_EQ(s.median, 4e-3);
  EXPECT_DOUBLE_EQ(s.min, 2e-3);
  EXPECT_DOUBLE_EQ(s.max, 9e-3);
  EXPECT_DOUBLE_EQ(summarise({1, 2, 4, 8}).median, 3);
  EXPECT_DOUBLE_EQ(ns_per_message(m.variants[0]), 2);
  EXPECT_DOUBLE_EQ(ns_per_operation(m.variants[0]), 4);
  EXPECT_DOUBLE_EQ(ratio_to_loop(m.variants[0], m.loop()), 2) << "median of 2, 2 and 9";
  EXPECT_TRUE(std::isnan(ns_per_message(m.variants[1])));
  EXPECT_TRUE(std::isnan(ratio_to_loop(m.variants[0], nullptr)));
}

TEST(cli, a_slow_loop_invalidates_the_run) {
  measurement m = two_variants();
  EXPECT_TRUE(m.is_valid());  // 1 ns per operation
  m.variants[1].seconds = {2e-3, 2e-3, 1e-3};
  EXPECT_FALSE(m.is_valid());
  std::ostringstream table;
  print_table(table, request_for({"actor"}), m);
  EXPECT_NE(table.str().find("INVALID as a measurement: the plain loop took 2.00 ns"), std::string::npos);
  m.loop_ns_max = 0;
  EXPECT_TRUE(m.is_valid());
}

TEST(cli, table_names_the_state_of_the_machine) {
  measurement m = two_variants();
  const auto head = [&] {
    std::ostringstream table;
    print_table(table, request_for({"actor"}), m);
    return table.str().substr(0, table.str().find("\n\n"));
  };
  EXPECT_NE(head().find("n/a"), std::string::npos);
  m.handoff_ns = 59;
  EXPECT_NE(head().find("hand-off: 59 ns, near"), std::string::npos);
  m.handoff_ns = 61;
  EXPECT_NE(head().find("hand-off: 61 ns, far"), std::string::npos);
}

TEST(cli, json_lines_are_complete) {
  measurement m = two_variants();
  m.answer_json = R"("triangles": 3)";
  std::ostringstream lines;
  print_json(lines, request_for({"actor"}), m);
  const std::string first = lines.str().substr(0, lines.str().find('\n'));
  const std::string up_to_version = first.substr(0, first.find(R"("version")"));
  EXPECT_EQ(up_to_version, R"({"kernel": "liar", "variant": "actor", "substrate": "local", "pes": 2, )"
                           R"("parameters": {"size": 10, "file": "a\"b"}, "operations_per_pe": 1000000, )"
                           R"("messages_per_pe": 2000000, "seconds": {"median": 0.004, "min": 0.002, "max": 0.009}, )"
                           R"("ns_per_message": 2, "ns_per_operation": 4, "ratio_to_loop": 2, )"
                           R"("line_handoff_ns": null, "state": null, "valid": true, "verified": true, )");
  EXPECT_TRUE(first.ends_with(R"(, "answer": {"triangles": 3}})"));
  EXPECT_NE(lines.str().find(R"("variant": "loop")"), std::string::npos);
}

TEST(cli, json_tells_the_state_and_whether_the_run_is_valid) {
  measurement m = two_variants();
  const auto has = [&](const std::string& part) {
    std::ostringstream lines;
    print_json(lines, request_for({"actor"}), m);
    return lines.str().find(part) != std::string::npos;
  };
  m.handoff_ns = 59;
  EXPECT_TRUE(has(R"("line_handoff_ns": 59, "state": "near", "valid": true, )"));
  m.handoff_ns = 61;
  m.variants[1].seconds = {2e-3, 2e-3, 1e-3};
  EXPECT_TRUE(has(R"("line_handoff_ns": 61, "state": "far", "valid": false, )"));
  m.variants.pop_back();  // the loop
  EXPECT_TRUE(has(R"("valid": null, )"));
}

// On a substrate without one-sided access: the row and the object say so, and the rest is unchanged.
TEST(cli, variants_that_could_not_run_are_not_available) {
  measurement m = two_variants();
  variant_result agp;
  agp.variant = "agp";
  agp.is_available = false;
  m.variants.insert(m.variants.begin(), agp);
  m.variants[1].why = "as expected";
  EXPECT_TRUE(m.is_verified());
  std::ostringstream table;
  print_table(table, request_for({"agp", "actor"}), m);
  std::istringstream rows(table.str());
  std::string text;
  for (std::string line; std::getline(rows, line);) {
    if (line.starts_with("agp ")) text = line;
  }
  std::istringstream columns(text);
  std::string word;
  columns >> word;
  int n_columns = 0;
  for (; columns >> word; ++n_columns) EXPECT_EQ(word, "n/a");
  EXPECT_EQ(n_columns, 8);
  EXPECT_NE(table.str().find("verified: as expected"), std::string::npos);

  std::ostringstream lines;
  print_json(lines, request_for({"agp", "actor"}), m);
  EXPECT_TRUE(lines.str().starts_with(R"({"kernel": "liar", "variant": "agp", "substrate": "local", "pes": 2, )"
                                      R"("parameters": {"size": 10, "file": "a\"b"}, "available": false, "version": )"))
      << lines.str();
  EXPECT_NE(lines.str().find(R"("variant": "actor")"), std::string::npos);
}

TEST(cli, a_run_of_nothing_but_unavailable_variants_is_refused) {
  kernel_description kernel = liar;
  kernel.variants = {"agp", "agp_nb", "actor"};
  kernel.one_sided = {"agp", "agp_nb"};
  run_request request = request_for({"agp", "agp_nb"});
  request.kernel = &kernel;
  EXPECT_NO_THROW(require_available(request, true, "shmem"));
  try {
    require_available(request, false, "mpi");
    FAIL() << "accepted";
  } catch (const shoal::setup_error& e) {
    EXPECT_STREQ(e.what(),
                 "--variant=agp, agp_nb needs one-sided access to every PE, which substrate mpi does not have here; "
                 "choose actor, or --substrate mpi-rma or shmem");
  }
  request.variants.push_back("actor");
  EXPECT_NO_THROW(require_available(request, false, "mpi"));
  EXPECT_TRUE(kernel.can_run("loop", false));
}

TEST(cli, json_values_are_escaped_or_numbers) {
  EXPECT_EQ(json_string("a\"\\\n\x1f é"), R"("a\"\\\u000a\u001f é")");
  EXPECT_EQ(json_number(10'000'000), "10000000");
  EXPECT_EQ(json_number(0.1), "0.1");
  EXPECT_EQ(json_number(std::nan("")), "null");
  for (const char* number : {"0", "-1", "0.85", "1e-12", "1E+3", "10"}) EXPECT_EQ(json_value(number), number);
  for (const char* text : {"", "auto", "01", "1.", ".5", "+1", "1e", "inf", "0x10", "-", "1 "}) {
    EXPECT_EQ(json_value(text), '"' + std::string(text) + '"');
  }
}

TEST(cli, near_words_are_suggested) {
  const std::vector<std::string> known = {"histogram", "pagerank"};
  EXPECT_EQ(suggestion("histogam", known), "; did you mean histogram? known: histogram, pagerank");
  EXPECT_EQ(suggestion("page_rank", known), "; did you mean pagerank? known: histogram, pagerank");
  EXPECT_EQ(suggestion("sort", known), "; known: histogram, pagerank");
}

}  // namespace
