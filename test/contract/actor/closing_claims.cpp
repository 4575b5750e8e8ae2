// Claims: mailboxes close by themselves in the order that the program declares, and what waits for their ends runs then.
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "shoal/actor/work_list.hpp"
#include "shoal/shoal.hpp"
#include "shoal/task/task.hpp"
#include "test/contract/claims.hpp"

namespace shoal::test {
namespace {

// What waits for the end of the first mailbox fills the second, which closes only afterwards.
void an_end_begins_what_comes_next(world& w, std::uint64_t) {
  std::int64_t n_first = 0;
  std::int64_t n_second = 0;
  actor first{w, [&](std::int64_t n) { n_first += n; }};
  actor second{w, [&](std::int64_t n) { n_second += n; }};
  first.fed_by();
  second.fed_by(first);
  for (std::int64_t k = 1; k <= 3; ++k) {
    std::int64_t seen_at_end = -1;
    w.finish([&] {
      first.closed().then([&] { second.send(next_pe(w), n_first); });
      second.closed().then([&] { seen_at_end = n_second; });
      for (int i = 0; i < 20; ++i) first.send(next_pe(w), 1);
    });
    EXPECT_EQ(n_first, 20 * k);
    EXPECT_EQ(n_second, 10 * k * (k + 1));
    EXPECT_EQ(seen_at_end, n_second);
  }
}

// The main program waits for an end in the middle of a superstep, while another mailbox stays open.
void the_main_program_may_wait_for_an_end(world& w, std::uint64_t) {
  std::int64_t n_handled = 0;
  std::int64_t n_others = 0;
  actor other{w, [&](int) { ++n_others; }};
  actor count{w, [&](std::int64_t n) { n_handled += n; }};
  count.fed_by();
  w.finish([&] {
    other.send(next_pe(w), 1);
    for (int i = 0; i < 50; ++i) count.send(next_pe(w), 1);
    count.done();
    count.closed().get();
    EXPECT_EQ(n_handled, 50);
    EXPECT_EQ(count.current_state(), mailbox::state::dormant);
    EXPECT_TRUE(count.closed().is_ready());
    other.send(next_pe(w), 1);
  });
  EXPECT_EQ(n_others, 2);
}

struct question_number {
  std::int64_t n;
};
struct answer_number {
  std::int64_t n;
};

// Declared in its type: questions from main programs, answers from the handlers of questions.
class asking_ring : public selector<asking_ring, question_number, answer_number> {
public:
  using termination = termination_graph<fed<question_number>, fed<answer_number, question_number>>;

  explicit asking_ring(world& w) : selector(w) {}
  void process(question_number q, pe_id from) { send(from, answer_number{2 * q.n}); }
  void process(answer_number a) { sum += a.n; }

  std::int64_t sum = 0;
};

void a_selector_declares_its_graph(world& w, std::uint64_t) {
  asking_ring ring(w);
  for (std::int64_t k = 1; k <= 2; ++k) {
    bool has_ended = false;
    w.finish([&] {
      for (std::int64_t i = 0; i < 30; ++i) ring.send(next_pe(w), question_number{i});
      ring.closed().then([&] { has_ended = true; });
      ring.done();
      ring.closed<question_number>().get();
      EXPECT_EQ(ring.mailbox_of<question_number>().current_state(), mailbox::state::dormant);
      ring.close();
      EXPECT_EQ(ring.sum, k * 30 * 29);
      EXPECT_TRUE(has_ended);
    });
  }
}

// Messages that go in a circle: the two close together, when the last one has been handled.
void mailboxes_on_a_cycle_close_together(world& w, std::uint64_t) {
  std::int64_t n_handled = 0;
  actor<std::function<void(int)>, int>* to_second = nullptr;
  actor first{w, std::function<void(int)>([&](int hops) {
                ++n_handled;
                if (hops > 0) to_second->send(next_pe(w), hops - 1);
              })};
  actor second{w, std::function<void(int)>([&](int hops) {
                 ++n_handled;
                 if (hops > 0) first.send(next_pe(w), hops - 1);
               })};
  to_second = &second;
  first.fed_by(second);
  second.fed_by(first);
  w.finish([&] {
    first.send(next_pe(w), 41);
    first.done();
    second.done();
    first.closed().get();
    EXPECT_EQ(n_handled, 42);
    EXPECT_EQ(second.current_state(), mailbox::state::dormant);
  });
}

// In a superstep within another one; the outer mailbox closes in it, although it belongs to the outer.
void mailboxes_of_an_outer_finish_close_in_an_inner_one(world& w, std::uint64_t) {
  std::int64_t n_outer = 0;
  std::int64_t n_inner = 0;
  w.finish([&] {
    actor outer{w, [&](int) { ++n_outer; }};
    outer.fed_by();
    bool has_ended = false;
    outer.closed().then([&] { has_ended = true; });
    outer.send(next_pe(w), 1);
    outer.done();
    w.finish([&] {
      actor inner{w, [&](int) { ++n_inner; }};
      inner.fed_by();
      inner.send(next_pe(w), 1);
      inner.done();
      inner.closed().get();
      EXPECT_EQ(n_inner, 1);
      outer.closed().get();
      EXPECT_EQ(n_outer, 1);
    });
    outer.close();
    EXPECT_TRUE(has_ended);
  });
}

// A handler that waits for the end of another mailbox keeps its own open.
void a_handler_may_wait_for_an_end(world& w, std::uint64_t) {
  std::int64_t n_counted = 0;
  std::int64_t seen = -1;
  actor count{w, [&](int) { ++n_counted; }};
  actor report{w, [&](int) { count.closed().then([&] { seen = n_counted; }); }};
  count.fed_by();
  report.fed_by();
  w.finish([&] {
    report.send(next_pe(w), 0);
    report.done();
    for (int i = 0; i < 10; ++i) count.send(next_pe(w), 1);
    count.done();
    report.closed().get();
    EXPECT_EQ(seen, 10);
  });
}

// What the main program has left sends to declared mailboxes when it waits at the end of finish already: items, what these
// leave, and tasks that wait meanwhile. A mailbox stays open for them, here and elsewhere, and closes before `finish` ends.
void work_of_the_main_program_feeds_declared_mailboxes(world& w, std::uint64_t seed) {
  static constexpr int n_hops = 7;
  std::int64_t n_walked = 0;
  std::int64_t n_counted = 0;
  std::int64_t seen_at_end = -1;
  actor count{w, [&](int) { ++n_counted; }};
  actor<std::function<void(int)>, int>* to_walk = nullptr;
  work_list steps{
      w, [&](int left) {
        ++n_walked;
        count.send(
            static_cast<pe_id>((seed + static_cast<std::uint64_t>(left)) % static_cast<std::uint64_t>(w.n_pes())), 1);
        if (left > 0) to_walk->send(next_pe(w), left - 1);
      }};
  actor walk{w, std::function<void(int)>([&](int left) { steps.defer(left); })};
  to_walk = &walk;
  walk.fed_by(walk);
  count.fed_by(walk);
  for (std::int64_t k = 1; k <= 2; ++k) {
    w.finish([&] {
      count.closed().then([&] { seen_at_end = n_counted; });
      steps.defer(n_hops);
      w.defer([&] {
        w.defer([&] { walk.send(next_pe(w), n_hops - 1); });
        count.send(next_pe(w), 1);
      });
      async([&] {
        const int n = w.ask(next_pe(w), [](world&) { return n_hops - 1; }).get();
        walk.send(next_pe(w), n);
        yield_task();
        async([&] { count.send(next_pe(w), 1); });
      });
    });
    // One walk begins with a step of its PE, two with a message.
    EXPECT_EQ(n_walked, k * (n_hops + 1 + 2 * n_hops));
    EXPECT_EQ(seen_at_end, n_counted);
    EXPECT_EQ(w.sum(n_counted), k * w.n_pes() * (n_hops + 1 + 2 * n_hops + 2));
  }
}

// Tasks that wait for an end do not keep mailboxes open: it comes when all else is over that the main program has left. They
// may wait for what is made of it, or begin with it. They send to what is not declared.
void tasks_of_the_main_program_may_wait_for_an_end(world& w, std::uint64_t) {
  std::int64_t n_first = 0;
  std::int64_t n_second = 0;
  std::int64_t n_told = 0;
  actor tell{w, [&](int) { ++n_told; }};
  actor first{w, [&](int) { ++n_first; }};
  actor second{w, [&](int) { ++n_second; }};
  first.fed_by();
  second.fed_by(first);
  w.finish([&] {
    async([&, end = second.closed()]() mutable {
      end.get();
      EXPECT_EQ(n_second, 2);
      tell.send(next_pe(w), 1);
    });
    async([&, end = first.closed()]() mutable {
      task_scope none;
      end.get();
      EXPECT_EQ(n_first, 1);
      tell.send(next_pe(w), 1);
    });
    async([&, end = second.closed()]() mutable {
      const int n = end.then([] { return 1; }).then([](int one) { return 2 * one; }).get();
      tell.send(next_pe(w), n);
    });
    async([&, both = when_all(first.closed(), second.closed())]() mutable {
      both.get();
      tell.send(next_pe(w), 1);
    });
    async_await([&] { tell.send(next_pe(w), 1); }, second.closed(), w.ask(next_pe(w), [](world&) {}));
    std::vector<future<void>> ends;
    for (int i = 0; i < 3; ++i) ends.push_back(second.closed());
    async_await([&] { tell.send(next_pe(w), 1); }, std::move(ends));
    async([&] {
      w.ask(next_pe(w), [](world&) { return 1; }).get();
      second.send(next_pe(w), 1);
      w.defer([&] { second.send(next_pe(w), 1); });
    });
    first.send(next_pe(w), 1);
  });
  EXPECT_EQ(n_told, 6);
}

}  // namespace

std::vector<claim> closing_claims() {
  return {
      {"an_end_begins_what_comes_next", an_end_begins_what_comes_next, 3},
      {"the_main_program_may_wait_for_an_end", the_main_program_may_wait_for_an_end, 3},
      {"a_selector_declares_its_graph", a_selector_declares_its_graph, 3},
      {"mailboxes_on_a_cycle_close_together", mailboxes_on_a_cycle_close_together, 3},
      {"mailboxes_of_an_outer_finish_close_in_an_inner_one", mailboxes_of_an_outer_finish_close_in_an_inner_one, 4},
      {"a_handler_may_wait_for_an_end", a_handler_may_wait_for_an_end, 3},
      {"work_of_the_main_program_feeds_declared_mailboxes", work_of_the_main_program_feeds_declared_mailboxes, 3},
      {"tasks_of_the_main_program_may_wait_for_an_end", tasks_of_the_main_program_may_wait_for_an_end, 4},
  };
}

}  // namespace shoal::test
