// Checks that a wire keeps its contract. Started by mpirun or alone:
//
//   network.wire SUBSTRATE LIBRARY SEED [FOLDER [VERSION]]
//
// opens the wire from the module and checks it with random sizes and traffic. Prints "ok" on rank 0; a failure names
// rank, seed and what was wrong, and ends the job. If open_wire refuses, the program prints why and ends with status 2.
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <thread>

#include "shoal/base/setup_error.hpp"
#include "shoal/base/version.hpp"
#include "shoal/substrate/internal/network/module.hpp"
#include "test/network/wire_bound.hpp"
#include "test/network/wire_control.hpp"
#include "test/network/wire_one_sided.hpp"
#include "test/network/wire_traffic.hpp"

namespace shoal::test {

using namespace internal;
namespace {

void check_all_gather(const wire_job& job) {
  struct contribution {
    int rank;
    char bytes[13];
  };
  const contribution mine{job.rank(), {static_cast<char>(job.rank() * 3)}};
  std::vector<contribution> all(static_cast<std::size_t>(job.n_ranks()));
  job.wire.all_gather(&mine, all.data(), sizeof mine);
  for (int rank = 0; rank < job.n_ranks(); ++rank) {
    const contribution& its = all[static_cast<std::size_t>(rank)];
    job.expect(its.rank == rank && its.bytes[0] == static_cast<char>(rank * 3), "all_gather mixes up ranks");
  }
}

// All claim, and one succeeds. Rank 0 answers for as long as others may ask.
void check_claims(const wire_job& job) {
  bool is_mine = false;
  if (job.rank() == 0) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(1200);
    while (std::chrono::steady_clock::now() < end) {
      job.expect(job.wire.poll() == nullptr, "a buffer came that nobody sent");
      sched_yield();
    }
    is_mine = job.wire.claim_report();
  } else {
    is_mine = job.wire.claim_report();
  }
  std::vector<char> all(static_cast<std::size_t>(job.n_ranks()));
  const char mine = is_mine ? 1 : 0;
  job.wire.all_gather(&mine, all.data(), 1);
  const auto n_reports = std::count(all.begin(), all.end(), 1);
  job.expect(n_reports == 1, std::to_string(n_reports) + " ranks were told to report");
}

// Small on purpose: few slots, and landing memory for fewer buffers than there are senders, or for a few more. Nodes
// have one rank or two; ranks of one node send each other nothing.
network::wire_sizes draw_sizes(std::uint64_t seed, const network::wire& wire, std::vector<std::uint8_t>& is_remote) {
  random_engine random(seed);
  constexpr std::size_t payloads[] = {64, 1024, 4096, 65536};  // below and above what libraries send eagerly
  network::wire_sizes sizes;
  sizes.payload_bytes = payloads[random.below(4)];
  sizes.n_slots = 1 + random.below(12);
  sizes.landing_bytes = random.below(20) * (sizes.payload_bytes + sizeof(buffer));
  sizes.heap_bytes = wire_one_sided::heap_bytes(wire.n_ranks());
  sizes.exchange_bytes = 1 + random.below(3000);
  while ((1 << sizes.n_steps) < wire.n_ranks()) ++sizes.n_steps;
  const int node_size = 1 + static_cast<int>(random.below(2));
  for (int rank = 0; rank < wire.n_ranks(); ++rank) {
    is_remote.push_back(rank / node_size != wire.rank() / node_size ? 1 : 0);
  }
  sizes.is_remote = is_remote;
  return sizes;
}

void check(network::wire& wire, std::uint64_t seed) {
  std::vector<std::uint8_t> is_remote;
  wire_job job{wire, draw_sizes(seed, wire, is_remote), seed};
  struct alignas(cache_line_bytes) line {
    std::byte bytes[cache_line_bytes];
  };
  std::vector<line> heap(wire.makes_heap() ? 0 : job.sizes.heap_bytes / sizeof(line) + 1);
  if (!wire.makes_heap()) job.sizes.heap = heap.front().bytes;
  check_all_gather(job);
  const std::string failed = wire.open(job.sizes);
  job.expect(failed.empty(), failed);
  check_all_gather(job);
  if (seed % 10 == 0) check_claims(job);
  exchange_rounds rounds(job);
  check_bound(rounds);
  wire_control control(rounds);
  control.run();
  wire_traffic(rounds, 400).run(20);
  wire_one_sided(rounds).run();
  rounds.finish_one();
  job.expect(job.early.empty(), "a buffer came that nobody sent");
  control.leave_unread();
  wire.close([] { std::this_thread::sleep_for(std::chrono::milliseconds(100)); });
}

}  // namespace
}  // namespace shoal::test

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  alarm(100);  // a hang is a failure
  const std::uint64_t seed = std::strtoull(argv[3], nullptr, 10);
  const std::string folder = argc > 4 ? argv[4] : "";
  const std::string version = argc > 5 ? argv[5] : std::string(shoal::version());
  shoal::internal::network::wire_request request;
  request.version = version.c_str();
  const shoal::substrate_entry* const substrate = shoal::internal::find_named(shoal::known_substrates, argv[1]);
  const shoal::library_entry* const carrier = shoal::internal::find_named(shoal::known_libraries, argv[2]);
  if (substrate == nullptr || carrier == nullptr) return 2;
  request.substrate = substrate->id;
  request.symmetric_bytes = std::size_t{64} << 20;
  try {
    shoal::internal::network::wire& wire = shoal::internal::network::open_wire(carrier->id, request, folder);
    const int n_ranks = wire.n_ranks();
    const bool is_first = wire.rank() == 0;
    const std::string library = wire.library();
    shoal::test::check(wire, seed);
    if (is_first) std::printf("ok: %s on %s, %d ranks\n", argv[1], library.c_str(), n_ranks);
    return 0;
  } catch (const shoal::setup_error& refused) {
    std::fprintf(stderr, "shoal: %s\n", refused.what());
    return 2;
  }
}
