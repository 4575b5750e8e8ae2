#include "tools/cli/conveyor_bench_options.hpp"

#include <CLI/CLI.hpp>
#include <charconv>

#include "shoal/base/settings.hpp"
#include "shoal/base/setup_error.hpp"
#include "tools/cli/mpi_launcher.hpp"
#include "tools/cli/placement.hpp"
#include "tools/cli/suggest.hpp"

namespace shoal::cli {
namespace {

constexpr std::int64_t load_max = 1'000'000'000;
constexpr std::int64_t item_bytes_max = 64 << 20;  // a slot holds no more

std::vector<std::string> flavour_names() {
  std::vector<std::string> names;
  for (const flavour& f : all_flavours()) names.push_back(f.name);
  return names;
}

double parse_fraction(const std::string& text, const std::string& what) {
  double value = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc{} && end == text.data() + text.size() && value >= 0 && value <= 1) return value;
  throw setup_error(what + "=" + text + " is not a number from 0 to 1");
}

std::uint64_t parse_count(const std::string& text, const std::string& what, std::int64_t low, std::int64_t high) {
  return static_cast<std::uint64_t>(parse_integer(text, what, low, high));
}

// Items in a box of so many bytes.
std::size_t parse_boxes(const std::string& text, std::size_t item_bytes) {
  constexpr std::size_t box_bytes_max = 1 << 30;
  const std::size_t bytes = parse_bytes(text, "--capacity");
  if (bytes >= item_bytes && bytes <= box_bytes_max) return bytes / item_bytes;
  throw setup_error("--capacity=" + text + " is out of range for items of " + std::to_string(item_bytes) +
                    " bytes; give " + std::to_string(item_bytes) + " to 1G");
}

void parse_codec(const std::string& text, bench_request& request) {
  const std::size_t colon = text.find(':');
  request.codec = text.substr(0, colon);
  const std::vector<std::string> known = {"none", "best", "squeeze", "delta", "zstd"};
  if (std::ranges::count(known, request.codec) == 0) {
    throw setup_error("--codec: unknown codec '" + request.codec + "'" + suggestion(request.codec, known));
  }
  if (colon == text.npos) return;
  constexpr double ns_per_byte_max = 1e6;
  double value = -1;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + colon + 1, end, value);
  if (error != std::errc{} || stop != end || !(value >= 0 && value <= ns_per_byte_max)) {
    throw setup_error("--codec=" + text + ": '" + text.substr(colon + 1) +
                      "' is not a number of ns from 0 to 1000000; give for instance --codec=" + request.codec + ":0.1");
  }
  request.ns_per_byte = value;
}

}  // namespace

struct conveyor_bench_parser::words {
  std::string flavour, load, item_bytes = "8";
  std::string reject, entropy, seed, words, warmup, iterations;
  std::string pes, substrate, mpi, capacity, buffers, local_group, codec, json, misfit_status;
  bool is_dynamic = false, is_quiet = false, is_verbose = false, lists_settings = false, lists_hosts = false;
  bool is_untyped = false, has_random_size = false, is_elastic = false;
  bool is_steady = false, is_steady_test = false;
  bool checks_alignment = false, is_point_to_point = false, is_histogram = false, is_index_gather = false;
};

conveyor_bench_parser::~conveyor_bench_parser() = default;

conveyor_bench_parser::conveyor_bench_parser(CLI::App& app) : given_(std::make_unique<words>()) {
  command_ =
      app.add_subcommand(conveyor_bench_verb, "Verify and measure conveyors: every PE pushes items to random PEs");
  std::string footer = "Flavours:\n";
  for (const flavour& f : all_flavours()) {
    footer += "  " + f.name + std::string(13 - f.name.size(), ' ') + f.summary + "\n";
  }
  command_->footer(footer +
                   "\n`shoal conveyor-bench [options] --` reads a command line from each line of the standard "
                   "input, and puts these options before it. Of an option given twice, the last counts.");
  command_->allow_extras();
  command_->option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  command_->add_option("flavour", given_->flavour, joined(flavour_names()))->type_name("FLAVOUR");
  command_->add_option("load", given_->load, "items that a PE pushes for each PE, on average")->type_name("LOAD");
  command_->add_option("item_bytes", given_->item_bytes, "bytes of an item (default: 8)")->type_name("ITEM_BYTES");
  add_traffic_options();
  add_job_options();
  add_report_options();
}

void conveyor_bench_parser::add_traffic_options() {
  words& g = *given_;
  command_->add_flag("--histogram", g.is_histogram, "items count entries of a table instead");
  command_->add_flag("-g,--index-gather", g.is_index_gather, "items are queries, which replies answer");
  command_->add_flag(
      "--untyped", g.is_untyped,
      "let the session choose the item size, although there is a type of " + typed_sizes_text() + " bytes");
  command_->add_flag("-R,--random-size", g.has_random_size, "another item size in each run, up to ITEM_BYTES; untyped");
  command_->add_flag("-e,--elastic", g.is_elastic,
                     "elastic conveyors: items of random sizes up to ITEM_BYTES, larger than a slot or not");
  command_->add_flag("-p,--steady", g.is_steady, "steady conveyors: progress without anybody being done");
  command_->add_flag("-y,--steady-test", g.is_steady_test,
                     "nobody is done before all items have arrived everywhere; implies --steady");
  command_->add_flag("-d,--dynamic", g.is_dynamic, "construct the conveyors anew for each run, within its time");
  command_->add_option("-r,--reject", g.reject, "share of the pulled items to put back and pull again")
      ->type_name("FRACTION");
  command_->add_flag("-M,--alignment", g.checks_alignment, "check the alignment of pulled items, too");
  command_->add_flag("-P,--point-to-point", g.is_point_to_point, "print counts and sums for each pair of PEs");
  command_->add_option("-z,--entropy", g.entropy, "bits of an item that vary (default: as many as it has)")
      ->type_name("BITS");
  command_->add_option("-s,--seed", g.seed, "of targets and contents (default: 1)")->type_name("N");
  command_
      ->add_option("-m,--words", g.words,
                   "words of 8 bytes in the items that timed runs push in turn (default: "
                   "100000)")
      ->type_name("N");
  command_->add_option("-w,--warmup", g.warmup, "runs that verify, before those that are timed (default: 1)")
      ->type_name("N");
  command_->add_option("-n,--iterations", g.iterations, "timed runs (default: 5)")->type_name("N");
}

void conveyor_bench_parser::add_job_options() {
  words& g = *given_;
  command_->add_option("--pes", g.pes, "number of PEs (default: one per core)")->type_name("N");
  command_
      ->add_option("--substrate", g.substrate,
                   std::string("one of ") + substrate_names + " (default: local; mpi under mpirun)")
      ->type_name("NAME");
  command_
      ->add_option("--mpi", g.mpi,
                   "whose mpirun starts the PEs of mpi and mpi-rma: openmpi or mpich (default: openmpi if it is there)")
      ->type_name("NAME");
  command_
      ->add_option("-c,--capacity", g.capacity,
                   "bytes of a slot, as SHOAL_SLOT_BYTES; simple, twohop, exstack: bytes of items to each PE "
                   "(default: 1024 items)")
      ->type_name("BYTES");
  command_->add_option("-b,--buffers", g.buffers, "slots of a PE, as SHOAL_SLOTS")->type_name("N");
  command_->add_option("-t,--local-group", g.local_group, "PEs of a node, as SHOAL_NODE_SIZE")->type_name("N");
  command_
      ->add_option(
          "--codec", g.codec,
          "none, squeeze, delta, zstd or best (of the three), for buffers to other nodes (see --local-group), as "
          "SHOAL_CODEC; with what a byte to them costs, as SHOAL_NS_PER_BYTE: where that is 0, as "
          "it is by default on local and threads, encoding never pays")
      ->type_name("NAME[:NS_PER_BYTE]");
}

void conveyor_bench_parser::add_report_options() {
  words& g = *given_;
  command_->add_option("--json", g.json, "write one JSON object to a file, or - for the standard output")
      ->type_name("FILE");
  command_->add_flag("-q,--quiet", g.is_quiet, "print the table only if something was wrong");
  command_->add_flag("-v,--verbose", g.is_verbose, "a line for each run on the standard error stream");
  command_->add_flag("-C,--config", g.lists_settings, "print all settings of the job, and where each comes from");
  command_->add_flag("-H,--hosts", g.lists_hosts, "print which PEs are on which host");
  command_
      ->add_option("-f,--misfit-status", g.misfit_status,
                   "exit status if such conveyors cannot be made, as slots are too small or too few (default: 2)")
      ->type_name("STATUS");
}

bool conveyor_bench_parser::is_parsed() const { return command_->parsed(); }

void conveyor_bench_parser::parse_positionals(bench_request& request) const {
  const words& g = *given_;
  if (g.flavour.empty()) throw setup_error("which flavour? choose one: " + joined(flavour_names()));
  const auto kind = std::ranges::find(all_flavours(), g.flavour, &flavour::name);
  if (kind == all_flavours().end()) {
    throw setup_error("unknown flavour '" + g.flavour + "'" + suggestion(g.flavour, flavour_names()));
  }
  request.kind = &*kind;
  if (g.load.empty()) {
    throw setup_error("how many items? give the load, the pushes of a PE for each PE: shoal conveyor-bench " +
                      g.flavour + " 100000");
  }
  request.load = parse_count(g.load, "load", 0, load_max);
  request.item_bytes = static_cast<std::size_t>(parse_integer(g.item_bytes, "ITEM_BYTES", 1, item_bytes_max));
}

bench_request conveyor_bench_parser::request(bool reads_lines) const {
  const words& g = *given_;
  refuse_extras();
  bench_request request;
  request.where.pes = g.pes;
  request.json = g.json;
  request.reads_lines = reads_lines;
  if (reads_lines) return request;  // each line is judged with what stands before it

  parse_positionals(request);
  if (g.is_histogram) request.what = traffic::histogram;
  if (g.is_index_gather) request.what = traffic::index_gather;
  request.is_dynamic = g.is_dynamic;
  request.is_quiet = g.is_quiet;
  request.is_verbose = g.is_verbose;
  request.lists_settings = g.lists_settings;
  request.lists_hosts = g.lists_hosts;
  request.is_untyped = g.is_untyped;
  request.has_random_size = g.has_random_size;
  request.is_elastic = g.is_elastic;
  request.is_steady = g.is_steady || g.is_steady_test;
  request.is_steady_test = g.is_steady_test;
  request.checks_alignment = g.checks_alignment;
  request.is_point_to_point = g.is_point_to_point;
  check_flavour(request);
  check_combination(request);

  if (!g.reject.empty()) request.reject = parse_fraction(g.reject, "--reject");
  if (!g.entropy.empty()) {
    request.entropy_bits = parse_count(g.entropy, "--entropy", 0, static_cast<std::int64_t>(8 * request.item_bytes));
  }
  if (!g.seed.empty()) request.seed = parse_count(g.seed, "--seed", 0, INT64_MAX);
  if (!g.words.empty()) request.n_words = parse_count(g.words, "--words", 1, 1 << 30);
  if (!g.warmup.empty()) request.n_warmups = static_cast<int>(parse_integer(g.warmup, "--warmup", 1, 1'000'000));
  if (!g.iterations.empty()) {
    request.n_iterations = static_cast<int>(parse_integer(g.iterations, "--iterations", 1, 1'000'000));
  }
  if (!g.misfit_status.empty()) {
    request.misfit_status = static_cast<int>(parse_integer(g.misfit_status, "--misfit-status", 0, 255));
  }
  if (!g.substrate.empty()) request.where.substrate = parse_substrate(g.substrate);
  if (!g.mpi.empty()) request.where.mpi = parse_mpi(g.mpi);
  request.capacity = g.capacity;
  if (request.kind->has_boxes && !g.capacity.empty()) {
    request.capacity_items = parse_boxes(g.capacity, request.item_bytes);
  }
  if (!g.codec.empty()) parse_codec(g.codec, request);
  request.buffers = g.buffers;
  request.local_group = g.local_group;
  return request;
}

}  // namespace shoal::cli
