// Whether Shoal chooses the right hop count for the traffic. In each superstep every PE sends a number of messages to
// each PE, in random order, with the chosen hop count and with one, two and three hops throughout. 128 simulated PEs on
// nodes of 16, in virtual time, because only the simulator has so many nodes.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "benchmarks/support/benchmark.hpp"
#include "shoal/actor/run.hpp"
#include "shoal/base/random.hpp"
#include "shoal/base/settings.hpp"
#include "shoal/substrate/substrate_kind.hpp"

namespace {

using namespace shoal;

struct result {
  double ns_per_message = 0;
  int n_hops = 0;  // at the end
};

constexpr int n_to_learn = 3;  // supersteps before the measured ones

// The time of a superstep of `n` messages for each pair, per message. On `sim`, sends and handlers declare what they
// cost.
result run_supersteps(world& w, std::uint64_t n, int n_supersteps) {
  std::uint64_t sum = 0;
  actor count{w, [&](std::uint64_t word) {
                sum += word;
                w.charge_ns(3);
              }};
  const auto n_pes = static_cast<std::uint64_t>(w.n_pes());
  random_engine random(5, static_cast<std::uint64_t>(w.my_pe()));
  std::vector<pe_id> targets;
  for (std::uint64_t i = 0; i < n * n_pes; ++i) targets.push_back(static_cast<pe_id>(i % n_pes));
  for (std::size_t i = targets.size(); i > 1; --i) std::swap(targets[i - 1], targets[random.below(i)]);

  std::uint64_t begin = 0;
  for (int step = -n_to_learn; step < n_supersteps; ++step) {
    w.barrier();
    if (step == 0) begin = w.now_ns();
    w.finish([&] {
      for (const pe_id target : targets) {
        count.send(target, n);
        w.charge_ns(3);
      }
    });
  }
  const std::uint64_t n_here = n * n_pes * static_cast<std::uint64_t>(n_supersteps + n_to_learn);
  if (sum != n_here * n) {
    throw setup_error("PE " + std::to_string(w.my_pe()) + " got other messages than were sent to it");
  }
  const auto ns = static_cast<double>(w.max(w.now_ns() - begin));
  return {ns / static_cast<double>(n * n_pes * static_cast<std::uint64_t>(n_supersteps)), w.n_hops()};
}

// One job; `n_hops` 0: Shoal chooses.
result run_job(pe_id n_pes, pe_id node_size, int n_hops, std::uint64_t n) {
  settings chosen;
  chosen.substrate.value = substrate_kind::sim;
  chosen.n_pes.value = n_pes;
  chosen.node_size.value = node_size;
  chosen.n_hops.value = n_hops;
  chosen.heap_bytes.value = 1 << 16;
  result all;
  run_with(chosen, [&](world& w) {
    const result mine = run_supersteps(w, n, 3);
    if (w.my_pe() == 0) all = mine;
    return 0;
  });
  return all;
}

int compare(const bench::options& given) {
  const pe_id n_pes = given.is_smoke ? 16 : 128;
  const pe_id node_size = given.is_smoke ? 4 : 16;
  const std::vector<std::uint64_t> loads =
      given.is_smoke ? std::vector<std::uint64_t>{1} : std::vector<std::uint64_t>{1, 4, 16, 32, 64, 128, 256};
  for (const std::uint64_t n : loads) {
    const std::string where =
        "pes=" + std::to_string(n_pes) + " node_size=" + std::to_string(node_size) + " substrate=sim";
    const std::string name = std::to_string(n) + "_for_each_pair";
    double best = 0;
    for (int n_hops = 1; n_hops <= 3; ++n_hops) {
      const double ns = run_job(n_pes, node_size, n_hops, n).ns_per_message;
      bench::print_result("hops", {name + "_" + std::to_string(n_hops) + "_hops", 1, "ns"}, {ns * 1e-9}, true, where);
      if (best == 0 || ns < best) best = ns;
    }
    const result chosen = run_job(n_pes, node_size, 0, n);
    bench::print_result("hops", {name + "_chosen", 1, "ns"}, {chosen.ns_per_message * 1e-9}, true, where);
    std::printf("bench=hops derived=%s_chosen_to_best value=%.3f chosen=%d\n", name.c_str(),
                chosen.ns_per_message / best, chosen.n_hops);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const bench::options given = bench::parse_options(argc, argv);
    bench::refuse_others(given);
    return compare(given);
  } catch (const setup_error& e) {
    std::fprintf(stderr, "bench_hops: %s\n", e.what());
    return 2;
  }
}
