// Goal: a switch between fibers is invisible to C++ on either side: exceptions, the ambient PE and locals stay with
// their fiber. Method: two or three fibers that switch at the least convenient moments.
// labels: sim
#include "shoal/base/internal/fiber.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <deque>
#include <exception>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace shoal::internal {
namespace {

// A thread and some fibers that run functions and switch to each other by index; a function that returns switches to
// the thread.
class crew {
public:
  explicit crew(std::vector<std::function<void(crew&)>> functions, std::size_t stack_bytes = 64 << 10)
      : stacks_(functions.size(), stack_bytes, "take fewer"), functions_(std::move(functions)) {
    for (std::size_t i = 0; i < functions_.size(); ++i) {
      members_.emplace_back(this, i);
      fibers_.emplace_back(stacks_.stack(i), &crew::run_member, &members_.back());
    }
  }

  void go_to(std::size_t index) { switch_to(fibers_[index], index); }
  void go_to_thread() { switch_to(thread_, no_fiber); }
  void lock(std::size_t index) { fibers_[index].lock_stack(); }
  std::size_t n_returned() const { return n_returned_; }
  const fiber_stacks& stacks() const { return stacks_; }

private:
  static constexpr std::size_t no_fiber = SIZE_MAX;
  struct member {
    member(crew* its_whole, std::size_t its_index) : whole(its_whole), index(its_index) {}
    crew* whole;
    std::size_t index;
  };

  static void run_member(void* argument) {
    auto& self = *static_cast<member*>(argument);
    self.whole->functions_[self.index](*self.whole);
    ++self.whole->n_returned_;
    self.whole->running_ = no_fiber;
    self.whole->fibers_[self.index].leave_to(self.whole->thread_);
  }

  void switch_to(fiber& next, std::size_t next_index) {
    fiber& self = running_ == no_fiber ? thread_ : fibers_[running_];
    running_ = next_index;
    self.switch_to(next);
  }

  fiber_stacks stacks_;
  std::vector<std::function<void(crew&)>> functions_;
  std::deque<member> members_;
  std::deque<fiber> fibers_;
  fiber thread_;
  std::size_t running_ = no_fiber;
  std::size_t n_returned_ = 0;
};

std::string what_is_caught() {
  const std::exception_ptr caught = std::current_exception();
  if (caught == nullptr) return "nothing";
  try {
    std::rethrow_exception(caught);
  } catch (const std::exception& error) {
    return error.what();
  }
}

TEST(fiber, runs_and_comes_back) {
  std::string order;
  crew two({[&](crew& c) {
              order += 'a';
              c.go_to(1);
              order += 'c';
            },
            [&](crew& c) {
              order += 'b';
              c.go_to(0);
              order += 'd';
            }});
  two.go_to(0);
  EXPECT_EQ(order, "abc");
  two.go_to(1);
  EXPECT_EQ(order, "abcd");
  EXPECT_EQ(two.n_returned(), 2u);
}

TEST(fiber, exceptions_are_thrown_and_caught_on_each_fiber) {
  int n_caught = 0;
  const auto throw_and_catch = [&](crew& c) {
    for (int i = 0; i < 10; ++i) {
      try {
        c.go_to_thread();
        throw std::runtime_error(std::to_string(i));
      } catch (const std::runtime_error& error) {
        EXPECT_EQ(error.what(), std::to_string(i));
        ++n_caught;
      }
    }
  };
  crew two({throw_and_catch, throw_and_catch});
  for (int i = 0; i < 11; ++i) {
    two.go_to(0);
    two.go_to(1);
  }
  EXPECT_EQ(n_caught, 20);
  EXPECT_EQ(two.n_returned(), 2u);
}

// Two fibers are in catch blocks, begun in one order and ended in the same order, which is impossible on one stack.
// Each must still see, and rethrow, its own exception.
TEST(fiber, a_switch_inside_a_catch_block_leaves_the_exception_where_it_is) {
  std::string first_rethrown;
  std::string second_rethrown;
  const auto body = [](crew& c, const char* name, std::string& rethrown) {
    try {
      try {
        throw std::runtime_error(name);
      } catch (...) {
        EXPECT_EQ(what_is_caught(), name);
        c.go_to_thread();
        EXPECT_EQ(what_is_caught(), name);
        throw;
      }
    } catch (const std::runtime_error& error) {
      rethrown = error.what();
    }
    EXPECT_EQ(what_is_caught(), "nothing");
  };
  crew two({[&](crew& c) { body(c, "first", first_rethrown); }, [&](crew& c) { body(c, "second", second_rethrown); }});
  two.go_to(0);
  EXPECT_EQ(what_is_caught(), "nothing");
  two.go_to(1);
  EXPECT_EQ(what_is_caught(), "nothing");
  two.go_to(0);
  two.go_to(1);
  EXPECT_EQ(first_rethrown, "first");
  EXPECT_EQ(second_rethrown, "second");
}

// A fiber that starts while the thread handles an exception must not see that exception.
TEST(fiber, begins_without_the_exceptions_of_its_starter) {
  std::string seen_by_fiber;
  crew one({[&](crew&) { seen_by_fiber = what_is_caught(); }});
  try {
    throw std::runtime_error("the thread's");
  } catch (...) {
    one.go_to(0);
    EXPECT_EQ(what_is_caught(), "the thread's");
  }
  EXPECT_EQ(seen_by_fiber, "nothing");
}

// Destructors that run because of an exception may switch, too; other fibers are not unwinding then.
TEST(fiber, a_switch_during_unwinding_leaves_the_count_of_uncaught_exceptions) {
  struct switcher {
    crew& c;
    int n_before = std::uncaught_exceptions();
    ~switcher() {
      EXPECT_EQ(std::uncaught_exceptions(), n_before + 1);
      c.go_to_thread();
      EXPECT_EQ(std::uncaught_exceptions(), n_before + 1);
    }
  };
  crew one({[](crew& c) {
    try {
      const switcher unwound{c};
      throw std::runtime_error("on its way");
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "on its way");
    }
    EXPECT_EQ(std::uncaught_exceptions(), 0);
  }});
  one.go_to(0);
  EXPECT_EQ(std::uncaught_exceptions(), 0);
  one.go_to(0);
  EXPECT_EQ(one.n_returned(), 1u);
}

struct dummy_context final : pe_context {
  pe_id context_pe() const noexcept override { return 0; }
  bool context_is_in_library() const noexcept override { return false; }
  [[noreturn]] void end_job(int, std::string_view) noexcept override { std::abort(); }
};

// By value: GCC 12's sanitizer mistakes a reference to this variable for a null pointer.
pe_context* ambient() { return current_pe; }

TEST(fiber, the_ambient_pe_stays_with_its_fiber) {
  dummy_context contexts[3];
  const auto body = [&](dummy_context& mine) {
    return [&](crew& c) {
      EXPECT_EQ(ambient(), nullptr);
      current_pe = &mine;
      c.go_to_thread();
      EXPECT_EQ(ambient(), &mine);
    };
  };
  crew two({body(contexts[0]), body(contexts[1])});
  current_pe = &contexts[2];
  for (const std::size_t index : {0, 1, 1, 0}) {
    two.go_to(index);
    EXPECT_EQ(ambient(), &contexts[2]);
  }
  current_pe = nullptr;
  EXPECT_EQ(two.n_returned(), 2u);
}

double sum_of_thirds(int n) {
  double sum = 0;
  for (int i = 1; i <= n; ++i) sum += 1.0 / (3.0 * i);
  return sum;
}

// Registers that a function may keep across a call, integers and floating point alike.
TEST(fiber, locals_survive_many_switches) {
  constexpr int n = 1000;
  std::vector<double> sums(50);
  std::vector<std::function<void(crew&)>> functions;
  for (double& result : sums) {
    functions.push_back([&result](crew& c) {
      double sum = 0;
      for (int i = 1; i <= n; ++i) {
        sum += 1.0 / (3.0 * i);
        c.go_to_thread();
      }
      result = sum;
    });
  }
  crew many(std::move(functions));
  for (int i = 0; i <= n; ++i) {
    for (std::size_t f = 0; f < sums.size(); ++f) many.go_to(f);
  }
  for (const double sum : sums) EXPECT_EQ(sum, sum_of_thirds(n));
}

TEST(fiber, ten_thousand_stacks_are_guarded_and_cheap) {
  std::vector<std::function<void(crew&)>> functions(10'000, [](crew& c) { c.go_to_thread(); });
#if SHOAL_THREAD_SANITIZER
  functions.resize(1000);  // it keeps a megabyte for each
#endif
  const std::size_t n = functions.size();
  crew many(std::move(functions), 256 << 10);
  EXPECT_TRUE(many.stacks().has_guards());
  for (int turn = 0; turn < 2; ++turn) {
    for (std::size_t f = 0; f < n; ++f) many.go_to(f);
  }
  EXPECT_EQ(many.n_returned(), n);
}

// The system refuses to read what nobody can access.
bool can_access(const void* address) {
  int ends[2] = {};
  if (::pipe(ends) != 0) throw std::runtime_error("no pipe");
  const bool can = ::write(ends[1], address, 1) == 1;
  ::close(ends[0]);
  ::close(ends[1]);
  return can;
}

TEST(fiber, a_locked_stack_is_accessible_while_its_fiber_runs_and_only_then) {
  crew three({[](crew& c) {
                const std::byte* const other = c.stacks().stack(1).data();
                const std::byte* const open = c.stacks().stack(2).data();
                EXPECT_TRUE(can_access(c.stacks().stack(0).data()));
                EXPECT_FALSE(can_access(other));
                c.go_to(1);
                EXPECT_FALSE(can_access(other));
                EXPECT_TRUE(can_access(open));
              },
              [](crew& c) {
                EXPECT_FALSE(can_access(c.stacks().stack(0).data()));
                EXPECT_TRUE(can_access(c.stacks().stack(1).data()));
                c.go_to(0);
              },
              [](crew&) {}});
  three.lock(0);
  three.lock(1);
  EXPECT_FALSE(can_access(three.stacks().stack(0).data()));
  three.go_to(0);
  EXPECT_FALSE(can_access(three.stacks().stack(0).data()));
}

TEST(fiber_stacks, tell_in_which_stack_an_address_lies) {
  const fiber_stacks stacks(3, 16 << 10, "take fewer");
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(stacks.index_of(stacks.stack(i).data()), i);
    EXPECT_EQ(stacks.index_of(&stacks.stack(i).back()), i);
    EXPECT_EQ(stacks.index_of(stacks.stack(i).data() - 1), fiber_stacks::none);  // the guard below it
  }
  EXPECT_EQ(stacks.index_of(&stacks.stack(2).back() + 1), fiber_stacks::none);
  EXPECT_EQ(stacks.index_of(&stacks), fiber_stacks::none);
  EXPECT_EQ(stacks.index_of(nullptr), fiber_stacks::none);
}

TEST(fiber_stacks, beyond_the_kernels_limit_an_overflow_is_noticed_afterwards) {
  constexpr std::size_t n = fiber_stacks::n_guarded_max + 1;
  const fiber_stacks stacks(n, 16 << 10, "take fewer");
  EXPECT_FALSE(stacks.has_guards());
  EXPECT_TRUE(stacks.is_intact(5));
  stacks.stack(5)[0] = std::byte{1};
  EXPECT_FALSE(stacks.is_intact(5));
  EXPECT_TRUE(stacks.is_intact(4));
}

int overflow(int depth) {
  volatile char room[1024] = {};
  room[static_cast<std::size_t>(depth) % sizeof room] = 1;
  return depth == 1'000'000 ? room[0] : overflow(depth + 1) + room[1];
}

TEST(fiber_death_test, an_overflow_hits_the_guard) {
  EXPECT_DEATH(
      {
        crew one({[](crew&) { overflow(0); }});
        one.go_to(0);
      },
      "");
}

// Prints the cost for docs/design/simulator.md; asserts nothing.
TEST(fiber, measure_a_switch) {
  constexpr int n = 200'000;
  crew one({[](crew& c) {
    for (int i = 0; i < n; ++i) c.go_to_thread();
  }});
  one.go_to(0);
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < n; ++i) one.go_to(0);
  const std::chrono::duration<double, std::nano> elapsed = std::chrono::steady_clock::now() - begin;
  std::printf("%s: %.1f ns a switch\n", machine_context::kind(), elapsed.count() / (2.0 * n));
}

}  // namespace
}  // namespace shoal::internal
