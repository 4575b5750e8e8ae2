#include "tools/conveyor_bench/measure.hpp"

#include <algorithm>
#include <sstream>

#include "shoal/conveyor/internal/exchange.hpp"
#include "shoal/conveyor/internal/stream_hop.hpp"
#include "shoal/substrate/internal/link_costs.hpp"
#include "tools/cli/commands.hpp"
#include "tools/cli/measure.hpp"
#include "tools/cli/progress.hpp"
#include "tools/conveyor_bench/fit.hpp"
#include "tools/conveyor_bench/hosts.hpp"
#include "tools/conveyor_bench/texts.hpp"
#include "tools/conveyor_bench/workload.hpp"

namespace shoal::cli {

using namespace internal;
namespace {

std::size_t count_links(const route& way) {
  std::size_t n_links = 0;
  for (int h = 0; h < way.n_hops(); ++h) n_links += way.hop(h).neighbours.size();
  return n_links;
}

class bench_runner {
public:
  bench_runner(world& w, const bench_options& options)
      : world_(w),
        options_(options),
        load_(options.kind->make(w, options)),
        lines_(loudness_of(w.my_pe(), options), "conveyor-bench"),
        sizes_(options.seed, static_cast<std::uint64_t>(w.n_pes())) {}

  void run_into(bench_result& result) {
    for (std::uint64_t i = 0; i < options_.n_warmups && result.fault.empty(); ++i) {
      run_once(true);
      result.fault = first_text(world_, load_->verify());
      if (options_.is_point_to_point) result.pairs = load_->describe_pairs();
      lines_.say("warm-up " + std::to_string(i + 1) + " of " + std::to_string(options_.n_warmups));
    }
    for (std::uint64_t i = 0; i < options_.n_iterations && result.fault.empty(); ++i) {
      result.runs.push_back(run_once(false));
      result.fault = first_text(world_, load_->verify());
      lines_.say("iteration " + std::to_string(i + 1) + " of " + std::to_string(options_.n_iterations) + ": " +
                 std::to_string(result.runs.back().seconds) + " s");
    }
    result.items_per_pe = static_cast<double>(world_.sum(n_items_)) / static_cast<double>(world_.n_pes());
    result.sent = {.n_buffers = world_.sum(sent_.n_buffers),
                   .n_bytes = world_.sum(sent_.n_bytes),
                   .n_encoded = world_.sum(sent_.n_encoded),
                   .n_spared = world_.sum(sent_.n_spared)};
    result.verified = load_->what_is_verified();
  }

private:
  static loudness loudness_of(pe_id my_pe, const bench_options& options) {
    if (my_pe != 0 || options.is_quiet) return loudness::silent;
    return options.is_verbose ? loudness::always : loudness::when_long;
  }

  timed_run run_once(bool is_checked) {
    const run_plan plan{.number = n_runs_++, .item_bytes = next_item_bytes(), .is_checked = is_checked};
    if (options_.is_dynamic) load_->drop_conveyors();
    load_->prepare(plan);
    const transfer_counts before = sent_here();
    timed_run timed;
    timed.seconds = time([&] {
      if (options_.is_dynamic) load_->make_conveyors();
      n_items_ = load_->run();
    });
    if (!is_checked) sent_.add(sent_here().since(before));
    timed.item_bytes = world_.sum(load_->mean_item_bytes()) / static_cast<double>(world_.n_pes());
    // Copying takes no virtual time.
    if (!is_checked && !is_simulated(world_.backend().kind()))
      timed.memcpy_seconds = time([&] { load_->copy_plainly(n_items_); });
    return timed;
  }

  // The same on all PEs, because they draw the same numbers.
  std::size_t next_item_bytes() {
    if (!options_.has_random_size) return options_.item_bytes;
    const std::size_t least = item_bytes_min(options_.what);
    return least + static_cast<std::size_t>(sizes_.below(options_.item_bytes - least + 1));
  }

  // What all current conveyors of this PE have sent so far.
  transfer_counts sent_here() const {
    transfer_counts sent;
    for (const stream_hop* hop : world_.message_exchange().hops()) {
      const stream_counts counts = hop->counts();
      sent.n_buffers += counts.n_buffers;
      sent.n_bytes += counts.n_bytes;
      sent.n_encoded += counts.n_encoded;
      sent.n_spared += counts.n_spared;
    }
    return sent;
  }

  // All PEs at once. The PE that was first through the first barrier saw the whole run.
  template <class Body>
  double time(const Body& body) {
    world_.barrier();
    const std::uint64_t begin_ns = world_.now_ns();
    body();
    world_.barrier();
    return static_cast<double>(world_.max(world_.now_ns() - begin_ns)) / 1e9;
  }

  world& world_;
  const bench_options& options_;
  std::unique_ptr<workload> load_;
  progress_lines lines_;
  random_engine sizes_;
  std::uint64_t n_runs_ = 0;
  std::uint64_t n_items_ = 0;  // pushed by this PE in the last run
  transfer_counts sent_;  // by this PE in timed runs
};

}  // namespace

void transfer_counts::add(const transfer_counts& more) noexcept {
  n_buffers += more.n_buffers;
  n_bytes += more.n_bytes;
  n_encoded += more.n_encoded;
  n_spared += more.n_spared;
}

transfer_counts transfer_counts::since(const transfer_counts& before) const noexcept {
  return {.n_buffers = n_buffers - before.n_buffers,
          .n_bytes = n_bytes - before.n_bytes,
          .n_encoded = n_encoded - before.n_encoded,
          .n_spared = n_spared - before.n_spared};
}

bench_result measure_conveyor(world& w, const bench_options& options) {
  check_fit(w, options);
  bench_result result;
  result.substrate = w.backend().kind();
  result.n_pes = w.n_pes();
  result.node_size = std::min(w.chosen_settings().node_size.value, w.n_pes());
  result.slot_bytes = w.message_exchange().payload_bytes();
  result.n_slots = w.backend().n_slots();
  const route& way = w.message_exchange().route_of(options.kind->n_hops);
  result.n_hops = way.n_hops();
  result.n_links = w.max(count_links(way));
  const settings& chosen = w.chosen_settings();
  if (result.node_size < result.n_pes && chosen.codec.value != codec_number::none) result.codec = chosen.codec.value;
  result.ns_per_byte = chosen.ns_per_byte.value < 0 ? w.backend().links().byte_ns() : chosen.ns_per_byte.value;
  if (options.lists_settings && w.my_pe() == 0) {
    std::ostringstream text;
    print_settings(text, chosen);
    result.settings = text.str();
  }
  if (options.lists_hosts) result.hosts = gather_hosts(w);
  result.handoff_ns = measure_handoff(w);
  bench_runner(w, options).run_into(result);
  return result;
}

}  // namespace shoal::cli
