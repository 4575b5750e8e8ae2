// Whether Shoal chooses well on networks with known figures: hops, slot size and codec as chosen, against the best of all
// combinations, in virtual time. In each superstep every PE sends so many messages to each PE, in random order. A time is the
// mean over several such orders: the least of many combinations' times with one order would be that of a lucky one.
//
//     bench_choices networks/*.network              every job and every kind of traffic, some hours
//     bench_choices --quick networks/*.network      fewer sizes and codecs
//     bench_choices --only 16x4 --only few FILE     jobs of 16 PEs on nodes of 4; messages of the kind `few`
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "benchmarks/support/benchmark.hpp"
#include "shoal/actor/run.hpp"
#include "shoal/base/internal/network_file.hpp"
#include "shoal/base/random.hpp"
#include "shoal/base/settings.hpp"
#include "shoal/codec/codec.hpp"
#include "shoal/codec/internal/known_codecs.hpp"
#include "shoal/substrate/internal/sim/sim_settings.hpp"
#include "shoal/substrate/substrate_kind.hpp"

namespace {

using namespace shoal;

struct traffic {
  const char* name;
  std::uint64_t n;  // messages for each pair in a superstep
  std::size_t bytes;  // of a message: 8 or 64
  bool is_random;  // otherwise most of its bits do not vary
  std::uint64_t compute_ns = 0;  // of the sender, for each message
  pe_id n_targets = 0;  // to how many PEs each sends; 0: to all
};
constexpr traffic traffics[] = {{.name = "one", .n = 1, .bytes = 8, .is_random = false},
                                {.name = "few", .n = 16, .bytes = 8, .is_random = false},
                                {.name = "some", .n = 128, .bytes = 8, .is_random = false},
                                {.name = "noise", .n = 128, .bytes = 8, .is_random = true},
                                {.name = "computed", .n = 128, .bytes = 8, .is_random = false, .compute_ns = 100},
                                {.name = "records", .n = 128, .bytes = 64, .is_random = false},
                                {.name = "many", .n = 1024, .bytes = 8, .is_random = false},
                                {.name = "much", .n = 1024, .bytes = 64, .is_random = true},
                                {.name = "near", .n = 1024, .bytes = 8, .is_random = false, .n_targets = 4}};

struct shape {
  const char* name;
  pe_id n_pes;
  pe_id node_size;
};
constexpr shape shapes[] = {{"16x1", 16, 1}, {"16x4", 16, 4}, {"64x8", 64, 8}, {"128x16", 128, 16}};
constexpr std::uint64_t n_messages_most = 1 << 14;  // of a PE in a superstep, so that runs take seconds

// What is chosen, or tried.
struct choice {
  int n_hops = 0;  // 0: Shoal chooses
  std::size_t slot_bytes = 0;
  codec_number codec = codec_number::best;
};

std::string text_of(const choice& c) {
  return std::to_string(c.n_hops) + "_hops," + std::to_string(c.slot_bytes) + "," +
         std::string(internal::name_of(c.codec));
}

template <std::size_t Words>
struct parcel {
  std::uint64_t words[Words];
};

struct result {
  double ns = 0;  // of a superstep
  choice by;
};

constexpr int n_to_learn = 6;  // supersteps before the measured ones
constexpr int n_measured = 4;
constexpr std::uint64_t n_orders = 4;
constexpr std::uint64_t ns_per_message = 3;  // of a send, and of a handler

// The time of a superstep.
template <std::size_t Words>
double run_supersteps(world& w, const traffic& of, std::uint64_t order) {
  std::uint64_t n_handled = 0;
  actor count{w, [&](const parcel<Words>&) {
                ++n_handled;
                w.charge_ns(ns_per_message);
              }};
  const auto n_pes = static_cast<std::uint64_t>(w.n_pes());
  const std::uint64_t n_targets = of.n_targets == 0 ? n_pes : static_cast<std::uint64_t>(of.n_targets);
  random_engine random(order, static_cast<std::uint64_t>(w.my_pe()));
  std::vector<pe_id> targets;
  for (std::uint64_t i = 0; i < of.n * n_targets; ++i) {
    const std::uint64_t nth = i % n_targets;
    targets.push_back(static_cast<pe_id>((static_cast<std::uint64_t>(w.my_pe()) + nth * (n_pes / n_targets)) % n_pes));
  }
  for (std::size_t i = targets.size(); i > 1; --i) std::swap(targets[i - 1], targets[random.below(i)]);

  std::uint64_t begin = 0;
  for (int step = -n_to_learn; step < n_measured; ++step) {
    if (step == 0) begin = w.now_ns();
    w.finish([&] {
      for (const pe_id target : targets) {
        parcel<Words> item;
        for (std::uint64_t& word : item.words) word = of.is_random ? random() : random.below(1 << 20);
        count.send(target, item);
        w.charge_ns(ns_per_message + of.compute_ns);
      }
    });
  }
  if (w.sum(n_handled) != n_pes * targets.size() * (n_to_learn + n_measured)) {
    throw setup_error("the PEs handled another number of messages than were sent");
  }
  return static_cast<double>(w.max(w.now_ns() - begin)) / n_measured;
}

settings job_of(const network_figures* network, const shape& pes, const choice& by) {
  settings chosen;
  chosen.substrate.value = substrate_kind::sim;
  chosen.n_pes.value = pes.n_pes;
  chosen.node_size.value = pes.node_size;
  chosen.n_hops.value = by.n_hops;
  chosen.slot_bytes.value = by.slot_bytes;
  chosen.codec.value = by.codec;
  // What is tried encodes whatever that costs.
  if (by.codec != codec_number::best) chosen.ns_per_byte.value = 1e6;
  chosen.heap_bytes.value = 1 << 16;
  // As on machines whose memory does not depend on the number of simulated PEs.
  chosen.memory_bytes.value = 64 << 20;
  if (network != nullptr) {
    chosen.network.value = *network;
    internal::sim::take_figures(*network, chosen.sim.value);
  }
  return chosen;
}

result run_jobs(const network_figures* network, const shape& pes, const traffic& of, const choice& by) {
  result found{0, by};
  for (std::uint64_t order = 1; order <= n_orders; ++order) {
    run_with(job_of(network, pes, by), [&](world& w) {
      const double ns = of.bytes == 8 ? run_supersteps<1>(w, of, order) : run_supersteps<8>(w, of, order);
      if (w.my_pe() != 0) return 0;
      found.ns += ns / n_orders;
      found.by = {w.n_hops(), w.backend().payload_bytes(), by.codec};
      return 0;
    });
  }
  return found;
}

struct search_options {
  bool is_quick = false;
  bool is_smoke = false;
  std::vector<std::string> only;  // names of jobs and kinds of traffic; none of one of the two: all
  std::vector<std::string> files;
};

std::vector<choice> all_choices(const shape& pes, const search_options& options) {
  std::vector<std::size_t> sizes;
  for (std::size_t bytes = 1 << 10; bytes <= 256 << 10; bytes *= options.is_quick ? 4 : 2) sizes.push_back(bytes);
  std::vector<codec_number> codecs = {codec_number::none, codec_number::squeeze};
  if (!options.is_quick) codecs.push_back(codec_number::delta);
  std::vector<choice> all;
  // With one PE on each node, further hops only pass messages on.
  for (int n_hops = 1; n_hops <= (pes.node_size == 1 ? 1 : 3); ++n_hops) {
    for (const std::size_t bytes : sizes) {
      for (const codec_number codec : codecs) all.push_back({n_hops, bytes, codec});
    }
  }
  if (options.is_smoke) all.resize(2);
  return all;
}

// Whether one of `names` is asked for, or none of those that `is_one` knows.
template <class IsOne>
bool is_wanted(const std::vector<std::string>& only, const char* name, IsOne is_one) {
  return std::ranges::find(only, name) != only.end() || std::ranges::none_of(only, is_one);
}

void search(const network_figures* network, const search_options& options) {
  const auto is_shape = [](const std::string& name) {
    return std::ranges::any_of(shapes, [&](const shape& s) { return s.name == name; });
  };
  const std::string where = network == nullptr ? "default" : network->name;
  double worst = 1;
  for (const shape& pes : shapes) {
    if (!is_wanted(options.only, pes.name, is_shape)) continue;
    for (const traffic& of : traffics) {
      if (!is_wanted(options.only, of.name, [&](const std::string& name) { return !is_shape(name); })) continue;
      const auto n_targets = static_cast<std::uint64_t>(of.n_targets == 0 ? pes.n_pes : of.n_targets);
      if (of.n * n_targets > n_messages_most) continue;
      const result chosen = run_jobs(network, pes, of, {});
      result best;
      for (const choice& by : all_choices(pes, options)) {
        const result tried = run_jobs(network, pes, of, by);
        if (best.ns == 0 || tried.ns < best.ns) best = tried;
      }
      const double ratio = chosen.ns / best.ns;
      worst = std::max(worst, ratio);
      std::printf("bench=choices network=%s job=%s traffic=%s chosen=%s us=%.1f best=%s best_us=%.1f ratio=%.3f\n",
                  where.c_str(), pes.name, of.name, text_of(chosen.by).c_str(), chosen.ns / 1e3,
                  text_of(best.by).c_str(), best.ns / 1e3, ratio);
      std::fflush(stdout);
      if (options.is_smoke) return;
    }
  }
  std::printf("bench=choices derived=%s_worst value=%.3f\n", where.c_str(), worst);
}

search_options parse(const bench::options& given) {
  search_options options{.is_quick = given.is_smoke, .is_smoke = given.is_smoke, .only = {}, .files = {}};
  for (std::size_t i = 0; i < given.others.size(); ++i) {
    const std::string& word = given.others[i];
    if (word == "--quick") {
      options.is_quick = true;
    } else if (word == "--only" && i + 1 < given.others.size()) {
      options.only.push_back(given.others[++i]);
    } else if (word.starts_with("-")) {
      throw setup_error("unknown option '" + word + "'; there are --quick, --only NAME, --smoke and files of networks");
    } else {
      options.files.push_back(word);
    }
  }
  return options;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const search_options options = parse(bench::parse_options(argc, argv));
    if (options.files.empty()) search(nullptr, options);
    for (const std::string& file : options.files) {
      const network_figures network = internal::read_network_file(file, "bench_choices");
      search(&network, options);
    }
    return 0;
  } catch (const setup_error& e) {
    std::fprintf(stderr, "bench_choices: %s\n", e.what());
    return 2;
  }
}
