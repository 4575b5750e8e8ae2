#include "tools/conveyor_bench/options.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "shoal/base/parse.hpp"
#include "shoal/base/setup_error.hpp"
#include "tools/cli/mpi_launcher.hpp"
#include "tools/cli/suggest.hpp"

namespace shoal::cli {

using namespace internal;
namespace {

constexpr std::int64_t item_bytes_max = 64 << 20;  // a slot holds no more

// The name for messages: --seed for "-s,--seed".
std::string long_name(const std::string& names) { return names.substr(names.rfind(',') + 1); }

bench_option flag(std::string names, const std::function<void()>& set, std::string help) {
  return {std::move(names), "", [set](const std::string&) { set(); }, std::move(help), bench_option::shape::flag};
}

bench_option flag(std::string names, bool& value, std::string help) {
  return flag(std::move(names), [&value] { value = true; }, std::move(help));
}

template <class T>
bench_option number(const std::string& names, std::optional<T>& value, std::int64_t low, std::int64_t high,
                    std::string help, std::string value_name = "N") {
  auto set = [&value, name = long_name(names), low, high](const std::string& text) {
    value = static_cast<T>(parse_integer(text, name, low, high));
  };
  return {names, std::move(value_name), set, std::move(help)};
}

// The help of an option with a default ends with the default.
bench_option number(const std::string& names, std::uint64_t& value, std::int64_t low, std::int64_t high,
                    const std::string& help) {
  auto set = [&value, name = long_name(names), low, high](const std::string& text) {
    value = static_cast<std::uint64_t>(parse_integer(text, name, low, high));
  };
  return {names, "N", set, help + " (default: " + std::to_string(value) + ")"};
}

bench_option text(const std::string& names, const std::string& value_name, std::string& value, std::string help) {
  return {names, value_name, [&value](const std::string& given) { value = given; }, std::move(help)};
}

// --- Options whose values have rules of their own

void set_flavour(bench_options& o, const std::string& text) {
  if (text.empty()) throw setup_error("which flavour? choose one: " + joined(flavour_names()));
  const auto kind = std::ranges::find(all_flavours(), text, &flavour::name);
  if (kind == all_flavours().end()) {
    throw setup_error("unknown flavour '" + text + "'" + suggestion(text, flavour_names()));
  }
  o.kind = &*kind;
}

void set_load(bench_options& o, const std::string& text) {
  if (text.empty()) {
    throw setup_error("how many items? give the load, the pushes of a PE for each PE: shoal conveyor-bench " +
                      o.kind->name + " 100000");
  }
  o.load = static_cast<std::uint64_t>(parse_integer(text, "load", 0, 1'000'000'000));
}

void set_item_bytes(bench_options& o, const std::string& text) {
  if (!text.empty()) o.item_bytes = static_cast<std::size_t>(parse_integer(text, "ITEM_BYTES", 1, item_bytes_max));
}

void set_reject(bench_options& o, const std::string& text) {
  double value = -1;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end || !(value >= 0 && value <= 1)) {
    throw setup_error("--reject=" + text + " is not a number from 0 to 1");
  }
  o.reject = value;
}

void set_substrate(bench_options& o, const std::string& text) { o.where.substrate = parse_substrate(text); }

void set_mpi(bench_options& o, const std::string& text) { o.where.mpi = parse_mpi(text); }

// Bytes of a slot, or of a box, which holds whole items.
void set_capacity(bench_options& o, const std::string& text) {
  const std::size_t bytes = parse_bytes(text, "--capacity");
  if (!o.kind->has_boxes) {
    o.slot_bytes = bytes;
    return;
  }
  constexpr std::size_t box_bytes_max = 1 << 30;
  if (bytes < o.item_bytes || bytes > box_bytes_max) {
    throw setup_error("--capacity=" + text + " is out of range for items of " + std::to_string(o.item_bytes) +
                      " bytes; give " + std::to_string(o.item_bytes) + " to 1G");
  }
  o.capacity_items = bytes / o.item_bytes;
}

// NAME, or NAME:NS_PER_BYTE.
void set_codec(bench_options& o, const std::string& text) {
  const std::size_t colon = text.find(':');
  const std::string name = text.substr(0, colon);
  const codec_entry* const found = find_named(known_codecs, name);
  if (found == nullptr) {
    std::vector<std::string> known;
    for (const codec_entry& codec : known_codecs) known.emplace_back(codec.name);
    throw setup_error("--codec: unknown codec '" + name + "'" + suggestion(name, known));
  }
  o.codec = found->id;
  if (colon == text.npos) return;
  constexpr double ns_per_byte_max = 1e6;
  double value = -1;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + colon + 1, end, value);
  if (error != std::errc{} || stop != end || !(value >= 0 && value <= ns_per_byte_max)) {
    throw setup_error("--codec=" + text + ": '" + text.substr(colon + 1) +
                      "' is not a number of ns from 0 to 1000000; give for instance --codec=" + name + ":0.1");
  }
  o.ns_per_byte = value;
}

bench_option judged_by(void (*set)(bench_options&, const std::string&), bench_options& o, std::string names,
                       std::string value_name, std::string help,
                       bench_option::shape shape = bench_option::shape::value) {
  return {std::move(names), std::move(value_name), [set, &o](const std::string& text) { set(o, text); },
          std::move(help), shape};
}

}  // namespace

std::vector<bench_option> table_of(bench_options& o) {
  constexpr auto positional = bench_option::shape::positional;
  const auto entropy_max = static_cast<std::int64_t>(8 * o.item_bytes);
  return {
      judged_by(set_flavour, o, "flavour", "FLAVOUR", joined(flavour_names()), positional),
      judged_by(set_load, o, "load", "LOAD", "items that a PE pushes for each PE, on average", positional),
      judged_by(set_item_bytes, o, "item_bytes", "ITEM_BYTES",
                "bytes of an item (default: " + std::to_string(o.item_bytes) + ")", positional),

      flag(
          "--histogram", [&o] { o.what = traffic::histogram; }, "items count entries of a table instead"),
      flag(
          "-g,--index-gather", [&o] { o.what = traffic::index_gather; }, "items are queries, which replies answer"),
      flag("--untyped", o.is_untyped,
           "let the session choose the item size, even if there is a type of " + typed_sizes_text() + " bytes"),
      flag("-R,--random-size", o.has_random_size, "another item size in each run, up to ITEM_BYTES; untyped"),
      flag("-e,--elastic", o.is_elastic,
           "elastic conveyors: items of random sizes up to ITEM_BYTES, larger than a slot or not"),
      flag("-p,--steady", o.is_steady, "steady conveyors: deliver items before any PE is done"),
      flag(
          "-y,--steady-test", [&o] { o.is_steady = o.is_steady_test = true; },
          "no PE is done before all items have arrived everywhere; implies --steady"),
      flag("-d,--dynamic", o.is_dynamic, "construct the conveyors anew for each run, within its time"),
      judged_by(set_reject, o, "-r,--reject", "FRACTION", "share of the pulled items to put back and pull again"),
      flag("-M,--alignment", o.checks_alignment, "check the alignment of pulled items, too"),
      flag("-P,--point-to-point", o.is_point_to_point, "print counts and sums for each pair of PEs"),
      number("-z,--entropy", o.entropy_bits, 0, entropy_max, "bits of an item that vary (default: as many as it has)",
             "BITS"),
      number("-s,--seed", o.seed, 0, INT64_MAX, "seed of targets and contents"),
      number("-m,--words", o.n_words, 1, 1 << 30, "words of 8 bytes in the items that timed runs push in turn"),
      number("-w,--warmup", o.n_warmups, 1, 1'000'000, "runs that verify, before those that are timed"),
      number("-n,--iterations", o.n_iterations, 1, 1'000'000, "timed runs"),

      text("--pes", "N", o.where.pes, "number of PEs (default: one per core)"),
      judged_by(set_substrate, o, "--substrate", "NAME",
                "one of " + substrate_names() + " (default: local; mpi under mpirun)"),
      judged_by(set_mpi, o, "--mpi", "NAME",
                "whose mpirun starts the PEs of mpi and mpi-rma: openmpi or mpich (default: openmpi if it is there)"),
      judged_by(set_capacity, o, "-c,--capacity", "BYTES",
                "bytes of a slot, as SHOAL_SLOT_BYTES; simple, twohop, exstack: bytes of items to each PE (default: " +
                    std::to_string(o.capacity_items) + " items)"),
      number("-b,--buffers", o.n_slots, 2, 1 << 20, "slots of a PE, as SHOAL_SLOTS"),
      number("-t,--local-group", o.node_size, 1, 1'000'000, "PEs of a node, as SHOAL_NODE_SIZE"),
      judged_by(set_codec, o, "--codec", "NAME[:NS_PER_BYTE]",
                "none, squeeze, delta, zstd or best (of the three), for buffers to other nodes (see --local-group), as "
                "SHOAL_CODEC; NS_PER_BYTE: what a byte to them costs, as SHOAL_NS_PER_BYTE; if it is 0, the default "
                "on local and threads, encoding never pays"),

      text("--json", "FILE", o.json, "write one JSON object to a file, or - for the standard output"),
      flag("-q,--quiet", o.is_quiet, "print the table only if something was wrong"),
      flag("-v,--verbose", o.is_verbose, "a line for each run on the standard error stream"),
      flag("-C,--config", o.lists_settings, "print all settings of the job, and where each comes from"),
      flag("-H,--hosts", o.lists_hosts, "print which PEs are on which host"),
      number("-f,--misfit-status", o.misfit_status, 0, 255,
             "exit status if slots are too small or too few for these conveyors (default: 2)", "STATUS"),
  };
}

bool is_typed(const bench_options& options) {
  return !options.is_untyped && !options.has_random_size && !options.is_elastic &&
         std::ranges::count(typed_sizes(), options.item_bytes) != 0;
}

}  // namespace shoal::cli
