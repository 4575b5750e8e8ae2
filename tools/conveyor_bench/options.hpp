/// All options of `shoal conveyor-bench` and their defaults. `table_of` in options.cpp has their names, limits and
/// help.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "shoal/codec/internal/known_codecs.hpp"
#include "tools/cli/placement.hpp"
#include "tools/conveyor_bench/flavours.hpp"

namespace shoal::cli {

struct bench_options {
  // What is pushed
  const flavour* kind = nullptr;
  traffic what = traffic::all_to_all;
  std::uint64_t load = 0;
  std::size_t item_bytes = 8;
  bool is_untyped = false;  // byte_conveyor, even if conveyor<T> has this size
  bool has_random_size = false;
  bool is_elastic = false;
  bool is_steady = false;
  bool is_steady_test = false;  // implies is_steady
  bool is_dynamic = false;
  double reject = 0;
  bool checks_alignment = false;
  bool is_point_to_point = false;
  std::optional<std::uint64_t> entropy_bits;
  std::uint64_t seed = 1;
  std::uint64_t n_words = 100'000;
  std::uint64_t n_warmups = 1;  // verified byte by byte, not timed
  std::uint64_t n_iterations = 5;

  // The job
  placement_request where;
  std::optional<std::size_t> slot_bytes;  // settings of the job: those of the environment unless given
  std::optional<std::size_t> n_slots;
  std::optional<std::int64_t> node_size;
  std::optional<codec_number> codec;
  std::optional<double> ns_per_byte;
  std::size_t capacity_items = 1024;  // to each PE, of flavours with boxes

  // The report
  std::string json;
  bool is_quiet = false;
  bool is_verbose = false;
  bool lists_settings = false;
  bool lists_hosts = false;
  std::optional<int> misfit_status;
  bool reads_lines = false;  // further command lines come from the standard input, one each
};

/// One option of the command line.
struct bench_option {
  enum class shape : std::uint8_t { positional, flag, value };

  std::string names;  // "-s,--seed"
  std::string value_name;  // as the help calls it
  std::function<void(const std::string&)> set;  // takes the value as written; throws setup_error
  std::string help;
  shape what = shape::value;
};

/// All options in the order of the help, bound to the members of `o` that they set. Help shows the values in `o` as
/// defaults; the limit of --entropy depends on the item size in `o`.
std::vector<bench_option> table_of(bench_options& o);

/// Whether the items have a type known at compile time.
bool is_typed(const bench_options& options);

}  // namespace shoal::cli
