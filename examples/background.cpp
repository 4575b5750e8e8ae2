// Collectives in the background: heat spreads along a rod, and the sum of an iteration's changes is on its way while the next
// iterations run. It decides when to stop.
// pes: 1 2 3 4 7
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <tuple>
#include <utility>
#include <vector>

#include <shoal/actor/when.hpp>
#include <shoal/shoal.hpp>

namespace {

struct rod {
  std::vector<double> heat;  // the cells of this PE, and the neighbours' next to them at both ends
};

}  // namespace

int main(int argc, char** argv) {
  return shoal::run(argc, argv, [](shoal::world& world) {
    constexpr std::size_t n = 20;
    const shoal::pe_id me = world.my_pe();
    const shoal::pe_id last = world.n_pes() - 1;
    shoal::per_pe<rod> mine(world);
    mine->heat.assign(n + 2, 0.0);
    if (me == 0) mine->heat[0] = 1;  // the left end is kept hot, the right one cold

    // One iteration: the ends go to the neighbours, then each cell takes the mean of those beside it.
    const auto relax = [&] {
      world.finish([&] {
        const auto to = mine.handle();
        if (me > 0) world.send(me - 1, [to, x = mine->heat[1]] { to->heat[n + 1] = x; });
        if (me < last) world.send(me + 1, [to, x = mine->heat[n]] { to->heat[0] = x; });
      });
      double change = 0;
      std::vector<double> next = mine->heat;
      for (std::size_t i = 1; i <= n; ++i) {
        next[i] = (mine->heat[i - 1] + mine->heat[i + 1]) / 2;
        change += std::abs(next[i] - mine->heat[i]);
      }
      mine->heat = std::move(next);
      return change;
    };

    // [overlap]
    std::deque<shoal::future<double>> changes;
    std::int64_t n_iterations = 0;
    for (bool goes_on = true; goes_on; ++n_iterations) {
      changes.push_back(world.start_sum(relax()));  // does not wait
      if (changes.size() < 3) continue;  // that of two iterations before has had time to arrive
      goes_on = changes.front().get() > 1e-3;
      changes.pop_front();
    }
    // [/overlap]

    double hottest = 0;
    for (std::size_t i = 1; i <= n; ++i) hottest = std::max(hottest, mine->heat[i]);
    // [follow]
    shoal::future<bool> is_right =
        when_all(world.start_max(hottest), world.start_gather(n_iterations))
            .then([=](const std::tuple<double, std::vector<std::int64_t>>& both) {
              const auto& [hottest_of_all, iterations] = both;
              return hottest_of_all < 1 && std::ranges::count(iterations, n_iterations) == last + 1;
            });
    // [/follow]
    bool is_in_order = is_right.get();
    for (std::size_t i = 1; i <= n; ++i) is_in_order = is_in_order && mine->heat[i] <= mine->heat[i - 1] + 1e-3;
    return is_in_order ? 0 : 1;
  });
}
