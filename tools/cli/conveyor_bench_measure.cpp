// Runs a workload: warm-ups, which verify, then timed runs, each beside a plain copy of the same items.
#include <algorithm>
#include <sstream>

#include "kernels/options.hpp"
#include "shoal/base/setup_error.hpp"
#include "tools/cli/commands.hpp"
#include "tools/cli/conveyor_bench_workload.hpp"
#include "tools/cli/measure.hpp"
#include "tools/cli/progress.hpp"

namespace shoal::cli {
namespace {

// Of what has to be in one piece in a buffer, with the tag of a hop.
std::size_t largest_packet_bytes(const route& way, const bench_request& request) {
  std::size_t tag_bytes = 0;
  for (int h = 0; h < way.n_hops(); ++h) tag_bytes = std::max<std::size_t>(tag_bytes, way.hop(h).tag_bytes);
  if (request.is_elastic) {
    // The first part of an item that is larger: what elastic_conveyor.cpp wants at least.
    return std::max<std::size_t>(byte_conveyor::largest_alignment(request.item_bytes), 8) + 4 + 9;
  }
  // A query carries the place of its reply, aligned as the query is.
  return request.item_bytes + tag_bytes + (request.kind->answers_queries ? 8 : 0);
}

// What must fit into a job whose settings are known only now, and are the same on every PE. Throws setup_error.
void check_fit(world& w, const bench_request& request) {
  const route& way = w.buffers().route_of(request.kind->n_hops);
  const std::size_t packet_bytes = largest_packet_bytes(way, request);
  const std::size_t slot_bytes = w.buffers().payload_bytes();
  if (packet_bytes > slot_bytes) {
    const std::string what = request.is_elastic ? "an elastic item's part of 9 bytes"
                                                : "an item of " + std::to_string(request.item_bytes) + " bytes";
    throw setup_error(what + ", " + std::to_string(packet_bytes) + " with its tag, does not fit into a slot of " +
                      std::to_string(slot_bytes) + " bytes; " +
                      (request.kind->has_boxes ? "set SHOAL_SLOT_BYTES=" : "give --capacity=") +
                      std::to_string(packet_bytes) + " or more");
  }
  const std::size_t n_conveyors = 1 + std::size_t{request.kind->answers_queries} +
                                  std::size_t{request.what == traffic::index_gather || request.is_steady_test};
  const std::size_t n_ports = static_cast<std::size_t>(way.n_hops()) * n_conveyors;
  if (w.machine().n_slots() < n_ports) {
    constexpr const char* times[] = {"", "", " twice", " with two more conveyors"};
    throw setup_error("flavour " + request.kind->name + times[n_conveyors] + " needs " + std::to_string(n_ports) +
                      " slots, one for each hop, and this PE has " + std::to_string(w.machine().n_slots()) +
                      "; give --buffers=" + std::to_string(n_ports) + " or more");
  }
  const std::uint64_t n_pooled =
      std::min(request.n_words * 8 / request.item_bytes + 1, request.load * static_cast<std::uint64_t>(w.n_pes()));
  constexpr std::uint64_t target_and_entry_bytes = 12;
  kernels::require_memory(w, "--words", n_pooled * (request.item_bytes + target_and_entry_bytes));
  const auto n_pes = static_cast<std::uint64_t>(w.n_pes());
  if (request.kind->has_boxes) {
    const std::uint64_t n_boxes = 2 * n_pes * (request.what == traffic::index_gather ? 2 : 1);
    kernels::require_memory(w, "--capacity", n_boxes * request.capacity_items * request.item_bytes);
  }
  // One on its way to here from each PE, one on its way from here.
  if (request.is_elastic) kernels::require_memory(w, "ITEM_BYTES", (n_pes + 1) * request.item_bytes);
}

std::size_t count_links(const route& way) {
  std::size_t n_links = 0;
  for (int h = 0; h < way.n_hops(); ++h) n_links += way.hop(h).neighbours.size();
  return n_links;
}

// Gives every PE the text of PE `speaker`.
std::string told_by(world& w, std::string text, pe_id speaker) {
  text.resize(w.broadcast(text.size(), speaker));
  w.broadcast(std::span<char>(text), speaker);
  return text;
}

// Gives every PE what the first PE that has something has to say.
std::string first_text(world& w, const std::string& text) {
  const pe_id speaker = w.min(text.empty() ? w.n_pes() : w.my_pe());
  if (speaker == w.n_pes()) return {};
  return told_by(w, "PE " + std::to_string(w.my_pe()) + ": " + text, speaker);
}

// Throws setup_error on every PE, or on none: PE 0 judges for all.
void check_fit_of_all(world& w, const bench_request& request) {
  std::string misfit;
  if (w.my_pe() == 0) {
    try {
      check_fit(w, request);
    } catch (const setup_error& e) {
      misfit = e.what();
    }
  }
  misfit = told_by(w, misfit, 0);
  if (!misfit.empty()) throw setup_error(misfit);
}

class bench_runner {
public:
  bench_runner(world& w, const bench_request& request)
      : world_(w),
        request_(request),
        load_(request.kind->make(w, request)),
        lines_(loudness_of(w.my_pe(), request), "conveyor-bench"),
        sizes_(request.seed, static_cast<std::uint64_t>(w.n_pes())) {}

  void run_into(bench_result& result) {
    for (int i = 0; i < request_.n_warmups && result.fault.empty(); ++i) {
      run_once(true);
      result.fault = first_text(world_, load_->verify());
      if (request_.is_point_to_point) result.pairs = load_->describe_pairs();
      lines_.say("warm-up " + std::to_string(i + 1) + " of " + std::to_string(request_.n_warmups));
    }
    for (int i = 0; i < request_.n_iterations && result.fault.empty(); ++i) {
      result.runs.push_back(run_once(false));
      result.fault = first_text(world_, load_->verify());
      lines_.say("iteration " + std::to_string(i + 1) + " of " + std::to_string(request_.n_iterations) + ": " +
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
  static loudness loudness_of(pe_id my_pe, const bench_request& request) {
    if (my_pe != 0 || request.is_quiet) return loudness::silent;
    return request.is_verbose ? loudness::always : loudness::when_long;
  }

  timed_run run_once(bool is_checked) {
    const run_plan plan{.number = n_runs_++, .item_bytes = next_item_bytes(), .is_checked = is_checked};
    if (request_.is_dynamic) load_->drop_conveyors();
    load_->prepare(plan);
    const transfer_counts before = sent_here();
    timed_run timed;
    timed.seconds = time([&] {
      if (request_.is_dynamic) load_->make_conveyors();
      n_items_ = load_->run();
    });
    if (!is_checked) sent_.add(sent_here().since(before));
    timed.item_bytes = world_.sum(load_->mean_item_bytes()) / static_cast<double>(world_.n_pes());
    // In virtual time, copying takes none.
    if (!is_checked && world_.machine().name() != "sim")
      timed.memcpy_seconds = time([&] { load_->copy_plainly(n_items_); });
    return timed;
  }

  // The same on all PEs, as they draw the same numbers.
  std::size_t next_item_bytes() {
    if (!request_.has_random_size) return request_.item_bytes;
    const std::size_t least = item_bytes_min(request_.what);
    return least + static_cast<std::size_t>(sizes_.below(request_.item_bytes - least + 1));
  }

  // What all conveyors that this PE has now have sent so far.
  transfer_counts sent_here() const {
    transfer_counts sent;
    for (const stream_hop* hop : world_.buffers().hops()) {
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
  const bench_request& request_;
  std::unique_ptr<workload> load_;
  progress_lines lines_;
  random_engine sizes_;
  std::uint64_t n_runs_ = 0;
  std::uint64_t n_items_ = 0;  // that this PE pushed in the last run
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

bench_result measure_conveyor(world& w, const bench_request& request) {
  check_fit_of_all(w, request);
  bench_result result;
  result.substrate = w.machine().name();
  result.n_pes = w.n_pes();
  result.node_size = std::min(w.chosen_settings().node_size.value, w.n_pes());
  result.slot_bytes = w.buffers().payload_bytes();
  result.n_slots = w.machine().n_slots();
  const route& way = w.buffers().route_of(request.kind->n_hops);
  result.n_hops = way.n_hops();
  result.n_links = w.max(count_links(way));
  const settings& chosen = w.chosen_settings();
  if (result.node_size < result.n_pes && chosen.codec.value != "none") result.codec = chosen.codec.value;
  result.ns_per_byte = chosen.ns_per_byte.value < 0 ? w.machine().ns_per_byte() : chosen.ns_per_byte.value;
  if (request.lists_settings && w.my_pe() == 0) {
    std::ostringstream text;
    print_settings(text, chosen);
    result.settings = text.str();
  }
  if (request.lists_hosts) result.hosts = gather_hosts(w);
  result.handoff_ns = measure_handoff(w);
  bench_runner(w, request).run_into(result);
  return result;
}

}  // namespace shoal::cli
