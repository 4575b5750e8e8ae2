#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <deque>

#include "shoal/conveyor/kinds/biconveyor.hpp"
#include "test/contract/claims.hpp"
#include "test/support/traffic.hpp"

namespace shoal::test {
namespace {

struct question {
  std::int64_t from;
  std::uint64_t number;  // counted among those from this PE to this target
  std::int64_t session;
};

struct told {
  std::int64_t by;
  std::uint64_t number;
  std::uint64_t n_before;  // queries that the answering PE had answered before this one
};

// One PE's part of a session, checked on arrival: queries at the target, replies in the order of the pushes.
class query_session {
public:
  query_session(world& w, biconveyor<question, told>& b, std::uint64_t seed, std::int64_t session, std::size_t n)
      : world_(w),
        biconveyor_(b),
        seed_(seed),
        session_(session),
        targets_(targets_of(seed, w.my_pe(), w.n_pes(), n)),
        asked_(w.n_pes()),
        answered_(w.n_pes()),
        random_(seed, 900 + static_cast<std::uint64_t>(w.my_pe())) {
    biconveyor_.begin([this](const question& q, pe_id from) { return answer(q, from); });
  }

  // One turn of the usual loop; false when the session is over.
  bool turn() {
    const bool is_done = i_ == targets_.size();
    if (biconveyor_.advance(is_done) == progress::complete) return false;
    for (std::uint64_t n = random_.below(30); n > 0 && i_ < targets_.size(); --n) {
      const pe_id to = targets_[i_];
      const bool is_full = in_flight_.size() == biconveyor_.window();
      const bool is_taken = biconveyor_.push({world_.my_pe(), asked_.next(to), session_}, to);
      EXPECT_FALSE(is_full && is_taken) << "the window was full";
      if (!is_taken) break;
      in_flight_.push_back({to, asked_.take(to)});
      ++i_;
    }
    for (std::uint64_t n = random_.below(30); n > 0; --n) {
      if (!pull_one()) break;
    }
    if (random_.chance(0.02)) world_.charge_ns(random_.below(20'000));
    return true;
  }

  void end() {
    EXPECT_EQ(i_, targets_.size());
    EXPECT_TRUE(in_flight_.empty());
    EXPECT_EQ(answered_.all(), expected_at(seed_, world_.my_pe(), world_.n_pes(), targets_.size()));
    EXPECT_EQ(biconveyor_.pull(), nullptr);
    biconveyor_.reset();
  }

private:
  struct awaited {
    pe_id target;
    std::uint64_t number;
  };

  told answer(const question& q, pe_id from) {
    EXPECT_EQ(q.from, from);
    EXPECT_EQ(q.session, session_);
    EXPECT_EQ(q.number, answered_.take(from)) << "query from PE " << from;
    return {world_.my_pe(), q.number, n_answered_++};
  }

  bool pull_one() {
    const told* reply = biconveyor_.pull();
    if (reply == nullptr) return false;
    if (in_flight_.empty()) {
      ADD_FAILURE() << "a reply that nobody asked for";
      return false;
    }
    EXPECT_EQ(reply->by, in_flight_.front().target);
    EXPECT_EQ(reply->number, in_flight_.front().number);
    in_flight_.pop_front();
    return true;
  }

  world& world_;
  biconveyor<question, told>& biconveyor_;
  std::uint64_t seed_;
  std::int64_t session_;
  std::vector<pe_id> targets_;
  numbering asked_;
  numbering answered_;
  random_engine random_;
  std::size_t i_ = 0;
  std::uint64_t n_answered_ = 0;
  std::deque<awaited> in_flight_;
};

void ask_with_window(world& w, std::uint64_t seed, std::uint32_t window, std::size_t n) {
  biconveyor<question, told> b{w, {.window = window}};
  query_session session(w, b, seed, 0, n);
  while (session.turn()) {
  }
  session.end();
  const biconveyor_counts counts = b.counts();
  EXPECT_EQ(counts.n_pushed, n);
  EXPECT_EQ(counts.n_pulled, n);
  EXPECT_EQ(w.sum(counts.n_answered), n * static_cast<std::size_t>(w.n_pes()));
  EXPECT_EQ(w.sum(counts.queries.n_pushed), w.sum(counts.n_pushed));
  EXPECT_EQ(w.sum(counts.replies.n_pulled), w.sum(counts.n_answered));
}

void replies_come_in_the_order_of_the_queries(world& w, std::uint64_t seed) { ask_with_window(w, seed, 1000, 150); }

void a_window_of_one_asks_one_by_one(world& w, std::uint64_t seed) { ask_with_window(w, seed, 1, 20); }
void a_window_of_two_is_enough(world& w, std::uint64_t seed) { ask_with_window(w, seed, 2, 40); }

// Sizes around the words of the presence bits, and where the ring wraps around.
void windows_of_any_size_keep_order(world& w, std::uint64_t seed) {
  for (const std::uint32_t window : {3U, 63U, 64U, 65U}) ask_with_window(w, seed, window, 100);
}

// PEs may choose different windows.
void windows_may_differ_between_PEs(world& w, std::uint64_t seed) {
  random_engine random(seed, 300 + static_cast<std::uint64_t>(w.my_pe()));
  ask_with_window(w, seed, 1 + static_cast<std::uint32_t>(random.below(40)), 60);
}

void query_sessions_follow_each_other(world& w, std::uint64_t seed) {
  biconveyor<question, told> b{w, {.window = 5}};
  random_engine random(seed, 7);
  for (std::int64_t k = 0; k < 15; ++k) {
    query_session session(w, b, seed + static_cast<std::uint64_t>(k), k, random.below(15));
    while (session.turn()) {
    }
    session.end();
  }
  EXPECT_EQ(b.counts().n_sessions, 15U);
}

void a_session_in_which_nobody_asks_ends(world& w, std::uint64_t) {
  biconveyor<std::int64_t, std::int64_t> b{w};
  for (int k = 0; k < 5; ++k) {
    b.begin([](std::int64_t) -> std::int64_t {
      ADD_FAILURE() << "nobody asked";
      return 0;
    });
    while (b.advance(true) != progress::complete) EXPECT_EQ(b.pull(), nullptr);
    b.reset();
  }
}

// All query one PE, whose replies have less room than its queries.
void one_PE_answers_all_others(world& w, std::uint64_t seed) {
  const auto owner = static_cast<pe_id>(seed % static_cast<std::uint64_t>(w.n_pes()));
  constexpr std::size_t n = 80;
  biconveyor<std::uint16_t, std::int64_t> b{w};
  b.begin([&](std::uint16_t q) {
    EXPECT_EQ(w.my_pe(), owner);
    return 3 * std::int64_t{q};
  });
  std::size_t i = 0;
  std::int64_t n_pulled = 0;
  while (b.advance(i == n) != progress::complete) {
    for (; i < n && b.push(static_cast<std::uint16_t>(i), owner); ++i) {
    }
    while (const std::int64_t* reply = b.pull()) EXPECT_EQ(*reply, 3 * n_pulled++);
  }
  EXPECT_EQ(n_pulled, std::int64_t{n});
  b.reset();
}

// A PE that pulls late stalls only itself: others' queries are answered meanwhile.
void a_PE_that_pulls_late_answers_all_the_same(world& w, std::uint64_t seed) {
  const pe_id late = static_cast<pe_id>(seed % static_cast<std::uint64_t>(w.n_pes()));
  constexpr std::int64_t n = 50;
  std::int64_t n_answered = 0;
  biconveyor<std::int64_t, std::int64_t> b{w, {.window = 8}};
  b.begin([&](std::int64_t q) {
    ++n_answered;
    return -q;
  });
  std::int64_t i = 0;
  std::int64_t n_pulled = 0;
  const auto one_turn = [&](bool is_pulling) {
    if (b.advance(i == n) == progress::complete) return false;
    for (; i < n && b.push(i, late); ++i) {
    }
    while (is_pulling) {
      const std::int64_t* reply = b.pull();
      if (reply == nullptr) break;
      EXPECT_EQ(*reply, -(n_pulled++));
    }
    return true;
  };
  if (w.my_pe() == late) {
    while (n_answered < n * (w.n_pes() - 1)) one_turn(false);
  }
  while (one_turn(true)) {
  }
  EXPECT_EQ(n_pulled, n);
  b.reset();
}

// Each query follows from the last reply, so no PE has more than one outstanding, and none is done.
void queries_that_depend_on_replies_go_on(world& w, std::uint64_t seed) {
  const std::int64_t n_pes = w.n_pes();
  const auto next_of = [&](std::int64_t place) {
    return static_cast<std::int64_t>(
        random_engine(seed, static_cast<std::uint64_t>(place)).below(static_cast<std::uint64_t>(50 * n_pes)));
  };
  biconveyor<std::int64_t, std::int64_t> b{w};
  b.begin([&](std::int64_t place) {
    EXPECT_EQ(place % n_pes, w.my_pe());
    return next_of(place);
  });
  std::int64_t place = w.my_pe();
  std::int64_t expected = place;
  int n_to_go = 15;
  bool is_waiting = false;
  while (b.advance(n_to_go == 0) != progress::complete) {
    if (!is_waiting && n_to_go > 0) is_waiting = b.push(place, place % n_pes);
    if (const std::int64_t* next = b.pull()) {
      expected = next_of(expected);
      EXPECT_EQ(*next, expected);
      place = *next;
      is_waiting = false;
      --n_to_go;
    }
  }
  b.reset();
}

// The answer of one is the query of the other, as in a chain of distributed tables; the first one's loop feeds the
// second.
// first one's loop.
void two_biconveyors_advance_together(world& w, std::uint64_t seed) {
  const std::int64_t n_pes = w.n_pes();
  const std::vector<pe_id> targets = targets_of(seed, w.my_pe(), n_pes, 40);
  biconveyor<std::int64_t, std::int64_t> first{w, {.window = 4}};
  biconveyor<std::int64_t, std::int64_t> second{w, {.window = 3}};
  first.begin([&](std::int64_t x) { return x + w.my_pe(); });
  second.begin([&](std::int64_t x) { return 100 * x + w.my_pe(); });
  std::size_t i = 0;
  std::size_t k = 0;
  bool has_between = false;
  std::int64_t between = 0;
  bool is_first_open = true;
  bool is_second_open = true;
  while (is_second_open) {
    if (is_first_open) is_first_open = first.advance(i == targets.size()) != progress::complete;
    is_second_open = second.advance(!is_first_open && !has_between) != progress::complete;
    for (; i < targets.size() && first.push(static_cast<std::int64_t>(i), targets[i]); ++i) {
    }
    while (true) {
      if (!has_between && is_first_open) {
        const std::int64_t* reply = first.pull();
        has_between = reply != nullptr;
        if (has_between) between = *reply;
      }
      if (!has_between || !second.push(between, between % n_pes)) break;
      has_between = false;
    }
    while (const std::int64_t* reply = second.pull()) {
      const std::int64_t middle = static_cast<std::int64_t>(k) + targets[k];
      EXPECT_EQ(*reply, 100 * middle + middle % n_pes);
      ++k;
    }
  }
  EXPECT_EQ(k, targets.size());
  first.reset();
  second.reset();
}

// Each query but the last of a chain makes its owner query further. If there is no room, the main program does.
void an_answer_may_push(world& w, std::uint64_t) {
  const pe_id next = (w.my_pe() + 1) % w.n_pes();
  biconveyor<std::int64_t, std::int64_t> b{w};
  std::deque<std::int64_t> to_ask{3};
  std::deque<std::int64_t> asked;
  const auto ask = [&](std::int64_t depth) {
    if (!b.push(depth, next)) return false;
    asked.push_back(depth);
    return true;
  };
  b.begin([&](std::int64_t depth) {
    if (depth > 0 && !ask(depth - 1)) to_ask.push_back(depth - 1);
    return depth;
  });
  int n_pulled = 0;
  while (b.advance(n_pulled == 4) != progress::complete) {
    while (!to_ask.empty() && ask(to_ask.front())) to_ask.pop_front();
    while (const std::int64_t* reply = b.pull()) {
      EXPECT_EQ(*reply, asked.front());
      asked.pop_front();
      ++n_pulled;
    }
  }
  EXPECT_EQ(n_pulled, 4);
  b.reset();
}

void a_pulled_reply_stays_readable_until_the_next_pull(world& w, std::uint64_t seed) {
  const std::vector<pe_id> targets = targets_of(seed, w.my_pe(), w.n_pes(), 40);
  for (const std::uint32_t window : {1U, 2U, 16U}) {
    biconveyor<std::int64_t, std::int64_t> b{w, {.window = window}};
    b.begin([](std::int64_t q) { return q * q; });
    std::size_t i = 0;
    std::int64_t n_pulled = 0;
    const std::int64_t* held = nullptr;
    while (b.advance(i == targets.size()) != progress::complete) {
      for (; i < targets.size() && b.push(static_cast<std::int64_t>(i), targets[i]); ++i) {
      }
      EXPECT_TRUE(held == nullptr || *held == (n_pulled - 1) * (n_pulled - 1));
      if (const std::int64_t* reply = b.pull()) {
        held = reply;
        ++n_pulled;
      }
    }
    EXPECT_EQ(n_pulled, std::int64_t{40});
    b.reset();
  }
}

template <std::size_t Bytes, std::size_t Align>
struct alignas(Align) sized {
  std::array<std::uint8_t, Bytes> bytes;
};

template <class Query, class Reply>
void ask_of_size(world& w, std::uint64_t seed) {
  const std::vector<pe_id> targets = targets_of(seed, w.my_pe(), w.n_pes(), 30);
  biconveyor<Query, Reply> b{w, {.window = 20}};
  b.begin([](const Query& q) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&q) % alignof(Query), 0U);
    Reply r;
    for (std::size_t k = 0; k < sizeof r.bytes; ++k) {
      r.bytes[k] = static_cast<std::uint8_t>(q.bytes[k % sizeof q.bytes] + k);
    }
    return r;
  });
  std::size_t i = 0;
  std::size_t n_pulled = 0;
  while (b.advance(i == targets.size()) != progress::complete) {
    for (; i < targets.size(); ++i) {
      Query q;
      q.bytes.fill(static_cast<std::uint8_t>(i));
      if (!b.push(q, targets[i])) break;
    }
    while (const Reply* r = b.pull()) {
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(r) % alignof(Reply), 0U);
      for (std::size_t k = 0; k < sizeof r->bytes; ++k) {
        EXPECT_EQ(r->bytes[k], static_cast<std::uint8_t>(n_pulled + k));
      }
      ++n_pulled;
    }
  }
  EXPECT_EQ(n_pulled, targets.size());
  b.reset();
}

void queries_and_replies_of_many_sizes(world& w, std::uint64_t seed) {
  ask_of_size<sized<1, 1>, sized<1, 1>>(w, seed);
  ask_of_size<sized<3, 1>, sized<60, 4>>(w, seed);
  ask_of_size<sized<60, 4>, sized<3, 1>>(w, seed);
  ask_of_size<sized<8, 8>, sized<48, 16>>(w, seed);
  ask_of_size<sized<32, 32>, sized<16, 16>>(w, seed);
}

}  // namespace

std::vector<claim> biconveyor_claims() {
  return {
      {"replies_come_in_the_order_of_the_queries", replies_come_in_the_order_of_the_queries, 2},
      {"a_window_of_one_asks_one_by_one", a_window_of_one_asks_one_by_one, 2},
      {"a_window_of_two_is_enough", a_window_of_two_is_enough, 2},
      {"windows_of_any_size_keep_order", windows_of_any_size_keep_order, 2},
      {"windows_may_differ_between_PEs", windows_may_differ_between_PEs, 2},
      {"query_sessions_follow_each_other", query_sessions_follow_each_other, 2},
      {"a_session_in_which_nobody_asks_ends", a_session_in_which_nobody_asks_ends, 2},
      {"one_PE_answers_all_others", one_PE_answers_all_others, 2},
      {"a_PE_that_pulls_late_answers_all_the_same", a_PE_that_pulls_late_answers_all_the_same, 2},
      {"queries_that_depend_on_replies_go_on", queries_that_depend_on_replies_go_on, 2},
      {"two_biconveyors_advance_together", two_biconveyors_advance_together, 4},
      {"an_answer_may_push", an_answer_may_push, 2},
      {"a_pulled_reply_stays_readable_until_the_next_pull", a_pulled_reply_stays_readable_until_the_next_pull, 2},
      {"queries_and_replies_of_many_sizes", queries_and_replies_of_many_sizes, 2},
  };
}

}  // namespace shoal::test
