// Tasks on several workers of a PE: what they send arrives whole, once and in order, whichever worker they run on.
// Nothing here is shared by tasks without a lock or an order between them, so each claim holds on real threads, too.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "shoal/actor/actor.hpp"
#include "shoal/actor/combining_actor.hpp"
#include "shoal/actor/per_pe.hpp"
#include "shoal/base/random.hpp"
#include "shoal/substrate/substrate_kind.hpp"
#include "shoal/task/task.hpp"
#include "test/contract/claims.hpp"

namespace shoal::test {
namespace {

std::uint64_t pes_of(world& w) { return static_cast<std::uint64_t>(w.n_pes()); }

constexpr std::uint64_t n_senders = 5;  // tasks of each PE

// What has come from each task of each PE, which numbers its messages.
class senders_seen {
public:
  explicit senders_seen(world& w) : next_(pes_of(w) * n_senders, 0) {}

  void note(pe_id from, std::uint64_t sender, std::uint64_t number) {
    std::uint64_t& next = next_[static_cast<std::size_t>(from) * n_senders + sender];
    if (number != next) ++n_out_of_order_;
    ++next;
  }
  void check(std::uint64_t n_of_each) const {
    EXPECT_EQ(n_out_of_order_, 0U);
    EXPECT_EQ(next_, std::vector<std::uint64_t>(next_.size(), n_of_each));
  }

private:
  std::vector<std::uint64_t> next_;
  std::uint64_t n_out_of_order_ = 0;
};

struct numbered_by_task {
  std::uint32_t sender;
  std::uint32_t number;
};

// More than fits into all buffers, so workers wait for the PE's own thread.
void messages_of_tasks_keep_their_order(world& w, std::uint64_t seed) {
  constexpr std::uint64_t n_rounds = 60;
  senders_seen seen(w);
  actor note{w, [&](const numbered_by_task& m, pe_id from) { seen.note(from, m.sender, m.number); }};
  w.finish([&] {
    for (std::uint32_t sender = 0; sender < n_senders; ++sender) {
      async([&, sender] {
        random_engine random(seed, sender);
        for (std::uint32_t i = 0; i < n_rounds; ++i) {
          for (pe_id pe = 0; pe < w.n_pes(); ++pe) note.send(pe, numbered_by_task{sender, i});
          if (random.below(20) == 0) yield_task();
        }
      });
    }
    for (std::uint32_t i = 0; i < n_rounds; ++i) {  // the main program sends meanwhile, and not in order with them
      for (pe_id pe = 0; pe < w.n_pes(); ++pe) w.send(pe, [] {});
    }
  });
  seen.check(n_rounds);
}

std::string text_of_task(std::uint64_t sender, std::uint64_t number, std::size_t bytes_most) {
  random_engine random(sender + 1, number);
  return std::string(random.below(bytes_most), static_cast<char>('a' + (sender + number) % 26));
}

// Some are larger than a buffer, and travel in fragments. They keep their order all the same.
void texts_of_tasks_arrive_whole_and_in_order(world& w, std::uint64_t) {
  constexpr std::uint64_t n_of_each = 12;
  const std::size_t bytes_most = 3 * w.backend().payload_bytes();
  std::uint64_t n_wrong = 0;
  senders_seen seen(w);
  const auto take = [&](pe_id from, std::uint64_t sender, std::uint64_t number, std::string_view its) {
    seen.note(from, sender, number);
    n_wrong += its != text_of_task(sender, number, bytes_most);
  };
  per_pe<decltype(take)*> taker(w, const_cast<decltype(take)*>(&take));
  w.finish([&] {
    for (std::uint64_t sender = 0; sender < n_senders; ++sender) {
      async([&, sender] {
        for (std::uint64_t i = 0; i < n_of_each; ++i) {
          for (pe_id pe = 0; pe < w.n_pes(); ++pe) {
            w.send(
                pe,
                [its = taker.handle()](world&, pe_id from, std::uint64_t of, std::uint64_t number,
                                       std::string_view brought) { (**its)(from, of, number, brought); },
                sender, i, text_of_task(sender, i, bytes_most));
          }
        }
      });
    }
  });
  EXPECT_EQ(n_wrong, 0U);
  seen.check(n_of_each);
}

// Closures of several types, in one order.
void closures_of_tasks_keep_their_order(world& w, std::uint64_t) {
  constexpr std::uint64_t n_of_each = 60;
  senders_seen seen(w);
  per_pe<senders_seen*> place(w, &seen);
  w.finish([&] {
    for (std::uint64_t sender = 0; sender < n_senders; ++sender) {
      async([&, sender] {
        for (std::uint64_t i = 0; i < n_of_each; ++i) {
          for (pe_id pe = 0; pe < w.n_pes(); ++pe) {
            if (i % 3 == 0) {
              w.send(pe, [its = place.handle(), sender, i](world&, pe_id from) { (*its)->note(from, sender, i); });
            } else if (i % 3 == 1) {
              w.send(pe, [its = place.handle(), both = std::array{sender, i}](world&, pe_id from) {
                (*its)->note(from, both[0], both[1]);
              });
            } else {
              w.send(
                  pe,
                  [its = place.handle()](world&, pe_id from, std::vector<std::uint64_t> both) {
                    (*its)->note(from, both[0], both[1]);
                  },
                  std::vector<std::uint64_t>{sender, i});
            }
          }
        }
      });
    }
  });
  seen.check(n_of_each);
}

// A small message for each of many tasks: they share the buffers of their worker.
void small_tasks_share_buffers(world& w, std::uint64_t) {
  constexpr std::int64_t n = 700;
  std::uint64_t sum = 0;
  actor add{w, [&](std::uint64_t value) { sum += value; }};
  w.finish([&] {
    forasync({0, n, 1},
             [&](std::int64_t i) { add.send(static_cast<pe_id>(i % w.n_pes()), static_cast<std::uint64_t>(i)); });
  });
  EXPECT_EQ(w.sum(sum), pes_of(w) * static_cast<std::uint64_t>(n * (n - 1) / 2));
}

struct keyed_by_task {
  std::uint32_t key;
  std::uint32_t n;
};

void tasks_send_what_is_combined(world& w, std::uint64_t seed) {
  constexpr std::uint32_t n_keys_of_tasks = 6;
  constexpr std::uint32_t n_of_each = 200;
  std::array<std::uint64_t, n_keys_of_tasks> sums{};
  combining_actor count{
      w, [&](const keyed_by_task& m) { sums[m.key] += m.n; }, [](const keyed_by_task& m) { return m.key; },
      [](keyed_by_task& into, const keyed_by_task& from) { into.n += from.n; }, combining::everywhere};
  w.finish([&] {
    for (std::uint64_t sender = 0; sender < n_senders; ++sender) {
      async([&, sender] {
        random_engine random(seed, sender);
        for (std::uint32_t i = 0; i < n_of_each; ++i) {
          const auto target = static_cast<pe_id>(random.below(pes_of(w)));
          const keyed_by_task m{static_cast<std::uint32_t>(random.below(n_keys_of_tasks)), 1};
          if (i % 2 == 0) {
            count.send(target, m);
          } else {
            while (!count.try_send(target, m)) yield_task();
          }
        }
      });
    }
  });
  EXPECT_EQ(w.sum(std::accumulate(sums.begin(), sums.end(), std::uint64_t{0})), pes_of(w) * n_senders * n_of_each);
}

// Tasks of handlers, along mailboxes that close by themselves: the second closes after the tasks of the first.
void tasks_of_handlers_feed_the_next_mailbox(world& w, std::uint64_t) {
  constexpr std::uint64_t n = 40;
  std::uint64_t n_second = 0;
  std::uint64_t n_at_end = 0;
  actor second{w, [&](std::uint64_t value) { n_second += value; }};
  actor first{w, [&](std::uint64_t value) {
                async([&, value] {
                  for (pe_id pe = 0; pe < w.n_pes(); ++pe) second.send(pe, value);
                });
              }};
  first.fed_by();
  second.fed_by(first);
  w.finish([&] {
    second.closed().then([&] { n_at_end = n_second; });
    for (std::uint64_t i = 0; i < n; ++i) first.send(next_pe(w), 1);
  });
  EXPECT_EQ(n_second, n * pes_of(w));
  EXPECT_EQ(n_at_end, n_second);
}

// Tasks for which the main program waits send what it may send, to declared mailboxes, too.
void tasks_of_the_main_program_send_to_declared_mailboxes(world& w, std::uint64_t) {
  constexpr std::uint64_t n = 30;
  std::array<std::uint64_t, 2> n_come{};
  actor second{w, [&](std::uint64_t) { ++n_come[1]; }};
  actor first{w, [&](std::uint64_t value) {
                ++n_come[0];
                second.send(w.my_pe(), value);
              }};
  first.fed_by();
  second.fed_by(first);
  w.finish([&] {
    task_scope scope;
    for (std::uint64_t sender = 0; sender < n_senders; ++sender) {
      scope.async([&] {
        for (std::uint64_t i = 0; i < n; ++i) {
          first.send(next_pe(w), i);
          second.send(next_pe(w), i);
        }
      });
    }
  });
  EXPECT_EQ(n_come[0], n * n_senders);
  EXPECT_EQ(n_come[1], 2 * n * n_senders);
}

// The same for tasks that finish waits for. Their mailboxes close only after them, and before what waits for the end of one.
void tasks_left_to_finish_send_to_declared_mailboxes(world& w, std::uint64_t) {
  constexpr std::uint64_t n = 30;
  std::array<std::uint64_t, 2> n_come{};
  std::uint64_t n_at_end = 0;
  actor second{w, [&](std::uint64_t) { ++n_come[1]; }};
  actor first{w, [&](std::uint64_t value) {
                ++n_come[0];
                second.send(w.my_pe(), value);
              }};
  first.fed_by();
  second.fed_by(first);
  w.finish([&] {
    async([&, end = second.closed()]() mutable {
      end.get();
      n_at_end = n_come[1];
    });
    for (std::uint64_t sender = 0; sender < n_senders; ++sender) {
      async([&, sender] {
        if (sender == 0) w.ask(next_pe(w), [](world&) { return true; }).get();
        for (std::uint64_t i = 0; i < n; ++i) {
          first.send(next_pe(w), i);
          second.send(next_pe(w), i);
        }
      });
    }
  });
  EXPECT_EQ(n_come[0], n * n_senders);
  EXPECT_EQ(n_come[1], 2 * n * n_senders);
  EXPECT_EQ(n_at_end, n_come[1]);
}

// An item of work makes the first task of its PE, and so its workers.
void an_item_makes_the_first_task(world& w, std::uint64_t) {
  std::atomic<int> n = 0;
  w.finish([&] { w.defer([&] { async([&] { ++n; }); }); });
  EXPECT_EQ(n, 1);
}

}  // namespace

std::vector<claim> worker_claims() {
  return {{.name = "messages_of_tasks_keep_their_order", .check = messages_of_tasks_keep_their_order, .n_streams = 2},
          {.name = "texts_of_tasks_arrive_whole_and_in_order", .check = texts_of_tasks_arrive_whole_and_in_order},
          {.name = "closures_of_tasks_keep_their_order", .check = closures_of_tasks_keep_their_order},
          {.name = "small_tasks_share_buffers", .check = small_tasks_share_buffers, .n_streams = 2},
          {.name = "tasks_send_what_is_combined", .check = tasks_send_what_is_combined, .n_streams = 2},
          {.name = "tasks_of_handlers_feed_the_next_mailbox",
           .check = tasks_of_handlers_feed_the_next_mailbox,
           .n_streams = 3},
          {.name = "tasks_of_the_main_program_send_to_declared_mailboxes",
           .check = tasks_of_the_main_program_send_to_declared_mailboxes,
           .n_streams = 3},
          {.name = "an_item_makes_the_first_task", .check = an_item_makes_the_first_task},
          {.name = "tasks_left_to_finish_send_to_declared_mailboxes",
           .check = tasks_left_to_finish_send_to_declared_mailboxes,
           .n_streams = 3}};
}

}  // namespace shoal::test
