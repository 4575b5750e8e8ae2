#include "test/support/tests_on_pes.hpp"

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <utility>
#include <vector>

#include "shoal/actor/run.hpp"
#include "shoal/base/internal/ambient.hpp"
#include "test/support/source_filter.hpp"

namespace shoal::test {
namespace {

struct test_on_pes {
  std::string name;
  std::function<void()> body;
};

// What PE 0 announces instead of a test.
constexpr std::int64_t no_more = -1;

std::vector<test_on_pes>& all_tests() {
  static std::vector<test_on_pes> tests;
  return tests;
}

// The results of this process's assertions. PEs in one process share them, since they share GoogleTest.
struct process_record {
  std::atomic<const test_on_pes*> running = nullptr;
  std::atomic<bool> has_failed = false;  // in the running test
};

process_record& record() {
  static process_record here;
  return here;
}

// Adds the PE to each failure. GoogleTest prints the failure itself, in every process.
class failing_pe_printer : public testing::EmptyTestEventListener {
  void OnTestPartResult(const testing::TestPartResult& result) override {
    if (!result.failed()) return;
    record().has_failed = true;
    const test_on_pes* test = record().running;
    std::printf("[PE %lld] %s: failed as printed above\n",
                static_cast<long long>(internal::current_pe == nullptr ? 0 : internal::current_pe->context_pe()),
                test == nullptr ? "outside of a test" : test->name.c_str());
    std::fflush(stdout);
  }
};

// PE 0 sends its announcement to all. There is one call for all PEs, because a collective call is made in one place.
std::int64_t announced(world& w, std::int64_t next) { return w.broadcast(next); }

// Collective. Returns whether the test failed on any PE.
bool run_together(world& w, std::int64_t index) {
  const test_on_pes& test = all_tests()[static_cast<std::size_t>(index)];
  record().running = &test;
  record().has_failed = false;
  w.barrier();  // no PE of this process fails before another one has forgotten the failures of the last test
  test.body();
  return w.max(static_cast<int>(record().has_failed.load())) != 0;
}

// A test on all PEs as GoogleTest on PE 0 sees it.
class leading_test : public testing::Test {
public:
  explicit leading_test(std::int64_t index) : index_(index) {}

private:
  void TestBody() override {
    world& w = world::current();
    announced(w, index_);
    const bool has_failed = run_together(w, index_);
    if (has_failed && !HasFailure()) ADD_FAILURE() << "on another PE, which has said where";
  }

  std::int64_t index_;
};

int lead(world& w) {
  const int status = RUN_ALL_TESTS();
  announced(w, no_more);
  return status;
}

void follow(world& w) {
  for (std::int64_t index = announced(w, no_more); index != no_more; index = announced(w, no_more)) {
    run_together(w, index);
  }
}

}  // namespace

bool add_test_on_pes(const char* suite, const std::string& name, const char* file, int line,
                     std::function<void()> body) {
  const auto index = static_cast<std::int64_t>(all_tests().size());
  all_tests().push_back({std::string(suite) + "." + name, std::move(body)});
  testing::RegisterTest(suite, name.c_str(), nullptr, nullptr, file, line,
                        [index]() -> testing::Test* { return new leading_test(index); });
  return true;
}

int run_tests_on_pes(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (!keep_tests_of_source()) return 1;
  // An exception that left a test on one PE would leave the others waiting; shoal::run ends the job.
  testing::GTEST_FLAG(catch_exceptions) = false;
  testing::UnitTest& tests = *testing::UnitTest::GetInstance();
  if (static_cast<std::size_t>(tests.total_test_count()) != all_tests().size()) {
    std::fputs("a program that runs on PEs declares each test with TEST_ON_PES: others would run on PE 0 alone\n",
               stderr);
    return 1;
  }
  tests.listeners().Append(new failing_pe_printer);
  return run(argc, argv, [](world& w) {
    int status = 0;
    if (w.my_pe() == 0) {
      status = lead(w);
    } else {
      follow(w);
    }
    return w.broadcast(status);
  });
}

}  // namespace shoal::test
