#include "tools/conveyor_bench/fit.hpp"

#include <algorithm>

#include "kernels/options.hpp"
#include "shoal/base/setup_error.hpp"
#include "shoal/conveyor/conveyor.hpp"
#include "shoal/conveyor/internal/exchange.hpp"
#include "tools/conveyor_bench/texts.hpp"

namespace shoal::cli {

using namespace internal;
namespace {

// The bytes that must be contiguous in a buffer, including the tag of a hop.
std::size_t largest_packet_bytes(const route& way, const bench_options& options) {
  std::size_t tag_bytes = 0;
  for (int h = 0; h < way.n_hops(); ++h) tag_bytes = std::max<std::size_t>(tag_bytes, way.hop(h).tag_bytes);
  if (options.is_elastic) {
    // The first fragment of a larger item: the minimum that elastic_conveyor.cpp needs.
    return std::max<std::size_t>(byte_conveyor::largest_alignment(options.item_bytes), 8) + 4 + 9;
  }
  // A query carries the place of its reply, with the query's alignment.
  return options.item_bytes + tag_bytes + (options.kind->answers_queries ? 8 : 0);
}

// The settings of a job are known only now, and are the same on every PE.
void judge_fit(world& w, const bench_options& options) {
  const route& way = w.message_exchange().route_of(options.kind->n_hops);
  const std::size_t packet_bytes = largest_packet_bytes(way, options);
  const std::size_t slot_bytes = w.message_exchange().payload_bytes();
  if (packet_bytes > slot_bytes) {
    const std::string what = options.is_elastic ? "an elastic item's part of 9 bytes"
                                                : "an item of " + std::to_string(options.item_bytes) + " bytes";
    throw setup_error(what + ", " + std::to_string(packet_bytes) + " with its tag, does not fit into a slot of " +
                      std::to_string(slot_bytes) + " bytes; " +
                      (options.kind->has_boxes ? "set SHOAL_SLOT_BYTES=" : "give --capacity=") +
                      std::to_string(packet_bytes) + " or more");
  }
  const std::size_t n_conveyors = 1 + std::size_t{options.kind->answers_queries} +
                                  std::size_t{options.what == traffic::index_gather || options.is_steady_test};
  const std::size_t n_hops = static_cast<std::size_t>(way.n_hops()) * n_conveyors;
  if (w.backend().n_slots() < n_hops) {
    constexpr const char* times[] = {"", "", " twice", " with two more conveyors"};
    throw setup_error("flavour " + options.kind->name + times[n_conveyors] + " needs " + std::to_string(n_hops) +
                      " slots, one for each hop, and this PE has " + std::to_string(w.backend().n_slots()) +
                      "; give --buffers=" + std::to_string(n_hops) + " or more");
  }
  const std::uint64_t n_pooled =
      std::min(options.n_words * 8 / options.item_bytes + 1, options.load * static_cast<std::uint64_t>(w.n_pes()));
  constexpr std::uint64_t target_and_entry_bytes = 12;
  kernels::require_memory(w, "--words", n_pooled * (options.item_bytes + target_and_entry_bytes));
  const auto n_pes = static_cast<std::uint64_t>(w.n_pes());
  if (options.kind->has_boxes) {
    const std::uint64_t n_boxes = 2 * n_pes * (options.what == traffic::index_gather ? 2 : 1);
    kernels::require_memory(w, "--capacity", n_boxes * options.capacity_items * options.item_bytes);
  }
  // One item from each PE on its way here, and one leaving.
  if (options.is_elastic) kernels::require_memory(w, "ITEM_BYTES", (n_pes + 1) * options.item_bytes);
}

}  // namespace

void check_fit(world& w, const bench_options& options) {
  std::string misfit;
  if (w.my_pe() == 0) {
    try {
      judge_fit(w, options);
    } catch (const setup_error& e) {
      misfit = e.what();
    }
  }
  misfit = told_by(w, misfit, 0);
  if (!misfit.empty()) throw setup_error(misfit);
}

}  // namespace shoal::cli
