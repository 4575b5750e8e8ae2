#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "shoal/actor/selector.hpp"
#include "test/contract/actor/checked_actor.hpp"
#include "test/contract/claims.hpp"

namespace shoal::test {
namespace {

struct query {
  std::int64_t slot;
  std::int64_t index;
};
struct reply {
  std::int64_t slot;
  std::int64_t value;
};

struct gather : selector<gather, query, reply> {
  gather(world& w, std::span<const std::int64_t> values, std::span<std::int64_t> results)
      : selector(w), table(values), out(results) {}

  void process(query q, pe_id from) { send(from, reply{q.slot, table[static_cast<std::size_t>(q.index)]}); }
  void process(const reply& r) {
    EXPECT_EQ(out[static_cast<std::size_t>(r.slot)], -1) << "answered twice";
    out[static_cast<std::size_t>(r.slot)] = r.value;
  }

  std::span<const std::int64_t> table;
  std::span<std::int64_t> out;
};

constexpr std::size_t table_size = 10;

std::array<std::int64_t, table_size> table_of(pe_id pe) {
  std::array<std::int64_t, table_size> table{};
  std::iota(table.begin(), table.end(), pe * 1000);
  return table;
}

void expect_gathered(std::span<const std::int64_t> out, std::span<const pe_id> targets) {
  for (std::size_t i = 0; i < out.size(); ++i) {
    EXPECT_EQ(out[i], targets[i] * 1000 + static_cast<std::int64_t>(i % table_size));
  }
}

void ask_all(gather& g, std::span<const pe_id> targets) {
  for (std::size_t i = 0; i < targets.size(); ++i) {
    g.send(targets[i], query{static_cast<std::int64_t>(i), static_cast<std::int64_t>(i % table_size)});
  }
}

void the_message_type_names_the_mailbox(world& w, std::uint64_t seed) {
  const auto table = table_of(w.my_pe());
  const std::vector<pe_id> targets = targets_of(seed, w.my_pe(), w.n_pes(), 100);
  std::vector<std::int64_t> out(targets.size(), -1);
  gather g(w, table, out);
  for (int k = 0; k < 2; ++k) {
    std::fill(out.begin(), out.end(), -1);
    w.finish([&] { ask_all(g, targets); });
    expect_gathered(out, targets);
  }
}

// When the queries' mailbox is closed, all have been answered; when the replies' is closed, all replies have arrived.
void the_mailboxes_of_a_selector_close_in_turn(world& w, std::uint64_t seed) {
  const auto table = table_of(w.my_pe());
  const std::vector<pe_id> targets = targets_of(seed, w.my_pe(), w.n_pes(), 100);
  std::vector<std::int64_t> out(targets.size(), -1);
  gather g(w, table, out);
  for (int k = 0; k < 2; ++k) {
    std::fill(out.begin(), out.end(), -1);
    w.finish([&] {
      ask_all(g, targets);
      g.close<query>();
      EXPECT_EQ(g.mailbox_of<query>().current_state(), mailbox::state::dormant);
      EXPECT_EQ(g.mailbox_of<reply>().current_state(), mailbox::state::open);
      g.close<reply>();
      expect_gathered(out, targets);
    });
  }
}

void several_selectors_are_alive_at_once(world& w, std::uint64_t seed) {
  const auto table = table_of(w.my_pe());
  const std::vector<pe_id> to_one = targets_of(seed, w.my_pe(), w.n_pes(), 50);
  const std::vector<pe_id> to_two = targets_of(seed + 1, w.my_pe(), w.n_pes(), 50);
  std::vector<std::int64_t> out_one(50, -1);
  std::vector<std::int64_t> out_two(50, -1);
  gather one(w, table, out_one);
  gather two(w, table, out_two);
  w.finish([&] {
    ask_all(one, to_one);
    ask_all(two, to_two);
  });
  expect_gathered(out_one, to_one);
  expect_gathered(out_two, to_two);
}

void a_selector_may_be_closed_in_its_superstep(world& w, std::uint64_t seed) {
  const auto table = table_of(w.my_pe());
  w.finish([&] {
    for (std::uint64_t k = 0; k < 3; ++k) {
      const std::vector<pe_id> targets = targets_of(seed + k, w.my_pe(), w.n_pes(), 30);
      std::vector<std::int64_t> out(targets.size(), -1);
      gather g(w, table, out);
      ask_all(g, targets);
      g.close();
      expect_gathered(out, targets);
    }
  });
}

struct ping;
struct pong;

// Two mailboxes of one type, distinguished by tags, and a third without a tag.
struct game : selector<game, tagged<ping, std::int64_t>, tagged<pong, std::int64_t>, char> {
  explicit game(world& w) : selector(w, "game"), home(w) {}

  void process(ping, std::int64_t left, pe_id from);
  void process(pong, std::int64_t left, pe_id from);
  void process(char) { ++n_chars; }

  world& home;
  int n_pings = 0;
  int n_pongs = 0;
  int n_chars = 0;
};
struct ping {};
struct pong {};

void game::process(ping, std::int64_t left, pe_id from) {
  ++n_pings;
  if (left > 0) send<pong>(from, left - 1);
}
void game::process(pong, std::int64_t left, pe_id from) {
  ++n_pongs;
  if (left > 0) send<ping>(from, left - 1);
  send(from, 'c');
}

void a_tag_names_the_mailbox(world& w, std::uint64_t seed) {
  game g(w);
  w.finish([&] {
    for (const pe_id to : targets_of(seed, w.my_pe(), w.n_pes(), 20)) g.send<ping>(to, std::int64_t{5});
    g.done<ping>();
    g.done<char>();
  });
  const auto n = static_cast<int>(w.n_pes());
  EXPECT_EQ(w.sum(g.n_pings), 20 * 3 * n);
  EXPECT_EQ(w.sum(g.n_pongs), 20 * 3 * n);
  EXPECT_EQ(w.sum(g.n_chars), 20 * 3 * n);
}

// Mailboxes of one type without a tag, distinguished by their positions.
struct relay : selector<relay, int, int, int> {
  explicit relay(world& w) : selector(w) {}
  void process(shoal::nth<0>, int m, pe_id from) {
    ++n_handled[0];
    send<1>(from, m);
  }
  void process(shoal::nth<1>, int m, pe_id from) {
    ++n_handled[1];
    send<2>(from, m);
  }
  void process(shoal::nth<2>, int) { ++n_handled[2]; }
  std::array<std::uint64_t, 3> n_handled{};
};

void a_position_names_the_mailbox(world& w, std::uint64_t seed) {
  relay r(w);
  w.finish([&] {
    for (const pe_id to : targets_of(seed, w.my_pe(), w.n_pes(), 30)) r.send<0>(to, 1);
    r.mailbox_at<0>().done();
  });
  for (const std::uint64_t n : r.n_handled) {
    EXPECT_EQ(w.sum(n), 30U * static_cast<std::uint64_t>(w.n_pes()));
  }
  EXPECT_EQ(r.mailbox_at<2>().counts().n_handled, r.n_handled[2]);
}

struct sample {
  double value;
};

// One mailbox in batches, another one by one with a prefetch hook.
struct mixed : selector<mixed, std::int64_t, sample> {
  explicit mixed(world& w) : selector(w) {}
  void process(std::span<const std::int64_t> batch, pe_id from) {
    for (const std::int64_t m : batch) EXPECT_EQ(m, static_cast<std::int64_t>(numbers.take(from)));
  }
  void process(sample m) { sum += m.value; }
  const void* prefetch(const sample& m) {
    EXPECT_EQ(m.value, 0.5);
    return &sum;
  }
  numbering numbers{1000};
  double sum = 0;
};

void mailboxes_take_batches_and_prefetch_hooks(world& w, std::uint64_t seed) {
  mixed m(w);
  numbering sent(w.n_pes());
  w.finish([&] {
    for (const pe_id to : targets_of(seed, w.my_pe(), w.n_pes(), 120)) {
      m.send(to, static_cast<std::int64_t>(sent.take(to)));
      m.send(to, sample{0.5});
    }
  });
  EXPECT_EQ(w.sum(m.sum), 60.0 * static_cast<double>(w.n_pes()));
}

// A selector with one mailbox takes whatever converts to its message.
struct counter : selector<counter, std::uint64_t> {
  explicit counter(world& w) : selector(w) {}
  void process(std::uint64_t m) { sum += m; }
  std::uint64_t sum = 0;
};

void a_single_mailbox_takes_what_converts_to_its_message(world& w, std::uint64_t) {
  counter c(w);
  w.finish([&] {
    c.send(0, 3);
    c.send(0, std::uint64_t{4});
    c.done();
  });
  EXPECT_EQ(w.sum(c.sum), 7U * static_cast<std::uint64_t>(w.n_pes()));
}

using range_of_ids = std::pair<std::int64_t, std::int64_t>;
using labelled = std::tuple<std::int32_t, range_of_ids, char>;

struct adds_products : selector<adds_products, range_of_ids> {
  explicit adds_products(world& w) : selector(w) {}
  void process(const range_of_ids& m) { sum += m.first * m.second; }
  std::int64_t sum = 0;
};

struct first_mailbox {};
struct of_two : selector<of_two, tagged<first_mailbox, range_of_ids>, labelled> {
  explicit of_two(world& w) : selector(w) {}
  void process(first_mailbox, const range_of_ids& m) { sum += m.first * m.second; }
  void process(const labelled& m) { sum += std::get<0>(m) * std::get<1>(m).second + std::get<2>(m); }
  std::int64_t sum = 0;
};

// A pair or tuple is a message, and braces make it where the mailbox is known.
void braces_make_pairs_and_tuples(world& w, std::uint64_t) {
  const pe_id me = w.my_pe();
  adds_products only(w);
  of_two two(w);
  w.finish([&] {
    only.send(0, {me, 3});
    two.send<0>(0, {me, 4});
    two.send<first_mailbox>(0, {me, 5});
    two.send<1>(0, {2, {0, me}, 'a'});
    two.send(0, labelled{3, {0, me}, 'b'});
  });
  const std::int64_t n = w.n_pes();
  const std::int64_t sum_of_pes = n * (n - 1) / 2;
  EXPECT_EQ(w.sum(only.sum), 3 * sum_of_pes);
  EXPECT_EQ(w.sum(two.sum), 14 * sum_of_pes + n * ('a' + 'b'));
  EXPECT_EQ(w.all_reduce(range_of_ids{me, -me}, [](auto a, auto b) { return std::max(a, b); }),
            range_of_ids(n - 1, 1 - n));
}

// Two mailboxes of closures beside one of messages. The closures run on the selector.
struct walkers : selector<walkers, tagged<struct step, closures>, std::int64_t, tagged<struct arrival, closures>> {
  walkers(world& w, pe_watch& its_watch) : selector(w), home(w), watch(its_watch) {}

  void process(std::int64_t m) {
    const handler_mark mark(watch);
    sum += m;
  }
  void walk(std::int64_t n_left, pe_id origin) {
    const handler_mark mark(watch);
    ++n_steps;
    if (n_left == 0) {
      send<arrival>(origin, [](walkers& there, std::string_view text) { there.texts += text; }, "home");
      return send<2>(origin, [](walkers& there, pe_id from) { there.last_from = from; });
    }
    send<step>(next_pe(home), [n_left, origin](walkers& there) { there.walk(n_left - 1, origin); });
  }

  world& home;
  pe_watch& watch;
  std::int64_t sum = 0;
  std::int64_t n_steps = 0;
  std::string texts;
  pe_id last_from = -1;
};

void closures_go_to_a_chosen_mailbox(world& w, std::uint64_t seed) {
  pe_watch watch;
  walkers all(w, watch);
  random_engine random(seed, static_cast<std::uint64_t>(w.my_pe()));
  std::int64_t n_steps = 0;
  w.finish([&] {
    for (int i = 0; i < 10; ++i) {
      const std::int64_t n_left = random.below(12);
      n_steps += n_left + 1;
      all.send<0>(w.my_pe(), [n_left](walkers& there, pe_id from) { there.walk(n_left, from); });
      all.send(next_pe(w), n_left);
    }
    all.done<std::int64_t>();
  });
  EXPECT_EQ(w.sum(all.n_steps), w.sum(n_steps));
  EXPECT_EQ(w.sum(all.sum), w.sum(n_steps) - 10 * w.n_pes());
  EXPECT_EQ(all.texts.size(), 40U);
  EXPECT_GE(all.last_from, 0);
}

// A selector of closures alone: each mailbox keeps its order, and closes by itself.
struct two_queues : selector<two_queues, tagged<struct first, closures>, tagged<struct second, closures>> {
  using selector::selector;
  std::vector<std::uint32_t> next_first;
  std::vector<std::uint32_t> next_second;
};

void mailboxes_of_closures_keep_their_order_and_close(world& w, std::uint64_t seed) {
  two_queues all(w);
  all.next_first.resize(static_cast<std::size_t>(w.n_pes()));
  all.next_second = all.next_first;
  w.finish([&] {
    std::vector<std::uint32_t> n(static_cast<std::size_t>(w.n_pes()));
    for (const pe_id to : targets_of(seed, w.my_pe(), w.n_pes(), 100)) {
      const std::uint32_t i = n[static_cast<std::size_t>(to)]++;
      all.send<first>(
          to, [i](two_queues& there, pe_id from) { EXPECT_EQ(there.next_first[static_cast<std::size_t>(from)]++, i); });
      all.send<second>(to, [i](two_queues& there, pe_id from) {
        EXPECT_EQ(there.next_second[static_cast<std::size_t>(from)]++, i);
      });
    }
    all.close<first>();
    const std::uint64_t n_handled = std::accumulate(all.next_first.begin(), all.next_first.end(), std::uint64_t{0});
    EXPECT_EQ(w.sum(n_handled), 100U * static_cast<std::uint64_t>(w.n_pes()));
  });
  EXPECT_EQ(all.next_first, all.next_second);
}

}  // namespace

std::vector<claim> selector_claims() {
  return {
      {"the_message_type_names_the_mailbox", the_message_type_names_the_mailbox, 3},
      {"the_mailboxes_of_a_selector_close_in_turn", the_mailboxes_of_a_selector_close_in_turn, 3},
      {"several_selectors_are_alive_at_once", several_selectors_are_alive_at_once, 5},
      {"a_selector_may_be_closed_in_its_superstep", a_selector_may_be_closed_in_its_superstep, 3},
      {"a_tag_names_the_mailbox", a_tag_names_the_mailbox, 4},
      {"a_position_names_the_mailbox", a_position_names_the_mailbox, 4},
      {"mailboxes_take_batches_and_prefetch_hooks", mailboxes_take_batches_and_prefetch_hooks, 3},
      {"a_single_mailbox_takes_what_converts_to_its_message", a_single_mailbox_takes_what_converts_to_its_message, 2},
      {"braces_make_pairs_and_tuples", braces_make_pairs_and_tuples, 4},
      {"closures_go_to_a_chosen_mailbox", closures_go_to_a_chosen_mailbox, 4},
      {"mailboxes_of_closures_keep_their_order_and_close", mailboxes_of_closures_keep_their_order_and_close, 3},
  };
}

}  // namespace shoal::test
