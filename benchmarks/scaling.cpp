// What a node of a large machine injects when every PE sends items to random PEs through conveyors, on the simulator, in
// virtual time. Two sessions, the second of twice as many items: their difference is free of filling and draining.
//
//     bench_scaling --nodes 64 --hops 3 --item-bytes 8 --slot-bytes 2k --items 16384 networks/aries.network
//
// scaling.py runs it for many sizes and compares.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "benchmarks/support/benchmark.hpp"
#include "shoal/actor/run.hpp"
#include "shoal/base/internal/network_file.hpp"
#include "shoal/base/random.hpp"
#include "shoal/base/settings.hpp"
#include "shoal/codec/codec.hpp"
#include "shoal/conveyor/conveyor.hpp"
#include "shoal/conveyor/internal/buffer_budget.hpp"
#include "shoal/substrate/internal/sim/sim_settings.hpp"
#include "shoal/substrate/substrate_kind.hpp"

namespace {

using namespace shoal;

struct machine {
  pe_id n_nodes = 2;
  pe_id node_size = 32;
  int n_hops = 3;
  std::size_t item_bytes = 8;
  std::size_t slot_bytes = 2048;
  std::uint64_t n_items = 1 << 14;  // of a PE in the short session
  std::string file;  // what links cost; empty: the simulator's defaults

  pe_id n_pes() const noexcept { return n_nodes * node_size; }
};

template <std::size_t Words>
struct parcel {
  std::uint64_t words[Words];
};

struct counted {
  std::uint64_t n_pulled = 0;
  std::uint64_t sum = 0;  // of the first words

  bool operator==(const counted&) const = default;
};

// One session, in which each PE pushes the numbers up to `n_items`. It advances after every buffer's worth of pushes.
template <std::size_t Words>
counted stream_items(world& w, conveyor<parcel<Words>>& through, random_engine& random, std::uint64_t n_items) {
  const auto n_pes = static_cast<std::uint64_t>(w.n_pes());
  const std::uint64_t n_in_turn = w.backend().payload_bytes() / sizeof(parcel<Words>);
  counted got;
  through.begin();
  std::uint64_t i = 0;
  auto target = static_cast<pe_id>(random.below(n_pes));
  while (through.advance(i == n_items) != progress::complete) {
    const std::uint64_t end = std::min(n_items, i + n_in_turn);
    while (i != end && through.push(parcel<Words>{{i}}, target)) {
      target = static_cast<pe_id>(random.below(n_pes));
      ++i;
    }
    while (const parcel<Words>* item = through.pull()) {
      ++got.n_pulled;
      got.sum += item->words[0];
    }
  }
  through.reset();
  return got;
}

// Virtual times of the two sessions.
struct times {
  std::uint64_t short_ns = 0;
  std::uint64_t long_ns = 0;
  bool is_verified = true;
};

template <std::size_t Words>
times run_sessions(world& w, const machine& of) {
  conveyor<parcel<Words>> through(w, {.n_hops = of.n_hops});
  random_engine random(7, static_cast<std::uint64_t>(w.my_pe()));
  times all;
  for (const std::uint64_t n_items : {of.n_items, 2 * of.n_items}) {
    w.barrier();
    const std::uint64_t begin_ns = w.now_ns();
    const counted here = stream_items(w, through, random, n_items);
    const std::uint64_t ns = w.max(w.now_ns() - begin_ns);
    (n_items == of.n_items ? all.short_ns : all.long_ns) = ns;
    const auto n_pes = static_cast<std::uint64_t>(w.n_pes());
    const counted expected{n_pes * n_items, n_pes * (n_items * (n_items - 1) / 2)};
    all.is_verified = all.is_verified && counted{w.sum(here.n_pulled), w.sum(here.sum)} == expected;
  }
  return all;
}

times run_with_items(world& w, const machine& of) {
  switch (of.item_bytes) {
    case 8: return run_sessions<1>(w, of);
    case 16: return run_sessions<2>(w, of);
    case 32: return run_sessions<4>(w, of);
    default: return run_sessions<16>(w, of);
  }
}

settings job_of(const machine& of) {
  settings chosen;
  chosen.substrate.value = substrate_kind::sim;
  chosen.n_pes.value = of.n_pes();
  chosen.node_size.value = of.node_size;
  chosen.n_hops.value = of.n_hops;
  chosen.slot_bytes.value = of.slot_bytes;
  // As Conveyors have.
  constexpr std::size_t slots_of_link = 2;
  const std::size_t n_links =
      internal::n_links_of(static_cast<std::size_t>(of.n_pes()), static_cast<std::size_t>(of.node_size), of.n_hops);
  chosen.n_slots.value = std::max<std::size_t>(16, slots_of_link * n_links);
  chosen.memory_bytes.value = 8 * chosen.n_slots.value * (of.slot_bytes + 128);
  chosen.heap_bytes.value = 1 << 16;
  chosen.codec.value = codec_number::none;
  if (!of.file.empty()) {
    const network_figures network = internal::read_network_file(of.file, "bench_scaling");
    chosen.network.value = network;
    internal::sim::take_figures(network, chosen.sim.value);
  }
  return chosen;
}

int report(const machine& of) {
  times found;
  run_with(job_of(of), [&](world& w) {
    const times all = run_with_items(w, of);
    if (w.my_pe() == 0) found = all;
    return 0;
  });
  const double ns_per_item = static_cast<double>(found.long_ns - found.short_ns) / static_cast<double>(of.n_items);
  const auto version = shoal::version();
  std::printf(
      "bench=scaling case=predicted nodes=%d node_size=%d hops=%d item_bytes=%zu slot_bytes=%zu items=%llu "
      "substrate=sim "
      "short_us=%.3f long_us=%.3f ns_per_item=%.3f node_gb_per_s=%.4f verified=%s version=%.*s\n",
      static_cast<int>(of.n_nodes), static_cast<int>(of.node_size), of.n_hops, of.item_bytes, of.slot_bytes,
      static_cast<unsigned long long>(of.n_items), static_cast<double>(found.short_ns) / 1e3,
      static_cast<double>(found.long_ns) / 1e3, ns_per_item,
      static_cast<double>(of.node_size) * static_cast<double>(of.item_bytes) / ns_per_item,
      found.is_verified ? "yes" : "NO", static_cast<int>(version.size()), version.data());
  return found.is_verified ? 0 : 1;
}

std::size_t parse_item_bytes(std::string_view text) {
  for (const std::size_t bytes : {8, 16, 32, 128}) {
    if (text == std::to_string(bytes)) return bytes;
  }
  throw setup_error("--item-bytes=" + std::string(text) + " is not 8, 16, 32 or 128");
}

machine parse(const bench::options& given) {
  machine of;
  if (given.is_smoke) {
    of.n_nodes = of.node_size = 4;
    of.n_items = 4096;
  }
  for (std::size_t i = 0; i < given.others.size(); ++i) {
    const std::string& word = given.others[i];
    if (!word.starts_with("--")) {
      of.file = word;
      continue;
    }
    if (i + 1 == given.others.size()) throw setup_error("a value is missing after '" + word + "'");
    const std::string& value = given.others[++i];
    if (word == "--nodes") {
      of.n_nodes = static_cast<pe_id>(parse_integer(value, word, 1, 1 << 20));
    } else if (word == "--node-size") {
      of.node_size = static_cast<pe_id>(parse_integer(value, word, 1, 1 << 10));
    } else if (word == "--hops") {
      of.n_hops = static_cast<int>(parse_integer(value, word, 1, 3));
    } else if (word == "--item-bytes") {
      of.item_bytes = parse_item_bytes(value);
    } else if (word == "--slot-bytes") {
      of.slot_bytes = parse_bytes(value, word);
    } else if (word == "--items") {
      of.n_items = static_cast<std::uint64_t>(parse_integer(value, word, 1, 1 << 30));
    } else {
      throw setup_error(
          "unknown option '" + word +
          "'; there are --nodes, --node-size, --hops, --item-bytes, --slot-bytes, --items, --smoke and the "
          "file of a network");
    }
  }
  return of;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return report(parse(bench::parse_options(argc, argv)));
  } catch (const setup_error& e) {
    std::fprintf(stderr, "bench_scaling: %s\n", e.what());
    return 2;
  }
}
