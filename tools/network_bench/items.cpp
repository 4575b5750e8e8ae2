#include "tools/network_bench/items.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "shoal/actor/actor.hpp"
#include "shoal/conveyor/conveyor.hpp"

namespace shoal::cli {

using namespace internal;
namespace {

// So many slots that PE 0 never waits for one, and that all lie in its own cache.
constexpr std::size_t slots_share = 16;
constexpr std::size_t bytes_most = 128 << 10;

double now_ns(world& w) { return static_cast<double>(w.backend().stopwatch_ns()); }

// How long PE 0 takes to send itself `n` messages in a superstep, and to handle them, unless `keeps`: then they wait until they
// are sent.
template <class Actor>
double time_sends(world& w, Actor& into, std::size_t n, bool keeps) {
  double took_ns = 0;
  w.finish([&] {
    if (w.my_pe() != 0) return;
    if (keeps) into.disable();
    const double begin_ns = now_ns(w);
    for (std::size_t i = 0; i < n; ++i) into.send(0, i);
    took_ns = now_ns(w) - begin_ns;
    into.enable();
  });
  return took_ns;
}

// A session in which PE 0 sends itself `n` items.
double time_session(world& w, conveyor<std::uint64_t>& through, std::size_t n, std::uint64_t& sum) {
  w.barrier();
  const double begin_ns = now_ns(w);
  through.begin();
  const std::size_t n_mine = w.my_pe() == 0 ? n : 0;
  std::size_t i = 0;
  while (through.advance(i == n_mine) != progress::complete) {
    while (i < n_mine && through.push(i, 0)) ++i;
    while (const std::uint64_t* const item = through.pull()) sum += *item;
  }
  through.reset();
  return now_ns(w) - begin_ns;
}

}  // namespace

// What does not depend on the number of items goes out with the difference of n and 2 n items.
item_measurement measure_items(world& w, int n_blocks) {
  const std::size_t slot_bytes = w.backend().payload_bytes();
  const std::size_t n_slots =
      std::max<std::size_t>(1, std::min(w.backend().n_slots() / slots_share, bytes_most / slot_bytes));
  const std::size_t n = n_slots * (slot_bytes / sizeof(std::uint64_t));
  std::uint64_t sum = 0;  // so that handlers do something
  actor add{w, [&](std::uint64_t item) { sum += item; }, "add"};
  conveyor<std::uint64_t> direct{w, {.n_hops = 1}};
  conveyor<std::uint64_t> relayed{w, {.n_hops = 2}};
  std::vector<double> push_ns;
  std::vector<double> relay_ns;
  std::vector<double> handling_ns;
  const auto each = [&](double of_two_n, double of_n) {
    return std::max(0.0, (of_two_n - of_n) / static_cast<double>(n));
  };
  for (int block = 0; block <= n_blocks; ++block) {
    const double some_kept = time_sends(w, add, n, true);
    const double kept_ns = each(time_sends(w, add, 2 * n, true), some_kept);
    const double some_handled = time_sends(w, add, n, false);
    const double handled_ns = each(time_sends(w, add, 2 * n, false), some_handled);
    const double some_direct = time_session(w, direct, n, sum);
    const double direct_ns = each(time_session(w, direct, 2 * n, sum), some_direct);
    const double some_relayed = time_session(w, relayed, n, sum);
    const double relayed_ns = each(time_session(w, relayed, 2 * n, sum), some_relayed);
    if (block == 0) continue;  // warms up
    push_ns.push_back(kept_ns);
    handling_ns.push_back(std::max(0.0, handled_ns - kept_ns));
    relay_ns.push_back(std::max(0.0, relayed_ns - direct_ns));
  }
  if (w.my_pe() != 0) return {};
  return {median_of(push_ns), median_of(relay_ns), median_of(handling_ns)};
}

}  // namespace shoal::cli
