#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

#include "shoal/conveyor/kinds/exstack.hpp"
#include "shoal/conveyor/kinds/exstack2.hpp"
#include "test/contract/claims.hpp"
#include "test/support/traffic.hpp"

namespace shoal::test {
namespace {

struct stack_item {
  std::int64_t from;
  std::uint64_t number;  // counted among those from this PE to this target
};

// Sends along a list of targets and checks what arrives, for any object with push and pop.
template <class Stack>
class parcels {
public:
  parcels(world& w, Stack& stack, std::uint64_t seed, std::size_t n)
      : world_(w),
        stack_(stack),
        seed_(seed),
        targets_(targets_of(seed, w.my_pe(), w.n_pes(), n)),
        sent_(w.n_pes()),
        got_(w.n_pes()),
        random_(seed, 700 + static_cast<std::uint64_t>(w.my_pe())) {}

  bool is_all_sent() const { return i_ == targets_.size(); }

  void push(std::uint64_t n_max) {
    for (; n_max > 0 && !is_all_sent(); --n_max, ++i_) {
      const pe_id to = targets_[i_];
      if (stack_.push({world_.my_pe(), sent_.next(to)}, to) == 0) return;
      sent_.take(to);
    }
  }

  // Pops one item, and sometimes puts it back.
  bool pop() {
    stack_item p{};
    pe_id from = -1;
    if (!stack_.pop(p, from)) return false;
    EXPECT_EQ(p.from, from);
    EXPECT_EQ(p.number, got_.next(from)) << "from PE " << from;
    if (random_.chance(0.2)) {
      EXPECT_TRUE(stack_.unpop());
      EXPECT_FALSE(stack_.unpop()) << "one level only";
    } else {
      got_.take(from);
    }
    return true;
  }

  void expect_all_here() const {
    EXPECT_TRUE(is_all_sent());
    EXPECT_EQ(got_.all(), expected_at(seed_, world_.my_pe(), world_.n_pes(), targets_.size()));
  }

  random_engine& random() { return random_; }

private:
  world& world_;
  Stack& stack_;
  std::uint64_t seed_;
  std::vector<pe_id> targets_;
  numbering sent_;
  numbering got_;
  random_engine random_;
  std::size_t i_ = 0;
};

void loop(world& w, exstack<stack_item>& ex, std::uint64_t seed, std::size_t n) {
  parcels<exstack<stack_item>> mine(w, ex, seed, n);
  while (ex.proceed(mine.is_all_sent())) {
    mine.push(mine.random().below(40));
    ex.exchange();
    while (mine.pop()) {
    }
    if (mine.random().chance(0.05)) w.charge_ns(mine.random().below(20'000));
  }
  mine.expect_all_here();
  ex.reset();
}

void loop(world& w, exstack2<stack_item>& ex, std::uint64_t seed, std::size_t n) {
  parcels<exstack2<stack_item>> mine(w, ex, seed, n);
  while (ex.proceed(mine.is_all_sent())) {
    mine.push(mine.random().below(30));
    for (std::uint64_t k = mine.random().below(30); k > 0 && mine.pop(); --k) {
    }
    if (mine.random().chance(0.02)) w.charge_ns(mine.random().below(20'000));
  }
  mine.expect_all_here();
  ex.reset();
}

void exstack_items_arrive_once_in_push_order(world& w, std::uint64_t seed) {
  for (const std::size_t capacity : {1, 2, 3, 50}) {
    exstack<stack_item> ex{w, capacity};
    loop(w, ex, seed, 80);
  }
}

void exstack2_items_arrive_once_in_push_order(world& w, std::uint64_t seed) {
  for (const std::size_t capacity : {1, 2, 3, 50}) {
    exstack2<stack_item> ex{w, capacity};
    loop(w, ex, seed, 80);
  }
}

template <class Stack>
void use_again_and_again(world& w, std::uint64_t seed) {
  Stack ex{w, 4};
  random_engine random(seed, 7);
  for (std::uint64_t k = 0; k < 10; ++k) loop(w, ex, seed + k, random.below(20));
}

// After clear it has no memory, and allocates it again.
void a_cleared_exstack_starts_anew(world& w, std::uint64_t seed) {
  exstack<stack_item> ex{w, 4};
  for (std::uint64_t k = 0; k < 3; ++k) {
    loop(w, ex, seed + k, 10);
    ex.clear();
    EXPECT_EQ(ex.min_headroom(), 0U);
    ex.clear();
    ex.reset();
    EXPECT_EQ(ex.min_headroom(), 4U);
  }
}

template <class Stack>
void empty_loops_end(world& w, std::uint64_t) {
  Stack ex{w, 8};
  for (int k = 0; k < 4; ++k) {
    while (ex.proceed(true)) {
      if constexpr (requires { ex.exchange(); }) ex.exchange();
      EXPECT_EQ(ex.pull(), nullptr);
    }
    ex.reset();
  }
}

void headroom_shrinks_with_each_push(world& w, std::uint64_t) {
  const pe_id target = (w.my_pe() + 1) % w.n_pes();
  exstack<std::int32_t> ex{w, 3};
  for (int turn = 0; turn < 2; ++turn) {
    EXPECT_EQ(ex.min_headroom(), 3U);
    EXPECT_EQ(ex.push(1, target), 3U);
    EXPECT_EQ(ex.headroom(target), 2U);
    EXPECT_EQ(ex.push(2, target), 2U);
    EXPECT_EQ(ex.push(3, target), 1U);
    EXPECT_EQ(ex.push(4, target), 0U) << "full: not taken";
    EXPECT_EQ(ex.headroom(target), 0U);
    EXPECT_EQ(ex.min_headroom(), 0U);
    EXPECT_EQ(ex.headroom(w.my_pe()), w.n_pes() > 1 ? 3U : 0U);
    ex.exchange();
    std::int32_t value = 0;
    for (std::int32_t k = 1; k <= 3; ++k) {
      EXPECT_TRUE(ex.pop(value));
      EXPECT_EQ(value, k);
    }
    EXPECT_FALSE(ex.pop(value));
  }
  while (ex.proceed(true)) {
  }
  EXPECT_EQ(ex.min_headroom(), 0U);
}

// Queries and replies go through the same object. The replies fit, because the buffers to all PEs are empty after an
// exchange, and they come in the order of the queries.
void replies_are_popped_by_PE_in_the_order_of_queries(world& w, std::uint64_t seed) {
  const std::vector<pe_id> targets = targets_of(seed, w.my_pe(), w.n_pes(), 60);
  exstack<std::int64_t> ex{w, 5};
  std::size_t i = 0;
  while (ex.proceed(i == targets.size())) {
    const std::size_t first = i;
    for (; i < targets.size() && ex.push(static_cast<std::int64_t>(i), targets[i]) != 0; ++i) {
    }
    ex.exchange();
    pe_id from = 0;
    for (std::int64_t query = 0; ex.pop(query, from);) {
      EXPECT_NE(ex.push(1000 * query + w.my_pe(), from), 0U) << "a reply always fits";
    }
    ex.exchange();
    for (std::size_t k = first; k < i; ++k) {
      std::int64_t reply = -1;
      EXPECT_TRUE(ex.pop_from(targets[k], reply));
      EXPECT_EQ(reply, 1000 * static_cast<std::int64_t>(k) + targets[k]);
    }
    EXPECT_EQ(ex.pull(), nullptr);
  }
}

// PE q sends q, 100 + q and 200 + q to everybody.
void unpop_gives_items_again(world& w, std::uint64_t) {
  const pe_id n_pes = w.n_pes();
  exstack<std::int64_t> ex{w, 3};
  EXPECT_FALSE(ex.unpop()) << "nothing was popped";
  for (std::int64_t k = 0; k < 3; ++k) {
    for (pe_id to = 0; to < n_pes; ++to) EXPECT_NE(ex.push(100 * k + w.my_pe(), to), 0U);
  }
  ex.exchange();
  EXPECT_FALSE(ex.unpop()) << "nothing was popped";
  std::int64_t value = -1;
  const pe_id last = n_pes - 1;
  EXPECT_TRUE(ex.pop_from(last, value));
  EXPECT_TRUE(ex.pop_from(last, value));
  EXPECT_EQ(value, 100 + last);
  EXPECT_TRUE(ex.unpop());
  EXPECT_FALSE(ex.unpop()) << "one level only";
  EXPECT_TRUE(ex.unpop_to(last));
  EXPECT_FALSE(ex.unpop_to(last)) << "that was its first";
  pe_id from = -1;
  for (pe_id source = 0; source < n_pes; ++source) {
    for (std::int64_t k = 0; k < 3; ++k) {
      const std::int64_t* item = ex.pull(from);
      ASSERT_NE(item, nullptr);
      EXPECT_EQ(from, source);
      EXPECT_EQ(*item, 100 * k + source);
    }
  }
  EXPECT_EQ(ex.pull(), nullptr);
  EXPECT_TRUE(ex.unpull()) << "a pull that failed changes nothing";
  if (n_pes > 1) {
    EXPECT_TRUE(ex.unpop_to(0)) << "of a PE before the one that the next item would have come from";
    EXPECT_EQ(*ex.pull(from), 200);
    EXPECT_EQ(from, 0);
  }
  EXPECT_EQ(*ex.pull(from), 200 + last);
  EXPECT_EQ(from, last);
  while (ex.proceed(true)) ex.exchange();
  EXPECT_FALSE(ex.pop(value));
}

// Popping is still possible when all are done.
void what_was_exchanged_is_popped_after_the_end(world& w, std::uint64_t) {
  exstack<std::int64_t> ex{w, 2};
  EXPECT_EQ(ex.push(w.my_pe(), 0), 2U);
  ex.exchange();
  while (ex.proceed(true)) {
  }
  EXPECT_EQ(ex.state(), exstack_state::complete);
  pe_id n = 0;
  for (std::int64_t value = -1; ex.pop(value); ++n) EXPECT_EQ(value, n);
  EXPECT_EQ(n, w.my_pe() == 0 ? w.n_pes() : 0);
  ex.reset();
}

// No PE is done before the token has gone round three times.
void exstack2_items_go_when_sent(world& w, std::uint64_t) {
  const pe_id next = (w.my_pe() + 1) % w.n_pes();
  exstack2<std::int64_t> ex{w, 1000};
  const std::int64_t n_steps = 3 * w.n_pes();
  std::int64_t to_send = w.my_pe() == 0 ? 1 : 0;
  int n_to_come = 3;
  while (ex.proceed(n_to_come == 0 && to_send == 0)) {
    if (to_send != 0 && ex.push(to_send, next) != 0) {
      ex.send(next);
      to_send = 0;
    }
    if (std::int64_t token = 0; ex.pop(token)) {
      --n_to_come;
      if (token < n_steps) to_send = token + 1;
    }
  }
  EXPECT_EQ(n_to_come, 0);
  ex.reset();
}

void exstack2_tells_when_a_buffer_is_full(world& w, std::uint64_t) {
  exstack2<std::int8_t> ex{w, 3};
  std::vector<std::size_t> rooms;
  while (ex.proceed(rooms.size() == 8)) {
    while (rooms.size() < 8) {
      const std::size_t room = ex.push(1, w.my_pe());
      if (room == 0) break;
      rooms.push_back(room);
      if (rooms.size() == 4) ex.send(w.my_pe());
    }
    while (ex.pull() != nullptr) {
    }
  }
  EXPECT_EQ(rooms, (std::vector<std::size_t>{3, 2, 1, 3, 3, 2, 1, 3}));
  ex.reset();
}

}  // namespace

std::vector<claim> exstack_claims() {
  return {
      {"exstack_items_arrive_once_in_push_order", exstack_items_arrive_once_in_push_order},
      {"exstack2_items_arrive_once_in_push_order", exstack2_items_arrive_once_in_push_order},
      {"exstacks_are_used_again_and_again", use_again_and_again<exstack<stack_item>>},
      {"exstack2s_are_used_again_and_again", use_again_and_again<exstack2<stack_item>>},
      {"a_cleared_exstack_starts_anew", a_cleared_exstack_starts_anew},
      {"empty_loops_of_exstack_end", empty_loops_end<exstack<std::int64_t>>},
      {"empty_loops_of_exstack2_end", empty_loops_end<exstack2<std::int64_t>>},
      {"headroom_shrinks_with_each_push", headroom_shrinks_with_each_push},
      {"replies_are_popped_by_PE_in_the_order_of_queries", replies_are_popped_by_PE_in_the_order_of_queries},
      {"unpop_gives_items_again", unpop_gives_items_again},
      {"what_was_exchanged_is_popped_after_the_end", what_was_exchanged_is_popped_after_the_end},
      {"exstack2_items_go_when_sent", exstack2_items_go_when_sent},
      {"exstack2_tells_when_a_buffer_is_full", exstack2_tells_when_a_buffer_is_full},
  };
}

}  // namespace shoal::test
