// A handler of which several calls may run at the same time, if SHOAL_WORKERS is above 1. It counts how many points of the
// plane leave a circle after how many steps.
// pes: 1 2 4
#include <atomic>
#include <cstdint>
#include <vector>

#include <shoal/shoal.hpp>
#include <shoal/task/parallel_handler.hpp>

int main(int argc, char** argv) {
  return shoal::run(argc, argv, [](shoal::world& world) {
    constexpr std::int64_t n_points = 100'000;
    constexpr std::int64_t n_steps_most = 200;

    // Few steps or many: nobody knows before.
    const auto n_steps = [](std::int64_t point) {
      const double x = -2.0 + static_cast<double>(point % 400) / 200;
      const double y = -1.0 + static_cast<double>(point / 400) / 200;
      double a = 0;
      double b = 0;
      std::int64_t n = 0;
      for (; n < n_steps_most && a * a + b * b < 4; ++n) {
        const double next = a * a - b * b + x;
        b = 2 * a * b + y;
        a = next;
      }
      return n;
    };

    // [parallel]
    std::vector<std::int64_t> n_points_by_steps(n_steps_most + 1);
    shoal::actor iterate{world, shoal::parallel_handler{[&](std::int64_t point) {
                           std::atomic_ref(n_points_by_steps[static_cast<std::size_t>(n_steps(point))])
                               .fetch_add(1, std::memory_order_relaxed);
                         }},
                         "iterate"};
    world.finish([&] {
      for (std::int64_t point = world.my_pe(); point < n_points; point += world.n_pes()) {
        iterate.send(static_cast<shoal::pe_id>(point / 100 % world.n_pes()), point);
      }
    });
    // [/parallel]

    std::vector<std::int64_t> expected(n_points_by_steps.size());
    for (std::int64_t point = 0; point < n_points; ++point) ++expected[static_cast<std::size_t>(n_steps(point))];
    bool is_right = true;
    for (std::size_t n = 0; n < expected.size(); ++n) is_right &= world.sum(n_points_by_steps[n]) == expected[n];
    return is_right ? 0 : 1;
  });
}
