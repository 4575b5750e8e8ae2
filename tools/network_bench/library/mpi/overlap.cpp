// Both processes exchange a message, compute for as long as the exchange takes alone, and then wait for it. What of the
// shorter of the two is hidden behind the other one is the overlap.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <vector>

#include "tools/network_bench/library/mpi/measures.hpp"
#include "tools/network_bench/library/support/clock.hpp"
#include "tools/network_bench/library/support/computation.hpp"
#include "tools/network_bench/library/support/memory.hpp"

namespace network_bench {
namespace {

class exchange {
public:
  exchange(const session& all, std::size_t bytes)
      : other_(all.is_first() ? 1 : 0), bytes_(static_cast<int>(bytes)), sent_(bytes), received_(bytes) {
    all.fill(sent_.span(), "overlap");
  }

  void start() {
    MPI_Irecv(received_.slot(0), bytes_, MPI_BYTE, other_, 0, MPI_COMM_WORLD, &requests_[0]);
    MPI_Isend(sent_.slot(0), bytes_, MPI_BYTE, other_, 0, MPI_COMM_WORLD, &requests_[1]);
  }
  void test() {
    int is_done = 0;
    MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &is_done, MPI_STATUSES_IGNORE);
  }
  void wait() { MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE); }

  std::span<const std::byte> received() const { return received_.span(); }

private:
  int other_;
  int bytes_;
  message_slots sent_;
  message_slots received_;
  std::array<MPI_Request, 2> requests_{MPI_REQUEST_NULL, MPI_REQUEST_NULL};
};

// Nanoseconds of `act`, which both processes begin together.
template <class Act>
double time_together(session& all, Act act) {
  all.processes().meet();
  const double begin = now_ns();
  act();
  return now_ns() - begin;
}

double median(std::vector<double> times) {
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::ranges::nth_element(times, middle);
  return *middle;
}

double time_alone(session& all, exchange& messages) {
  return time_together(all, [&] {
    messages.start();
    messages.wait();
  });
}

double median_time_alone(session& all, exchange& messages) {
  constexpr int n_trials = 21;
  std::vector<double> times;
  for (int trial = 0; trial < n_trials; ++trial) times.push_back(time_alone(all, messages));
  return median(times);
}

double share(double alone, double computing, double together) {
  return std::clamp(1 - (together - std::max(alone, computing)) / std::min(alone, computing), 0.0, 1.0);
}

// A computation in equal slices, after each of which the library may be called.
struct sliced_computation {
  std::int64_t n_slices = 1;
  std::int64_t n_steps_of_slice = 0;

  template <class Act>
  void run(Act between) const {
    for (std::int64_t slice = 0; slice < n_slices; ++slice) {
      compute(n_steps_of_slice);
      between();
    }
  }
};

// Slices of about 5 us, or shorter ones if the computation itself is short.
sliced_computation as_long_as(double ns) {
  constexpr double slice_ns = 5000;
  constexpr std::int64_t n_slices_least = 4;
  const auto n_slices = std::max(n_slices_least, static_cast<std::int64_t>(ns / slice_ns));
  const double n_steps = ns * measured_steps_per_ns() / static_cast<double>(n_slices);
  return {n_slices, static_cast<std::int64_t>(n_steps) + 1};
}

void measure_size(session& all, std::size_t bytes) {
  exchange messages(all, bytes);
  const auto alone_ns = static_cast<std::int64_t>(median_time_alone(all, messages));
  const sliced_computation computation = as_long_as(static_cast<double>(all.processes().from_first(alone_ns)));
  for (const bool tests : {false, true}) {
    const auto test = [&] {
      if (tests) messages.test();
    };
    all.measure(
        {"overlap", tests ? "with tests" : "without calls", bytes, "share"},
        [&](std::int64_t n) {
          // Medians, because one interrupted repeat is longer than all others of its block.
          std::vector<double> alone;
          std::vector<double> computing;
          std::vector<double> together;
          for (std::int64_t i = 0; i < n; ++i) {
            alone.push_back(time_alone(all, messages));
            computing.push_back(time_together(all, [&] { computation.run([] {}); }));
            together.push_back(time_together(all, [&] {
              messages.start();
              computation.run(test);
              messages.wait();
            }));
          }
          return share(median(alone), median(computing), median(together));
        },
        [&] { return all.has_arrived(messages.received()); });
  }
}

}  // namespace

void measure_overlap(session& all) {
  for (const std::size_t bytes : {std::size_t{4} << 10, std::size_t{64} << 10, std::size_t{1} << 20}) {
    measure_size(all, bytes);
  }
}

}  // namespace network_bench
