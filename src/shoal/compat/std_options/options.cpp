// The options that programs of bale share, for glibc's argp.
#include <argp.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <string_view>

#include "shoal/compat/include/std_options.h"
#include "shoal/compat/internal/dealt_matrix.hpp"
#include "shoal/compat/internal/process_world.hpp"

namespace compat = shoal::internal::compat;

namespace {

// 0, or what a parser returns where the text is wrong; argp has told the user.
template <class T>
error_t read_number(const char* text, T& into, argp_state* state) {
  const std::string_view whole(text);
  const auto [end, fault] = std::from_chars(whole.data(), whole.data() + whole.size(), into);
  if (fault == std::errc() && end == whole.data() + whole.size()) return 0;
  argp_error(state, "\"%s\" is no number", text);
  return EINVAL;
}

// The same of a number from `min` to `max`.
template <class T>
error_t read_number(const char* text, T& into, T min, T max, argp_state* state) {
  T number{};
  const error_t fault = read_number(text, number, state);
  if (fault != 0) return fault;
  if (number >= min && number <= max) {
    into = number;
    return 0;
  }
  argp_error(state, "\"%s\" is no number from %.15g to %.15g", text, static_cast<double>(min),
             static_cast<double>(max));
  return EINVAL;
}

template <std::size_t n>
error_t read_text(const char* text, char (&into)[n], argp_state* state) {
  if (std::strlen(text) < n) {
    std::strcpy(into, text);
    return 0;
  }
  argp_error(state, "\"%s\" is longer than %zu characters", text, n - 1);
  return EINVAL;
}

// "M:AxBx...": the mode, then numbers of leaves.
error_t read_kronecker(const char* text, std_graph_args_t& into, argp_state* state) {
  constexpr int n_max = sizeof into.kron_spec / sizeof into.kron_spec[0];
  const char* const end = text + std::strlen(text);
  auto [at, fault] = std::from_chars(text, end, into.kron_mode);
  bool is_right = fault == std::errc() && at != end && *at == ':' && into.kron_mode >= 0 && into.kron_mode <= 2;
  into.kron_num = 0;
  while (is_right && at != end) {
    is_right = into.kron_num < n_max;
    if (!is_right) break;
    int& leaves = into.kron_spec[into.kron_num++];
    const std::from_chars_result number = std::from_chars(at + 1, end, leaves);
    at = number.ptr;
    is_right = number.ec == std::errc() && leaves > 0 && (at == end || *at == 'x');
  }
  if (is_right && into.kron_num > 1) {
    into.model = KRONECKER;
    return read_text(text, into.kron_string, state);
  }
  argp_error(state, "\"%s\" is no product of stars; write MODE:AxBx..., MODE from 0 to 2, and 2 to %d stars", text,
             n_max);
  return EINVAL;
}

error_t parse_std(int key, char* arg, argp_state* state) {
  auto& args = *static_cast<std_args_t*>(state->input);
  switch (key) {
    case ARGP_KEY_INIT:
      args.buf_cnt = 1024;
      args.cores_per_node = 0;
      args.seed = 122222;
      args.models_mask = ALL_Models;
      args.dump_files = 0;
      args.json = 0;
      return 0;
    case 'b': return read_number(arg, args.buf_cnt, state);
    case 'c': return read_number(arg, args.cores_per_node, state);
    case 'D': args.dump_files = 1; return 0;
    case 'j': args.json = 1; return read_text(arg, args.json_output, state);
    case 'M': return read_number(arg, args.models_mask, state);
    case 's': return read_number(arg, args.seed, state);
    default: return ARGP_ERR_UNKNOWN;
  }
}

constexpr std::int64_t n_rows_most = std::int64_t{1} << 48;

// Programs set the other members before.
void set_graph_defaults(std_graph_args_t& args) {
  args.edge_prob = 0;
  args.readfile = 0;
  args.model = FLAT;
  args.numrows = 0;
  args.nz_per_row = 10;
}

error_t parse_graph(int key, char* arg, argp_state* state) {
  auto& args = *static_cast<std_graph_args_t*>(state->input);
  switch (key) {
    case ARGP_KEY_INIT: set_graph_defaults(args); return 0;
    case 'd': args.directed = 1; return 0;
    case 'e': return read_number(arg, args.edge_prob, 0.0, 1.0, state);
    case 'f': args.readfile = 1; return read_text(arg, args.filename, state);
    case 'F': args.model = FLAT; return 0;
    case 'G': args.model = GEOMETRIC; return 0;
    case 'K': return read_kronecker(arg, args, state);
    case 'l': args.loops = 1; return 0;
    case 'n': return read_number(arg, args.l_numrows, std::int64_t{0}, n_rows_most, state);
    case 'N': return read_number(arg, args.numrows, std::int64_t{0}, n_rows_most, state);
    case 'w': args.weighted = 1; return 0;
    case 'z': return read_number(arg, args.nz_per_row, 0.0, static_cast<double>(n_rows_most), state);
    case ARGP_KEY_END:
      if (args.numrows == 0 && args.l_numrows > n_rows_most / compat::n_pes()) {
        argp_error(state, "%" PRId64 " rows on each PE are more than %" PRId64, args.l_numrows, n_rows_most);
        return EINVAL;
      }
      if (args.numrows == 0) args.numrows = args.l_numrows * compat::n_pes();
      compat::choose_density(args.edge_prob, args.nz_per_row, args.numrows,
                             compat::type_of(args.directed != 0, args.weighted != 0),
                             args.loops != 0 ? LOOPS : NOLOOPS);
      return 0;
    default: return ARGP_ERR_UNKNOWN;
  }
}

constexpr argp_option flag(const char* name, int key, const char* text) { return {name, key, nullptr, 0, text, 0}; }
constexpr argp_option option(const char* name, int key, const char* arg, const char* text) {
  return {name, key, arg, 0, text, 0};
}

const argp_option std_options[] = {
    option("buf_cnt", 'b', "BUF", "Items in a buffer of exstack (1024)"),
    option("cores_per_node", 'c', "CPN", "Cores of a node, for bandwidths a node (0)"),
    flag("dump_files", 'D', "Write files that help to find faults"),
    option("json_output", 'j', "FILE", "Write results to FILE, as JSON"),
    option("models_mask", 'M', "MASK", "Run these: AGP 1, exstack 2, exstack2 4, conveyors 8, alternates 16 (15)"),
    option("seed", 's', "SEED", "Seed of random numbers (122222)"),
    {},
};

const argp_option graph_options[] = {
    flag("directed", 'd', "A directed graph"),
    option("edge_prob", 'e', "P", "Probability of each edge"),
    option("readfile", 'f', "FILE", "Read the graph from FILE, in the format of MatrixMarket"),
    flag("flat", 'F', "An Erdos-Renyi graph (the default)"),
    flag("geometric", 'G', "A random geometric graph"),
    option("kronecker", 'K', "M:AxBx...",
           "A Kronecker product of stars with A, B, ... leaves; mode M: no loops, a loop at the "
           "hub, a loop at the last leaf"),
    flag("loops", 'l', "All loops"),
    option("l_numrows", 'n', "N", "Rows of each PE"),
    option("numrows", 'N', "N", "Rows of all PEs; counts more than -n"),
    flag("weighted", 'w', "Random weights"),
    option("nz_per_row", 'z', "Z", "Nonzeros a row, on average (10)"),
    {},
};

}  // namespace

extern "C" {

__attribute__((weak)) argp std_options_argp = {std_options, parse_std, nullptr, nullptr, nullptr, nullptr, nullptr};
__attribute__((weak)) argp std_graph_options_argp = {graph_options, parse_graph, nullptr, nullptr,
                                                     nullptr,       nullptr,     nullptr};

}  // extern "C"
