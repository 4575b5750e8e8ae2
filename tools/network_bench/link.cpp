#include "tools/network_bench/link.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <memory>
#include <ostream>

#include "shoal/actor/internal/resolve.hpp"
#include "shoal/actor/internal/settings_table.hpp"
#include "shoal/actor/world.hpp"
#include "shoal/base/setup_error.hpp"
#include "shoal/base/version.hpp"
#include "shoal/substrate/internal/launcher.hpp"
#include "shoal/substrate/internal/link_probe.hpp"
#include "shoal/substrate/internal/process_pe.hpp"
#include "shoal/substrate/internal/run.hpp"
#include "shoal/substrate/internal/substrate.hpp"
#include "shoal/substrate/substrate_kind.hpp"
#include "tools/cli/columns.hpp"
#include "tools/cli/json.hpp"
#include "tools/cli/output.hpp"
#include "tools/network_bench/items.hpp"

namespace shoal::cli {

using namespace internal;
namespace {

constexpr int n_blocks = 25;

// Of each size both a round trip and a stream.
const std::vector<std::size_t> payloads = {16, 64, 256, 1024, 4096, 16384, 32768, 65536, 262144};

struct link_facts {
  std::string substrate;
  pe_id n_pes = 0;
  bool is_within_node = false;
  std::array<std::string, 2> hosts;
  link_measurement measured;
  item_measurement items;
};

constexpr std::size_t host_bytes = 64;
static_assert(host_bytes <= round_bytes_max);

std::array<char, host_bytes> host_here() {
  std::array<char, host_bytes> name{};
  ::gethostname(name.data(), name.size() - 1);
  return name;
}

// Collective.
std::array<std::string, 2> hosts_of_ends(substrate& machine) {
  const std::array<char, host_bytes> mine = host_here();
  machine.arrive(std::as_bytes(std::span(mine)), nullptr);
  for (unsigned patience = 0; !machine.is_round_complete();) machine.wait(patience);
  const auto host_of = [&](pe_id pe) {
    return std::string(reinterpret_cast<const char*>(machine.round_contribution(pe)));
  };
  return {host_of(0), host_of(machine.n_pes() - 1)};
}

// The simulator and networks make nodes as SHOAL_NODE_SIZE says; on one machine, everything is within a node.
bool is_within_node(const substrate& machine, const settings& chosen) {
  if (!is_network(machine.kind()) && !is_simulated(machine.kind())) return true;
  const auto nodes = machine.nodes();
  if (!nodes.empty()) return nodes.front() == nodes.back();
  return chosen.node_size.value == 0 || chosen.node_size.value >= machine.n_pes();
}

std::string with_error(const measured_value& value, int n_decimals) {
  return fixed(value.median, n_decimals) + " +- " + fixed(value.error, n_decimals);
}

void print_table(std::ostream& out, const link_facts& facts) {
  out << "Link of PE 0 on " << printable(facts.hosts[0]) << " with PE " << facts.n_pes - 1 << " on "
      << printable(facts.hosts[1]) << ", substrate " << facts.substrate
      << (facts.is_within_node ? ", within a node" : ", between nodes") << "\n\n";
  std::vector<row> rows = {{"payload, bytes", "one way, us", "in a stream, us", "MB/s"}};
  for (const link_point& point : facts.measured.points) {
    const double rate = static_cast<double>(point.payload_bytes) / point.stream_ns.median * 1000;
    rows.push_back({std::to_string(point.payload_bytes), fixed(point.one_way_ns.median / 1000, 2),
                    fixed(point.stream_ns.median / 1000, 2), fixed(rate, 1)});
  }
  print_aligned(out, rows);
  const link_measurement& m = facts.measured;
  out << "\nLogGP, each with half of its 90 % interval\n"
      << "  latency L        " << with_error(m.latency_ns, 0) << " ns\n"
      << "  overhead o       " << with_error(m.overhead_ns, 0) << " ns of a buffer, at each end\n"
      << "  and per byte O   " << with_error(m.overhead_ns_per_byte, 4) << " ns, at each end\n"
      << "  gap g            " << with_error(m.gap_ns, 0) << " ns between buffers\n"
      << "  gap per byte G   " << with_error(m.ns_per_byte, 4) << " ns\n"
      << "\nWork of PE 0 for an 8-byte item, besides its buffer\n"
      << "  push             " << with_error(facts.items.push_ns, 2) << " ns\n"
      << "  relay            " << with_error(facts.items.relay_ns, 2) << " ns\n"
      << "  handling         " << with_error(facts.items.handling_ns, 2) << " ns\n";
}

void print_json(std::ostream& out, const link_facts& facts) {
  const auto value = [](const measured_value& of) {
    return R"({"median": )" + json_number(of.median) + R"(, "error": )" + json_number(of.error) + "}";
  };
  const link_measurement& m = facts.measured;
  out << R"({"substrate": )" << json_string(facts.substrate) << R"(, "pes": )" << facts.n_pes << R"(, "link": )"
      << (facts.is_within_node ? R"("node")" : R"("network")") << R"(, "hosts": [)" << json_string(facts.hosts[0])
      << ", " << json_string(facts.hosts[1]) << R"(], "latency_ns": )" << value(m.latency_ns) << R"(, "overhead_ns": )"
      << value(m.overhead_ns) << R"(, "gap_ns": )" << value(m.gap_ns) << R"(, "ns_per_byte": )" << value(m.ns_per_byte)
      << R"(, "overhead_ns_per_byte": )" << value(m.overhead_ns_per_byte) << R"(, "push_ns": )"
      << value(facts.items.push_ns) << R"(, "relay_ns": )" << value(facts.items.relay_ns) << R"(, "handling_ns": )"
      << value(facts.items.handling_ns) << R"(, "points": [)";
  const char* separator = "";
  for (const link_point& point : m.points) {
    out << separator << R"({"bytes": )" << point.payload_bytes << R"(, "one_way_ns": )" << value(point.one_way_ns)
        << R"(, "stream_ns": )" << value(point.stream_ns) << '}';
    separator = ", ";
  }
  out << R"(], "version": )" << json_string(version()) << "}\n";
}

void require_two(pe_id n_pes) {
  if (n_pes < 2) throw setup_error("link needs two PEs or more; give --pes 2, or start more processes");
}

// Collective. A world takes slots for itself, so the link is measured before there is one.
int run_here(substrate& machine, const settings& chosen, const link_request& request) {
  require_two(machine.n_pes());
  link_probe_options options;
  options.far = machine.n_pes() - 1;
  options.n_blocks = n_blocks;
  for (const std::size_t bytes : payloads) {
    if (bytes < machine.payload_bytes()) options.payloads.push_back(bytes);
  }
  options.payloads.push_back(machine.payload_bytes());
  const double n_measurements = 2.0 * n_blocks * static_cast<double>(options.payloads.size());
  options.block_ns = static_cast<std::uint64_t>(request.seconds * 1e9 / n_measurements);
  link_facts facts{.substrate = std::string(machine.name()),
                   .n_pes = machine.n_pes(),
                   .is_within_node = is_within_node(machine, chosen),
                   .hosts = hosts_of_ends(machine),
                   .measured = {},
                   .items = {}};
  facts.measured = measure_link(machine, options);
  {
    world w(machine, chosen);
    w.begin();
    facts.items = measure_items(w, n_blocks);
    w.end();
  }
  if (machine.my_pe() != 0) return 0;
  print_report(
      request.json, [&](std::ostream& out) { print_table(out, facts); },
      [&](std::ostream& out) { print_json(out, facts); });
  return 0;
}

}  // namespace

int run_link(link_request request, const std::vector<std::string>& arguments) {
  check_output(request.json);
  const settings given = settings_from_environment();
  const bool is_started = given.job_fd.value >= 0 || launched_pes_from_environment() > 0;
  if (request.where.pes.empty() && !is_started && given.n_pes.origin != "SHOAL_PES") request.where.pes = "2";
  placement where = place(request.where);
  if (where.must_launch) {
    require_two(where.chosen.n_pes.value);
    return launch_again(where, arguments);
  }
  if (!has_process_pes(where.chosen)) {
    require_two(where.chosen.n_pes.value);
    const settings& chosen = where.chosen;
    return run_on_substrate(where.chosen, resolve,
                            [&](substrate& machine) { return run_here(machine, chosen, request); });
  }
  const std::unique_ptr<process_pe> here = start_process(where.chosen, resolve);
  const int status = run_here(here->backend(), where.chosen, request);
  here->close();
  return status;
}

}  // namespace shoal::cli
