/// `shoal conveyor-bench FLAVOUR LOAD [ITEM_BYTES]`: every PE pushes items to random PEs. Verifies that each arrives
/// once and in push order, then measures, beside a plain copy of the same items.
///
/// The command                   conveyor_bench_options.cpp, conveyor_bench_checks.cpp, conveyor_bench.cpp,
///                               conveyor_bench_report.cpp
/// Warm-ups and timed runs       conveyor_bench_measure.cpp
/// Which PE is on which host     conveyor_bench_hosts.cpp
/// What is run                   conveyor_bench_workload.hpp; conveyor_bench_all_to_all.hpp,
///                               conveyor_bench_queries.hpp and conveyor_bench_applications.hpp
/// Kinds of conveyors            conveyor_bench_flavours.cpp has the table; conveyor_bench_streams.hpp,
///                               conveyor_bench_kinds.hpp and conveyor_bench_elastic.hpp make them alike
/// What an item's bytes must be  conveyor_bench_items.hpp
#pragma once

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shoal/actor/world.hpp"
#include "tools/cli/placement.hpp"

namespace shoal::cli {

class workload;
struct bench_request;

/// A kind of conveyor. Another kind joins by an entry in the table of conveyor_bench_flavours.cpp.
struct flavour {
  std::string name;
  std::string summary;
  int n_hops;  // 0: as the job's settings say
  /// Collective: constructs the conveyors and the traffic for them.
  std::unique_ptr<workload> (*make)(world&, const bench_request&);

  bool is_typed_only = false;  // its items have types that the compiler knows, unless they are elastic
  bool can_be_elastic = false;  // there is one with items of any sizes, too
  bool has_boxes = false;  // room for a fixed number of items to each PE; --capacity is its bytes
  bool answers_queries = false;  // it has a conveyor for queries and one for their replies
};

std::span<const flavour> all_flavours();

enum class traffic : std::uint8_t { all_to_all, histogram, index_gather };
std::string_view name_of(traffic kind);
/// Items of fewer bytes have no room for what this traffic says.
std::size_t item_bytes_min(traffic kind);

struct bench_request {
  const flavour* kind = nullptr;
  traffic what = traffic::all_to_all;
  std::uint64_t load = 0;  // pushes of a PE for each PE, on average
  std::size_t item_bytes = 8;
  bool is_untyped = false;  // byte_conveyor, also where conveyor<T> has this size
  bool has_random_size = false;  // in each run another one, up to item_bytes
  bool is_elastic = false;  // items of different sizes in one run, up to item_bytes

  bool is_steady = false;
  bool is_steady_test = false;  // nobody is done before all items are acknowledged
  double reject = 0;  // this share of the pulled items is put back and pulled again
  bool checks_alignment = false;
  bool is_point_to_point = false;  // print the counts and sums of all pairs
  std::optional<std::uint64_t> entropy_bits;  // of an item that vary; without: as many as there are

  std::uint64_t seed = 1;
  std::uint64_t n_words = 100'000;  // of 8 bytes, in the items that timed runs push in turn
  int n_warmups = 1;  // verified byte by byte, not timed
  int n_iterations = 5;

  bool is_dynamic = false;  // conveyors of its own for each run
  std::optional<int> misfit_status;  // of the job, when its conveyors cannot be made; without: as any mistake
  bool is_quiet = false;  // no report unless something was wrong
  bool is_verbose = false;  // a line for each run
  bool lists_settings = false;
  bool lists_hosts = false;

  placement_request where;  // as in run_request
  std::string json;
  std::string capacity;  // settings of the job; empty: decide
  std::string buffers;
  std::string local_group;
  std::string codec;
  std::optional<double> ns_per_byte;
  std::size_t capacity_items = 1024;  // of flavours with boxes, to each PE
  bool reads_lines = false;  // the others come from the standard input, one command line each
};

/// Whether the items have a type that the compiler knows.
bool is_typed(const bench_request& request);
/// Sizes of items for which there is a type.
std::span<const std::size_t> typed_sizes();

struct timed_run {
  double item_bytes = 0;  // on average
  double seconds = 0;  // on `sim` virtual ones
  double memcpy_seconds = 0;  // of a plain copy of as many items; 0 on `sim`
};

/// What the timed runs sent from PE to PE, all together.
struct transfer_counts {
  std::uint64_t n_buffers = 0;
  std::uint64_t n_bytes = 0;  // as sent
  std::uint64_t n_encoded = 0;  // of the buffers
  std::uint64_t n_spared = 0;  // bytes that encoding saved

  void add(const transfer_counts& more) noexcept;
  transfer_counts since(const transfer_counts& before) const noexcept;
};

struct bench_result {
  std::string substrate;
  pe_id n_pes = 0;
  pe_id node_size = 0;
  std::size_t slot_bytes = 0;
  std::size_t n_slots = 0;
  int n_hops = 0;
  std::size_t n_links = 0;  // of the PE that has most, in all hops
  double items_per_pe = 0;  // in one run; replies count, too
  std::vector<timed_run> runs;
  std::string codec;  // of buffers to other nodes; empty: there are none, or they are not encoded
  double ns_per_byte = 0;  // what a byte to another node costs
  transfer_counts sent;
  std::optional<double> handoff_ns;
  std::string fault;  // empty: verified
  std::string verified;  // what was
  std::string pairs;  // text of --point-to-point
  std::string settings;  // text of --config
  std::vector<std::string> hosts;  // of --hosts, by PE
};

/// Collective. Only PE 0's result is complete, but `fault` is empty everywhere or nowhere. Throws setup_error.
bench_result measure_conveyor(world& w, const bench_request& request);

/// Collective. The name of each PE's host.
std::vector<std::string> gather_hosts(world& w);

/// A line for each host: its name and PEs.
std::string hosts_text(const std::vector<std::string>& hosts);

void print_bench_table(std::ostream& out, const bench_request& request, const bench_result& result);
/// One JSON object on a line of its own.
void print_bench_json(std::ostream& out, const bench_request& request, const bench_result& result);

}  // namespace shoal::cli
