// The cost of a superstep in which nobody sends anything, or one message, through mailboxes that close by themselves; and
// that of a superstep and of collective calls in a team of all PEs.
// pes: 2
#include <cstdint>

#include "benchmarks/support/benchmark.hpp"

namespace {

using namespace shoal;

int run_benchmark(world& w, const bench::options& given) {
  bench::benchmark all(w, "superstep", given);
  const int n = all.is_smoke() ? 200 : 20'000;
  const auto micros = [&](const char* name) { return bench::measured_case{name, double(n), "us"}; };
  const pe_id neighbour = (w.my_pe() + 1) % w.n_pes();

  // The warm-up sends one message in each superstep, which shows that the actor is alive and that its supersteps end
  // when they should. The timed runs send none.
  std::int64_t n_handled = 0;
  std::int64_t n_sent = 0;
  bool is_warm = false;
  actor live{w, [&](std::int64_t by) { n_handled += by; }};
  all.measure(
      micros("finish"),
      [&] {
        for (int i = 0; i < n; ++i) {
          w.finish([&] {
            if (is_warm) return;
            live.send(neighbour, 1);
            ++n_sent;
          });
          if (!is_warm && n_handled != n_sent) break;
        }
        is_warm = true;
      },
      [&] { return n_handled == n; });

  n_handled = 0;
  is_warm = false;
  all.measure(
      micros("create_finish_destroy"),
      [&] {
        for (int i = 0; i < n; ++i) {
          actor fresh{w, [&](std::int64_t by) { n_handled += by; }};
          w.finish([&] {
            if (!is_warm) fresh.send(neighbour, 1);
          });
        }
        is_warm = true;
      },
      [&] { return n_handled == n; });

  // A message through two mailboxes: all end with finish, or the declared ones close one after the other before.
  for (const bool is_declared : {false, true}) {
    n_handled = 0;
    actor second{w, [&](std::int64_t by) { n_handled += by; }};
    actor first{w, [&](std::int64_t by) { second.send(neighbour, by); }};
    if (is_declared) {
      first.fed_by();
      second.fed_by(first);
    }
    all.measure(
        micros(is_declared ? "two_mailboxes_declared" : "two_mailboxes"),
        [&] {
          n_handled = 0;
          for (int i = 0; i < n; ++i) w.finish([&] { first.send(neighbour, 1); });
        },
        [&] { return n_handled == n; });
  }

  all.measure(
      micros("barrier"),
      [&] {
        for (int i = 0; i < n; ++i) w.barrier();
      },
      [] { return true; });

  std::int64_t total = 0;
  all.measure(
      micros("sum"),
      [&] {
        for (int i = 0; i < n; ++i) total = w.sum(w.my_pe() + 1);
      },
      [&] { return total == w.n_pes() * (w.n_pes() + 1) / 2; });

  world team = w.split(0);
  n_handled = 0;
  actor in_team{team, [&](std::int64_t by) { n_handled += by; }};
  all.measure(
      micros("team_finish"),
      [&] {
        n_handled = 0;
        for (int i = 0; i < n; ++i) team.finish([&] { in_team.send(neighbour, 1); });
      },
      [&] { return n_handled == n; });
  all.measure(
      micros("team_barrier"),
      [&] {
        for (int i = 0; i < n; ++i) team.barrier();
      },
      [] { return true; });
  all.measure(
      micros("team_sum"),
      [&] {
        for (int i = 0; i < n; ++i) total = team.sum(team.my_pe() + 1);
      },
      [&] { return total == w.n_pes() * (w.n_pes() + 1) / 2; });
  all.measure(
      micros("split"),
      [&] {
        for (int i = 0; i < n; ++i) world fresh = w.split(0);
      },
      [] { return true; });
  return all.status();
}

}  // namespace

int main(int argc, char** argv) {
  return run(argc, argv, [&](world& w) {
    const bench::options given = bench::parse_options(argc, argv);
    bench::refuse_others(given);
    return run_benchmark(w, given);
  });
}
