// The main of tests that run on PEs: every PE runs every test, and the job fails if one PE's part does.
//
// Inside a test, `shoal::world::current()` is the world. All PEs make the same collective calls in it, so
// an ASSERT that fails on one PE alone ends the job with a report; EXPECT is usually what is wanted.
//
// PEs that are processes run GoogleTest each. PEs that share a process (substrates threads and sim) share
// one GoogleTest, which runs one test at a time: there PE 0 runs it, and tells the others which test to take
// part in. Assertions may come from any thread; a parameter of TEST_P is for the fixture's constructor.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <memory>
#include <mutex>
#include <string>

#include "shoal/actor/run.hpp"
#include "shoal/actor/world.hpp"

namespace {

// GoogleTest has no public way to run a registered test from outside. A pointer to a private member may
// be named in an explicit instantiation (C++20, 13.9.3), and be handed out by a friend from there.
template <class Tag, typename Tag::type Member>
struct expose {
  friend typename Tag::type member(Tag) { return Member; }
};
struct test_factory {
  using type = testing::internal::TestFactoryBase* const testing::TestInfo::*;
  friend type member(test_factory);
};
struct test_body {
  using type = void (testing::Test::*)();
  friend type member(test_body);
};
struct test_set_up {
  using type = void (testing::Test::*)();
  friend type member(test_set_up);
};
struct test_tear_down {
  using type = void (testing::Test::*)();
  friend type member(test_tear_down);
};
template struct expose<test_factory, &testing::TestInfo::factory_>;
template struct expose<test_body, &testing::Test::TestBody>;
template struct expose<test_set_up, &testing::Test::SetUp>;
template struct expose<test_tear_down, &testing::Test::TearDown>;

// Says which PE failed. Of PEs other than 0, nothing but failures is worth reading.
class failure_printer : public testing::EmptyTestEventListener {
public:
  explicit failure_printer(bool is_alone) : is_alone_(is_alone) {}

private:
  // GoogleTest holds its lock when it reports a result, so the test's name is asked for before.
  void OnTestStart(const testing::TestInfo& test) override {
    test_ = std::string(test.test_suite_name()) + "." + test.name();
  }
  void OnTestPartResult(const testing::TestPartResult& result) override {
    if (!result.failed()) return;
    const auto pe = static_cast<long long>(shoal::current_pe == nullptr ? 0 : shoal::current_pe->context_pe());
    if (is_alone_) {
      std::printf("[PE %lld] %s\n[PE %lld] %s:%d: Failure\n%s\n", pe, test_.c_str(), pe,
                  result.file_name() == nullptr ? "?" : result.file_name(), result.line_number(), result.message());
    } else {
      std::printf("[PE %lld] failed as printed above\n", pe);
    }
    std::fflush(stdout);
  }

  std::string test_;
  bool is_alone_;  // no other printer prints the failure itself
};

testing::TestEventListeners& listeners() { return testing::UnitTest::GetInstance()->listeners(); }

// --- One process a PE

int run_own_tests(shoal::world& w) {
  if (w.my_pe() != 0) {
    delete listeners().Release(listeners().default_result_printer());
    listeners().Append(new failure_printer(true));
  }
  return RUN_ALL_TESTS();
}

// --- All PEs in this process

struct test_index {
  int suite = -1;
  int test = -1;
};

// One call for PE 0 and the others, as checked builds want a collective to be made in one place.
test_index agree_on(shoal::world& w, test_index next = {}) { return w.broadcast(next); }
void meet(shoal::world& w) { w.barrier(); }

test_index index_of(const testing::TestInfo& test) {
  const testing::UnitTest& all = *testing::UnitTest::GetInstance();
  for (int i = 0; i < all.total_test_suite_count(); ++i) {
    const testing::TestSuite& suite = *all.GetTestSuite(i);
    for (int k = 0; k < suite.total_test_count(); ++k) {
      if (suite.GetTestInfo(k) == &test) return {i, k};
    }
  }
  return {};
}

// Announces each test to the other PEs before PE 0 begins it. They construct and destroy their test objects
// while PE 0 waits here, because both save and restore GoogleTest's flags.
class leader : public testing::EmptyTestEventListener {
public:
  explicit leader(shoal::world& w) : world_(w) {}

private:
  void OnTestStart(const testing::TestInfo& test) override {
    agree_on(world_, index_of(test));
    meet(world_);
  }
  void OnTestEnd(const testing::TestInfo&) override {
    meet(world_);
    meet(world_);
  }

  shoal::world& world_;
};

void follow(shoal::world& w) {
  static std::mutex one_at_a_time;
  for (;;) {
    const auto [suite, test] = agree_on(w);
    if (suite < 0) return;
    const testing::TestInfo& info = *testing::UnitTest::GetInstance()->GetTestSuite(suite)->GetTestInfo(test);
    std::unique_ptr<testing::Test> mine;
    {
      const std::lock_guard lock(one_at_a_time);
      mine.reset((info.*member(test_factory{}))->CreateTest());
    }
    meet(w);
    (mine.get()->*member(test_set_up{}))();
    (mine.get()->*member(test_body{}))();
    (mine.get()->*member(test_tear_down{}))();
    meet(w);
    {
      const std::lock_guard lock(one_at_a_time);
      mine.reset();
    }
    meet(w);
  }
}

int run_shared_tests(shoal::world& w) {
  if (w.my_pe() != 0) {
    follow(w);
    return 0;
  }
  listeners().Append(new failure_printer(false));
  listeners().Append(new leader(w));
  const int status = RUN_ALL_TESTS();
  agree_on(w);
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  // An exception that left a test on one PE would leave the others waiting; shoal::run ends the job.
  testing::GTEST_FLAG(catch_exceptions) = false;
  return shoal::run(argc, argv, [](shoal::world& w) {
    const auto process = static_cast<std::int64_t>(::getpid());
    const bool is_shared = w.n_pes() > 1 && w.min(process) == w.max(process);
    return w.max(is_shared ? run_shared_tests(w) : run_own_tests(w));
  });
}
