// Goal: mailboxes close by themselves in the order of the termination graph, not before everything sent to them has been
// handled on all PEs, whatever the graph is and a legal machine does. Method: a thousand random graphs, with and without
// cycles and undeclared mailboxes, over one to four selectors; tokens wander along the edges by a rule that is a pure
// function of the token. All PEs of the simulator share memory, so what waits for an end checks that every PE has handled
// all that the rule says.
// labels: sim
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "shoal/base/random.hpp"
#include "shoal/shoal.hpp"
#include "test/support/jobs.hpp"

namespace shoal::test {
namespace {

constexpr std::size_t n_in_selector = 3;
constexpr std::uint64_t n_supersteps = 2;

struct token {
  std::uint64_t key;
  std::uint32_t hops_left;
};

std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 31)) * 0x7fb5d329728ea185;
  x = (x ^ (x >> 27)) * 0x81dadef4bc2dd44d;
  return x ^ (x >> 33);
}

struct step {
  std::size_t mailbox;
  pe_id target;
  token t;
};

// What everybody knows: the graph, and who sends what.
struct plan {
  std::uint64_t seed;
  pe_id n_pes;
  std::vector<bool> is_declared;
  std::vector<std::vector<std::size_t>> feeders;
  std::vector<std::vector<std::size_t>> fed;  // to which mailboxes its handlers may send
  std::vector<bool> closes;  // by itself

  plan(std::uint64_t its_seed, pe_id pes) : seed(its_seed), n_pes(pes) {
    random_engine random(seed, 1);
    const std::size_t n = n_in_selector * (1 + random.below(4));
    const bool is_acyclic = random.below(2) == 0;
    const std::uint64_t undeclared_in = random.below(3) == 0 ? 4 : UINT64_MAX;
    is_declared.resize(n);
    for (std::size_t i = 0; i < n; ++i) is_declared[i] = random.below(undeclared_in) != 0;
    feeders.resize(n);
    fed.resize(n);
    std::vector<std::size_t> order(n);  // of an acyclic graph, unlike that of construction
    for (std::size_t i = 0; i < n; ++i) order[i] = i;
    for (std::size_t i = n - 1; i > 0; --i) std::swap(order[i], order[random.below(i + 1)]);
    for (std::uint64_t e = random.below(2 * n); e > 0; --e) {
      std::size_t from = random.below(n);
      std::size_t to = random.below(n);
      if (is_acyclic && from == to) continue;
      if (is_acyclic && from > to) std::swap(from, to);
      if (is_declared[order[to]]) feeders[order[to]].push_back(order[from]);
    }
    for (std::size_t to = 0; to < n; ++to) {
      for (std::size_t from = 0; from < n; ++from) {
        if (!is_declared[to] || feeds(from, to)) fed[from].push_back(to);
      }
    }
    closes = is_declared;
    for (std::size_t round = 0; round < n; ++round) {
      for (std::size_t i = 0; i < n; ++i) {
        for (const std::size_t j : feeders[i]) closes[i] = closes[i] && closes[j];
      }
    }
  }

  std::size_t n_mailboxes() const { return feeders.size(); }
  bool feeds(std::size_t from, std::size_t to) const {
    for (const std::size_t each : feeders[to]) {
      if (each == from) return true;
    }
    return false;
  }
  bool reaches(std::size_t from, std::size_t to) const {
    std::vector<std::size_t> seen{to};
    for (std::size_t i = 0; i < seen.size(); ++i) {
      for (const std::size_t each : feeders[seen[i]]) {
        if (each == from) return true;
        if (std::find(seen.begin(), seen.end(), each) == seen.end()) seen.push_back(each);
      }
    }
    return false;
  }

  step drawn(std::uint64_t draw, std::size_t to, std::uint32_t hops_left) const {
    return {to, static_cast<pe_id>((draw >> 20) % static_cast<std::uint64_t>(n_pes)), {mix(draw), hops_left}};
  }
  std::vector<step> from_main(pe_id pe, std::uint64_t superstep) const {
    std::vector<step> all;
    const std::uint64_t base = mix(seed ^ mix(static_cast<std::uint64_t>(pe) * 64 + superstep));
    for (std::uint64_t i = 0; i < base % 30; ++i) {
      const std::uint64_t draw = mix(base + i);
      all.push_back(drawn(draw, draw % n_mailboxes(), static_cast<std::uint32_t>(draw >> 16) % 6));
    }
    return all;
  }
  std::vector<step> from_handler(std::size_t at, const token& t) const {
    std::vector<step> all;
    if (t.hops_left == 0 || fed[at].empty()) return all;
    for (std::uint64_t i = 0; i < 1 + (t.key >> 61 == 0); ++i) {
      const std::uint64_t draw = mix(t.key + i);
      all.push_back(drawn(draw, fed[at][draw % fed[at].size()], t.hops_left - 1));
    }
    return all;
  }
  // The last act of a mailbox on a PE: to mailboxes outside of its knot.
  std::vector<step> from_last_act(std::size_t of, pe_id pe, std::uint64_t superstep) const {
    std::vector<step> all;
    if (!has_last_act(of)) return all;
    const std::uint64_t draw = mix(seed ^ mix(of * 4096 + static_cast<std::uint64_t>(pe) * 64 + superstep + 7));
    for (const std::size_t to : fed[of]) {
      if (is_declared[to] && !reaches(to, of)) all.push_back(drawn(draw + to, to, 2));
    }
    return all;
  }
  bool has_last_act(std::size_t of) const { return closes[of] && mix(seed + of) % 2 == 0; }

  // How many tokens reach each mailbox in a superstep.
  std::vector<std::uint64_t> expected(std::uint64_t superstep) const {
    std::vector<std::uint64_t> n(n_mailboxes());
    std::vector<step> open;
    const auto add = [&](const std::vector<step>& more) { open.insert(open.end(), more.begin(), more.end()); };
    for (pe_id pe = 0; pe < n_pes; ++pe) {
      add(from_main(pe, superstep));
      for (std::size_t m = 0; m < n_mailboxes(); ++m) add(from_last_act(m, pe, superstep));
    }
    while (!open.empty()) {
      const step next = open.back();
      open.pop_back();
      ++n[next.mailbox];
      add(from_handler(next.mailbox, next.t));
    }
    return n;
  }
};

// Seen by all PEs.
struct shared_counts {
  explicit shared_counts(std::size_t n) : handled(n) {}
  std::vector<std::uint64_t> handled;  // by mailbox
};

struct first {};
struct second {};
struct third {};

class stage : public selector<stage, tagged<first, token>, tagged<second, token>, tagged<third, token>> {
public:
  stage(world& w, std::size_t base, const plan& p, shared_counts& counts, std::vector<std::unique_ptr<stage>>& all)
      : selector(w), world_(w), base_(base), plan_(p), counts_(counts), all_(all) {}

  void process(first, token t) { handle(0, t); }
  void process(second, token t) { handle(1, t); }
  void process(third, token t) { handle(2, t); }

  static void send(std::vector<std::unique_ptr<stage>>& all, const step& s) {
    stage& to = *all[s.mailbox / n_in_selector];
    switch (s.mailbox % n_in_selector) {
      case 0: to.selector::send<first>(s.target, s.t); break;
      case 1: to.selector::send<second>(s.target, s.t); break;
      default: to.selector::send<third>(s.target, s.t);
    }
  }

private:
  void handle(std::size_t in, const token& t) {
    const std::size_t at = base_ + in;
    ++counts_.handled[at];
    for (const std::size_t to : plan_.fed[at]) {
      // A mailbox does not close while another one feeds it.
      if (plan_.closes[to]) {
        EXPECT_NE(mailbox_of_all(to).current_state(), mailbox::state::dormant);
      }
    }
    world_.charge_ns(t.key % 500);
    for (const step& each : plan_.from_handler(at, t)) send(all_, each);
  }
  mailbox& mailbox_of_all(std::size_t m) { return *all_[m / n_in_selector]->mailboxes()[m % n_in_selector]; }

  world& world_;
  std::size_t base_;
  const plan& plan_;
  shared_counts& counts_;
  std::vector<std::unique_ptr<stage>>& all_;
};

void run_graph(world& w, std::uint64_t seed, std::unique_ptr<shared_counts>& shared) {
  const plan its(seed, w.n_pes());
  random_engine random(seed, 100 + static_cast<std::uint64_t>(w.my_pe()));
  const std::size_t n = its.n_mailboxes();
  if (shared == nullptr) shared = std::make_unique<shared_counts>(n);
  std::vector<std::unique_ptr<stage>> all;
  for (std::size_t base = 0; base < n; base += n_in_selector) {
    all.push_back(std::make_unique<stage>(w, base, its, *shared, all));
  }
  const auto box = [&](std::size_t m) -> mailbox& { return *all[m / n_in_selector]->mailboxes()[m % n_in_selector]; };
  for (std::size_t m = 0; m < n; ++m) {
    if (!its.is_declared[m]) continue;
    box(m).fed_by();
    for (const std::size_t from : its.feeders[m]) box(m).fed_by(box(from));
  }

  std::vector<std::uint64_t> before(n);
  for (std::uint64_t s = 0; s < n_supersteps; ++s) {
    const std::vector<std::uint64_t> expected = its.expected(s);
    std::vector<future<void>> ends;
    std::uint64_t n_last_acts = 0;
    std::uint64_t n_last_acts_expected = 0;
    w.finish([&] {
      for (std::size_t m = 0; m < n; ++m) {
        if (!its.has_last_act(m)) {
          ends.push_back(box(m).closed());
          continue;
        }
        ++n_last_acts_expected;
        box(m).closed().then([&, m] {
          ++n_last_acts;
          EXPECT_EQ(shared->handled[m], before[m] + expected[m]) << "mailbox " << m;
          EXPECT_EQ(box(m).current_state(), mailbox::state::dormant);
          for (const std::size_t from : its.feeders[m]) {
            EXPECT_EQ(box(from).current_state(), mailbox::state::dormant);
          }
          for (const step& each : its.from_last_act(m, w.my_pe(), s)) stage::send(all, each);
        });
      }
      for (const step& each : its.from_main(w.my_pe(), s)) stage::send(all, each);
      std::vector<std::size_t> order(n);
      for (std::size_t i = 0; i < n; ++i) order[i] = i;
      for (std::size_t i = n - 1; i > 0; --i) std::swap(order[i], order[random.below(i + 1)]);
      for (std::size_t i = random.below(n + 1); i > 0; --i) {
        box(order[i - 1]).done();
        for (std::uint64_t k = random.below(4); k > 0; --k) w.progress();
      }
    });
    EXPECT_EQ(n_last_acts, n_last_acts_expected);
    for (const future<void>& each : ends) EXPECT_TRUE(each.is_ready());
    w.barrier();
    for (std::size_t m = 0; m < n; ++m) {
      before[m] += expected[m];
      EXPECT_EQ(shared->handled[m], before[m]) << "mailbox " << m;
    }
    w.barrier();
  }
}

TEST(closings, of_a_thousand_random_graphs_come_in_order_and_lose_nothing) {
  for_seeds(1000, [](std::uint64_t seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::unique_ptr<shared_counts> shared;
    run_job(hostile(seed, {.n_mailboxes = 13}), [&](world& w) { run_graph(w, seed, shared); });
  });
}

// A token goes around a cycle and drops one that goes no further at each step. PEs that have been idle early miss the step
// after which as many were handled as sent, so no single look at the counts tells that the cycle is over.
TEST(closings, of_a_cycle_wait_for_its_last_message) {
  for_seeds(300, [](std::uint64_t seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::uint64_t n_handled = 0;  // on all PEs
    run_job(hostile(seed, {.n_mailboxes = 2}), [&](world& w) {
      constexpr std::uint32_t n_hops = 40;
      const auto any_pe = [&](std::uint64_t key) {
        return static_cast<pe_id>(mix(key ^ seed) % static_cast<std::uint64_t>(w.n_pes()));
      };
      std::function<void(std::uint32_t)> send;
      actor ring{w, [&](std::uint32_t hops_left) {
                   ++n_handled;
                   w.charge_ns(mix(hops_left + seed) % 3000);
                   if (hops_left > 0) send(hops_left);
                 }};
      send = [&](std::uint32_t hops_left) {
        ring.send(any_pe(hops_left), 0U);
        ring.send(any_pe(hops_left + 1000), hops_left - 1);
      };
      ring.fed_by(ring);
      w.finish([&] {
        ring.closed().then([&] { EXPECT_EQ(n_handled, 2 * n_hops); });
        if (w.my_pe() == 0) send(n_hops);
        ring.done();
      });
    });
  });
}

TEST(closings, come_in_order_over_routes) {
  for_seeds(100, [](std::uint64_t seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    settings chosen = hostile(seed, {.n_mailboxes = 39});
    random_engine random(seed, 77);
    chosen.node_size.value = 1 + static_cast<std::int64_t>(random.below(4));
    chosen.n_hops.value = 1 + static_cast<std::int64_t>(random.below(3));
    std::unique_ptr<shared_counts> shared;
    run_job(chosen, [&](world& w) { run_graph(w, seed, shared); });
  });
}

// An undeclared mailbox has a last act, too: `close` does not wait for what can begin only afterwards.
TEST(closings, by_an_explicit_close_are_followed_by_a_last_act) {
  for_seeds(100, [](std::uint64_t seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    run_job(hostile(seed, {.n_mailboxes = 3}), [](world& w) {
      std::int64_t n_told = 0;
      actor tell{w, [&](int) { ++n_told; }, "tell"};
      actor any{w, [](long) {}, "any"};
      w.finish([&] {
        any.closed().then([&] { tell.send(static_cast<pe_id>((w.my_pe() + 1) % w.n_pes()), 1); });
        any.send(w.my_pe(), 1L);
        any.close();
      });
      EXPECT_EQ(n_told, 1);
    });
  });
}

// PEs fix the graph at different moments: before a mailbox is closed explicitly that feeds another one and is not declared,
// after that, when it has been destroyed, or at the end of finish.
TEST(closings, come_although_PEs_fix_the_graph_before_and_after_an_explicit_close) {
  for_seeds(300, [](std::uint64_t seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    random_engine shared(seed, 5);
    const bool closes_middle = shared.below(2) == 0;
    const bool destroys_first = shared.below(2) == 0;
    const bool has_last_act = shared.below(2) == 0;
    run_job(hostile(seed, {.n_mailboxes = 6}), [&](world& w) {
      random_engine random(seed, 200 + static_cast<std::uint64_t>(w.my_pe()));
      const auto next = static_cast<pe_id>((w.my_pe() + 1) % w.n_pes());
      std::int64_t n_second = 0;
      std::int64_t n_third = 0;
      std::int64_t n_ends = 0;
      w.finish([&] {
        const auto ignore = [](int) {};
        auto first = std::make_unique<actor<decltype(ignore), int>>(w, ignore, "first");
        actor third{w, [&](short) { ++n_third; }, "third"};
        actor second{w, [&](long) { third.send(next, short{1}); }, "second"};
        second.fed_by(*first);
        third.fed_by(second);
        const std::uint64_t when = random.below(4);
        const auto end = [&] {
          third.done();
          second.done();
          if (random.below(2) == 0) third.closed().then([&] { ++n_ends; });
        };
        first->send(next, 1);
        second.send(next, 1L);
        ++n_second;
        if (has_last_act) {
          first->closed().then([&] { second.send(next, 2L); });
          ++n_second;
        }
        if (when == 0) end();
        first->close();
        if (when == 1) end();
        if (destroys_first) first.reset();
        if (when == 2) end();
        if (closes_middle) {
          second.close();
          third.close();
        } else {
          third.done();
          second.done();
          third.closed().get();
        }
        EXPECT_EQ(n_third, n_second);
      });
    });
  });
}

// The second `done` may come when the mailbox has closed by itself.
TEST(closings, let_a_program_be_done_again) {
  for_seeds(100, [](std::uint64_t seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    run_job(hostile(seed, {.n_mailboxes = 2}), [](world& w) {
      actor count{w, [](int) {}, "count"};
      count.fed_by();
      w.finish([&] {
        count.done();
        for (int i = 0; i < 20; ++i) w.progress();
        count.done();
      });
    });
  });
}

}  // namespace
}  // namespace shoal::test
