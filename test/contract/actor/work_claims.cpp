#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "shoal/actor/keyed_work_list.hpp"
#include "shoal/actor/work_list.hpp"
#include "test/contract/actor/checked_actor.hpp"
#include "test/contract/claims.hpp"

namespace shoal::test {
namespace {

// Marks the run of an item; it must not begin inside a handler or another item.
class item_mark {
public:
  item_mark(bool& is_working, const pe_watch& watch) : is_working_(is_working) {
    EXPECT_FALSE(watch.is_handling) << "an item began inside a handler";
    EXPECT_FALSE(is_working_) << "an item began inside another one";
    is_working_ = true;
  }
  ~item_mark() { is_working_ = false; }
  item_mark(const item_mark&) = delete;
  item_mark& operator=(const item_mark&) = delete;

private:
  bool& is_working_;
};

// Handlers that would send twice what they receive: a tree of messages of depth 7 from each PE.
void finish_waits_for_what_handlers_leave(world& w, std::uint64_t seed) {
  pe_watch watch;
  bool is_working = false;
  random_engine random(seed, 900 + static_cast<std::uint64_t>(w.my_pe()));
  const auto any_pe = [&] { return static_cast<pe_id>(random.below(static_cast<std::uint64_t>(w.n_pes()))); };
  std::uint64_t n_left = 0;
  std::uint64_t n_done = 0;
  std::optional<checked_actor<int>> grow;
  work_list todo{w, [&](int depth) {
                   const item_mark mark(is_working, watch);
                   ++n_done;
                   w.charge_ns(500);
                   for (int child = 0; child < 2; ++child) grow->send(any_pe(), depth - 1);
                 }};
  grow.emplace(w, watch, [&](int depth, pe_id) {
    if (depth == 0) return;
    ++n_left;
    todo.defer(depth);
  });
  for (int step = 0; step < 2; ++step) {
    ++watch.step;
    w.finish([&] { grow->send(any_pe(), 7); });
    EXPECT_EQ(n_left, n_done);
    EXPECT_EQ(todo.size(), 0U);
    EXPECT_EQ(w.sum(n_done), static_cast<std::uint64_t>(w.n_pes()) * 127U * static_cast<std::uint64_t>(step + 1));
  }
  EXPECT_EQ(grow->counts().n_spills, 0U) << "handlers that only leave work send nothing";
  grow->expect_all_handled();
}

void items_come_in_the_order_of_their_list(world& w, std::uint64_t seed) {
  random_engine random(seed, 910 + static_cast<std::uint64_t>(w.my_pe()));
  struct numbered {
    std::uint64_t number;
    std::uint64_t bucket;
  };
  std::vector<std::uint64_t> first_in, last_in;
  std::vector<numbered> by_bucket;
  work_list fifo{w, [&](std::uint64_t i) { first_in.push_back(i); }};
  work_list lifo{w, [&](std::uint64_t i) { last_in.push_back(i); }, work_order::last_in_first_out};
  work_list buckets{w, [&](const numbered& i) { by_bucket.push_back(i); }, work_order::lowest_bucket_first};
  constexpr std::uint64_t n = 600;  // more than a turn
  w.finish([&] {
    for (std::uint64_t i = 0; i < n; ++i) {
      fifo.defer(i);
      lifo.defer(i);
      const std::uint64_t bucket = random.below(9);
      buckets.defer({i, bucket}, bucket);
    }
    EXPECT_EQ(fifo.size() + lifo.size() + buckets.size(), 3 * n) << "leaving an item does none";
  });
  ASSERT_EQ(first_in.size(), n);
  ASSERT_EQ(last_in.size(), n);
  ASSERT_EQ(by_bucket.size(), n);
  EXPECT_TRUE(std::ranges::is_sorted(first_in));
  EXPECT_TRUE(std::ranges::is_sorted(last_in, std::greater<>{}));
  EXPECT_TRUE(std::ranges::is_sorted(by_bucket, [](const numbered& a, const numbered& b) {
    return a.bucket != b.bucket ? a.bucket < b.bucket : a.number > b.number;
  }));
}

// An address is asked for once for each item, before the item is done, in the order of the items. It may be null.
struct foreseen {
  std::vector<std::uint64_t>& named;
  std::vector<std::uint64_t>& done;
  void operator()(std::uint64_t item) const { done.push_back(item); }
  const void* prefetch(std::uint64_t item) const {
    EXPECT_EQ(std::ranges::count(done, item), 0) << item << " was done before";
    named.push_back(item);
    return item % 2 == 0 ? nullptr : &done;
  }
};

void a_prefetch_comes_before_its_item(world& w, std::uint64_t) {
  constexpr std::uint64_t n = 600;  // more than a turn
  constexpr std::uint64_t n_buckets = 3;
  for (const auto order :
       {work_order::first_in_first_out, work_order::last_in_first_out, work_order::lowest_bucket_first}) {
    std::vector<std::uint64_t> named, done;
    work_list todo{w, foreseen{named, done}, order};
    w.finish([&] {
      for (std::uint64_t i = 0; i < n; ++i) todo.defer(i, i % n_buckets);
    });
    ASSERT_EQ(done.size(), n);
    const std::uint64_t n_parts = order == work_order::lowest_bucket_first ? n_buckets : 1;
    const std::uint64_t n_unforeseen = (n - named.size()) / n_parts;  // the first items of each bucket
    EXPECT_GE(n_unforeseen, 1U);
    EXPECT_LE(n_unforeseen, 32U);
    std::vector<std::uint64_t> expected;
    for (std::uint64_t i = 0; i < n; ++i) {
      if (i % (n / n_parts) >= n_unforeseen) expected.push_back(done[i]);
    }
    EXPECT_EQ(named, expected);
  }
}

// Items go on from where they stopped if more is left for a lower bucket meanwhile.
void a_lower_bucket_that_is_left_later_comes_next(world& w, std::uint64_t) {
  std::vector<std::uint64_t> order;
  std::optional<work_list<std::function<void(std::uint64_t)>, std::uint64_t>> todo;
  todo.emplace(
      w,
      [&](std::uint64_t bucket) {
        order.push_back(bucket);
        if (bucket == 5) {
          todo->defer(3, 3);
          todo->defer(7, 7);
        }
      },
      work_order::lowest_bucket_first);
  w.finish([&] {
    for (const std::uint64_t bucket : {9, 5, 8}) todo->defer(bucket, bucket);
  });
  EXPECT_EQ(order, (std::vector<std::uint64_t>{5, 3, 7, 8, 9}));
}

// A ring with chords. Every vertex ends with the least label, 0.
struct ring {
  std::int64_t n;
  std::uint64_t seed;

  std::vector<std::int64_t> neighbours(std::int64_t v) const {
    random_engine random(seed, static_cast<std::uint64_t>(v));
    return {(v + 1) % n, (v + n - 1) % n, static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(n)))};
  }
};

struct offer {
  std::int64_t vertex;
  std::int64_t label;
};

void equal_keys_are_done_once(world& w, std::uint64_t seed) {
  const ring graph{24 * w.n_pes(), seed};
  const auto owner = [&](std::int64_t v) { return static_cast<pe_id>(v % w.n_pes()); };
  const auto place = [&](std::int64_t v) { return static_cast<std::size_t>(v / w.n_pes()); };
  std::vector<std::int64_t> label(24, INT64_MAX);
  std::uint64_t n_items = 0;
  std::uint64_t n_changes = 0;
  for (const work_order order :
       {work_order::first_in_first_out, work_order::last_in_first_out, work_order::lowest_bucket_first}) {
    for (std::int64_t& each : label) each = INT64_MAX;
    n_items = n_changes = 0;
    std::function<void(std::size_t, std::int64_t)> spread;
    keyed_work_list todo{w,
                         label.size(),
                         [&](std::size_t at, std::int64_t best) { spread(at, best); },
                         [](std::int64_t& mine, std::int64_t other) { mine = std::min(mine, other); },
                         order,
                         "labels"};
    actor improve{w, [&](const offer& o) {
                    std::int64_t& mine = label[place(o.vertex)];
                    if (o.label >= mine) return;
                    mine = o.label;
                    ++n_changes;
                    todo.defer(place(o.vertex), o.label, static_cast<std::uint64_t>(o.label));
                  }};
    spread = [&](std::size_t at, std::int64_t best) {
      ++n_items;
      EXPECT_EQ(best, label[at]) << "the least of what was left counts";
      const std::int64_t v = static_cast<std::int64_t>(at) * w.n_pes() + w.my_pe();
      for (const std::int64_t to : graph.neighbours(v)) improve.send(owner(to), {to, best});
    };
    w.finish([&] {
      for (std::size_t at = 0; at < label.size(); ++at) {
        label[at] = static_cast<std::int64_t>(at) * w.n_pes() + w.my_pe();
        todo.defer(at, label[at], static_cast<std::uint64_t>(label[at]));
        EXPECT_TRUE(todo.has(at));
      }
    });
    for (const std::int64_t each : label) EXPECT_EQ(each, 0);
    EXPECT_LE(n_items, n_changes + label.size());
    EXPECT_EQ(todo.size(), 0U);
  }
}

// What a handler of `first` leaves sends to `first` again. Its end waits for that, while `other` goes on.
void close_waits_for_the_work_that_its_handlers_left(world& w, std::uint64_t) {
  std::uint64_t n_first = 0;
  std::uint64_t n_other = 0;
  bool must_stop = false;
  std::optional<actor<std::function<void(int)>, int>> first, other;
  first.emplace(w, [&](int hops) {
    ++n_first;
    if (hops > 0) w.defer([&, hops] { first->send(next_pe(w), hops - 1); });
  });
  other.emplace(w, [&](int) {
    ++n_other;
    if (!must_stop) w.defer([&] { other->send(next_pe(w), 0); });
  });
  w.finish([&] {
    other->send(next_pe(w), 0);
    first->send(next_pe(w), 12);
    first->close();
    EXPECT_EQ(n_first, 13U);
    w.barrier();
    must_stop = true;
  });
  EXPECT_GE(w.sum(n_other), static_cast<std::uint64_t>(w.n_pes()));
}

// What `one` leaves takes in what `two` leaves for the same key. The end of `two` waits for it.
void merged_work_keeps_all_that_left_it_open(world& w, std::uint64_t) {
  std::uint64_t n_left = 0;
  std::uint64_t n_done = 0;
  bool two_waits = false;
  keyed_work_list todo{w, 1, [&](std::size_t) {
                         ++n_done;
                         two_waits = false;
                       }};
  actor one{w, [&](int) {
              ++n_left;
              todo.defer(0);
            }};
  actor two{w, [&](int) {
              ++n_left;
              two_waits = true;
              todo.defer(0);
            }};
  w.finish([&] {
    todo.defer(0);
    for (int i = 0; i < 20; ++i) {
      one.send(next_pe(w), i);
      two.send(next_pe(w), i);
    }
    two.close();
    EXPECT_FALSE(two_waits);
  });
  EXPECT_EQ(n_left, 40U);
  EXPECT_GE(n_done, 1U);
  EXPECT_LE(n_done, n_left + 1);
}

void work_belongs_to_the_superstep_of_what_left_it(world& w, std::uint64_t) {
  std::uint64_t n_outer = 0;
  std::uint64_t n_inner = 0;
  bool is_inside = false;
  actor outer{w, [&](int hops) {
                if (hops == 0) return;
                w.defer([&] {
                  // Closures of the outer superstep, whichever finish waits now.
                  w.send(next_pe(w), [] {});
                  ++n_outer;
                });
              }};
  w.finish([&] {
    for (int i = 0; i < 5; ++i) outer.send(next_pe(w), 1);
    for (int k = 0; k < 3; ++k) {
      std::optional<actor<std::function<void(int)>, int>> inner;
      w.finish([&] {
        is_inside = true;
        inner.emplace(w, [&](int hops) {
          EXPECT_TRUE(is_inside);
          if (hops == 0) return;
          w.defer([&, hops] {
            ++n_inner;
            EXPECT_TRUE(is_inside);
            inner->send(next_pe(w), hops - 1);
            w.send(next_pe(w), [] {});
          });
        });
        inner->send(next_pe(w), 4);
      });
      is_inside = false;
      EXPECT_EQ(w.sum(n_inner), static_cast<std::uint64_t>(4 * (k + 1) * w.n_pes()));
    }
  });
  EXPECT_EQ(w.sum(n_outer), static_cast<std::uint64_t>(5 * w.n_pes()));
}

void work_may_send_to_mailboxes_that_are_done(world& w, std::uint64_t) {
  std::uint64_t n = 0;
  actor count{w, [&](int) { ++n; }};
  work_list todo{w, [&](int i) {
                   count.send(next_pe(w), i);
                   if (!count.try_send(next_pe(w), i)) count.send(next_pe(w), i);
                 }};
  w.finish([&] {
    for (int i = 0; i < 50; ++i) todo.defer(i);
    count.done();
  });
  EXPECT_EQ(w.sum(n), static_cast<std::uint64_t>(100 * w.n_pes()));
}

void collective_calls_and_progress_do_work(world& w, std::uint64_t) {
  int n = 0;
  w.finish([&] {
    for (int i = 0; i < 300; ++i) w.defer([&] { ++n; });
    while (n < 300) w.progress();
    w.send(next_pe(w), [] {});
    for (int i = 0; i < 10; ++i) w.defer([&] { ++n; });
    EXPECT_EQ(n, 300);
    // A call that need not wait does none, so a PE that always comes last may have done none.
    for (int i = 0; i < 100 && w.max(n) < 310; ++i) w.barrier();
    const int most = w.max(n);
    EXPECT_TRUE(w.n_pes() == 1 || most == 310);
  });
  EXPECT_EQ(n, 310);
}

// While an item waits for room, handlers run and leave more, but nothing else begins.
void items_that_wait_for_room_let_handlers_run(world& w, std::uint64_t seed) {
  pe_watch watch;
  bool is_working = false;
  std::uint64_t n_items = 0;
  checked_actor<int> flood(w, watch, [&](int again, pe_id) {
    w.charge_ns(200);
    if (again > 0) {
      w.defer([&] {
        const item_mark mark(is_working, watch);
        ++n_items;
      });
    }
  });
  work_list todo{w, [&](std::uint64_t salt) {
                   const item_mark mark(is_working, watch);
                   ++n_items;
                   for (const pe_id to : targets_of(salt, w.my_pe(), w.n_pes(), 80)) flood.send(to, 1);
                 }};
  w.finish([&] {
    for (std::uint64_t i = 0; i < 6; ++i) todo.defer(seed * 8 + i);
  });
  EXPECT_EQ(w.sum(n_items), static_cast<std::uint64_t>(w.n_pes()) * 6U * 81U);
  flood.expect_all_handled();
}

}  // namespace

std::vector<claim> work_claims() {
  return {
      {"finish_waits_for_what_handlers_leave", finish_waits_for_what_handlers_leave, 2},
      {"items_come_in_the_order_of_their_list", items_come_in_the_order_of_their_list},
      {"a_prefetch_comes_before_its_item", a_prefetch_comes_before_its_item},
      {"a_lower_bucket_that_is_left_later_comes_next", a_lower_bucket_that_is_left_later_comes_next},
      {"equal_keys_are_done_once", equal_keys_are_done_once, 2},
      {"close_waits_for_the_work_that_its_handlers_left", close_waits_for_the_work_that_its_handlers_left, 3},
      {"merged_work_keeps_all_that_left_it_open", merged_work_keeps_all_that_left_it_open, 3},
      {"work_belongs_to_the_superstep_of_what_left_it", work_belongs_to_the_superstep_of_what_left_it, 4},
      {"work_may_send_to_mailboxes_that_are_done", work_may_send_to_mailboxes_that_are_done, 2},
      {"collective_calls_and_progress_do_work", collective_calls_and_progress_do_work},
      {"items_that_wait_for_room_let_handlers_run", items_that_wait_for_room_let_handlers_run, 2},
  };
}

}  // namespace shoal::test
