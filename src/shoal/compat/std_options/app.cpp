// How programs of bale begin and end, and what they print: text on stderr, or a file of JSON with one object of
// strings.
#include <cerrno>
#include <cstdarg>
#include <cstddef>
#include <cstring>
#include <ctime>
#include <span>
#include <string>

#include "shoal/actor/world.hpp"
#include "shoal/compat/include/std_options.h"
#include "shoal/compat/internal/bale_files.hpp"
#include "shoal/compat/internal/dealt_matrix.hpp"
#include "shoal/compat/internal/process_world.hpp"

namespace compat = shoal::internal::compat;

namespace {

enum outcome : int { goes_on, asked_for_help, is_wrong };

// The options for help and the version, in place of argp's own, which do not say that they were there.
constexpr int usage_key = -1000;
const argp_option help_options[] = {
    {"help", '?', nullptr, 0, "Give this help list", -1},
    {"usage", usage_key, nullptr, 0, "Give a short usage message", 0},
    {},
};

struct parsing {
  void* args;
  outcome found;
};

error_t parse_help(int key, char*, argp_state* state) {
  auto& its = *static_cast<parsing*>(state->input);
  switch (key) {
    case ARGP_KEY_INIT:
      state->child_inputs[0] = its.args;
      state->child_inputs[1] = &its;
      return 0;
    case '?': argp_state_help(state, state->out_stream, ARGP_HELP_STD_HELP); break;
    case usage_key: argp_state_help(state, state->out_stream, ARGP_HELP_USAGE | ARGP_HELP_EXIT_OK); break;
    default: return ARGP_ERR_UNKNOWN;
  }
  its.found = asked_for_help;
  return ECANCELED;  // what else the command says does not count
}

// As argp's own: after the program's options, whose -V goes before.
const argp_option version_options[] = {
    {"version", 'V', nullptr, 0, "Print program version", -1},
    {},
};

error_t parse_version(int key, char*, argp_state* state) {
  if (key != 'V') return ARGP_ERR_UNKNOWN;
  if (argp_program_version_hook != nullptr) {
    argp_program_version_hook(state->out_stream, state);
  } else {
    fprintf(state->out_stream, "%s\n", argp_program_version);
  }
  static_cast<parsing*>(state->input)->found = asked_for_help;
  return ECANCELED;
}
constexpr argp version = {version_options, parse_version, nullptr, nullptr, nullptr, nullptr, nullptr};

outcome parse(const argp* of_program, int argc, char** argv, void* args) {
  const bool has_version = argp_program_version != nullptr || argp_program_version_hook != nullptr;
  const argp_child children[] = {{of_program, 0, nullptr, 0}, {has_version ? &version : nullptr, 0, nullptr, -1}, {}};
  const argp all = {help_options, parse_help, nullptr, nullptr, children, nullptr, nullptr};
  parsing its{args, goes_on};
  const error_t fault = argp_parse(&all, argc, argv, ARGP_NO_EXIT | ARGP_NO_HELP, nullptr, &its);
  return its.found == goes_on && fault != 0 ? is_wrong : its.found;
}

std::string quoted(const char* text) {
  std::string made = "\"";
  for (const char* at = text; *at != 0; ++at) {
    char code[8];
    if (*at == '"' || *at == '\\') {
      made += {'\\', *at};
    } else if (static_cast<unsigned char>(*at) < 0x20) {
      std::snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned>(*at));
      made += code;
    } else {
      made += *at;
    }
  }
  return made + '"';
}

// The file of JSON, of PE 0.
std::FILE* json_file(const std_args_t& args, const char* mode) {
  return compat::open_file("bale_app", args.json_output, mode);
}

void write_json(const std_args_t& args, const char* key, const char* value) {
  std::FILE* const file = json_file(args, "a");
  fprintf(file, "%s: %s,\n", quoted(key).c_str(), quoted(value).c_str());
  std::fclose(file);
}

// Of PE 0: the value under its key, by `as_text` or as JSON.
[[gnu::format(printf, 3, 4)]] void write_value(std_args_t* args, const char* key, const char* as_text, ...) {
  if (compat::my_pe() != 0) return;
  char value[512];
  va_list values;
  va_start(values, as_text);
  std::vsnprintf(value, sizeof value, as_text, values);
  va_end(values);
  if (args->json != 0) {
    write_json(*args, key, value + std::strspn(value, " "));
  } else {
    fprintf(stderr, "%14s: %s\n", key, value);
  }
}

const char* name_of(const char* path) {
  const char* const slash = std::strrchr(path, '/');
  return slash != nullptr ? slash + 1 : path;
}

void begin_json(const std_args_t& args, char** argv) {
  std::FILE* const file = json_file(args, "w");
  char date[32];
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  localtime_r(&now, &parts);
  std::strftime(date, sizeof date, "%Y-%m-%d", &parts);
  fprintf(file, "{\n\"bale_version\": \"%.2f\",\n\"date\": \"%s\",\n\"app\": %s,\n\"pes\": \"%d\",\n", BALE_VERSION,
          date, quoted(name_of(argv[0])).c_str(), static_cast<int>(compat::n_pes()));
  std::fclose(file);
}

void print_banner(int argc, char** argv) {
  fprintf(stderr, "***************************************************************\n");
  fprintf(stderr, "Bale Version %.2f (OpenShmem version %d.%d)\n", BALE_VERSION, SHMEM_MAJOR_VERSION,
          SHMEM_MINOR_VERSION);
  fprintf(stderr, "Running command on %d PEs:", static_cast<int>(compat::n_pes()));
  for (int i = 0; i < argc; ++i) fprintf(stderr, " %s", argv[i]);
  fprintf(stderr, "\n***************************************************************\n\n");
}

const char* name_of(graph_model model) {
  return model == FLAT ? "flat" : model == GEOMETRIC ? "geometric" : "kronecker";
}

}  // namespace

#define WEAK __attribute__((weak))

extern "C" {

WEAK int bale_app_init(int argc, char** argv, void* args, int len, struct argp* argp, std_args_t* std) {
  constexpr const char* call = "bale_app_init";
  compat::enter();
  setlocale(LC_NUMERIC, "");
  const outcome found =
      compat::world_for(call).broadcast(compat::my_pe() == 0 ? parse(argp, argc, argv, args) : goes_on);
  if (found != goes_on) {
    compat::leave();
    return found == asked_for_help ? 1 : -1;
  }
  auto* const bytes = static_cast<std::byte*>(args);
  compat::world_for(call).broadcast(std::span(bytes, static_cast<std::size_t>(len)));
  if (compat::my_pe() == 0) {
    if (std->json != 0) {
      begin_json(*std, argv);
    } else {
      print_banner(argc, argv);
    }
  }
  return 0;
}

WEAK void bale_app_finish(std_args_t* std) {
  if (std->json != 0 && compat::my_pe() == 0) {
    std::FILE* const file = json_file(*std, "r+");
    std::fseek(file, -2, SEEK_END);  // the last comma
    fprintf(file, "\n}\n");
    std::fclose(file);
  }
  compat::leave();
}

WEAK void bale_app_write_int(std_args_t* std, char* key, int64_t value) { write_value(std, key, "%" PRId64, value); }
WEAK void bale_app_write_double(std_args_t* std, char* key, double value) { write_value(std, key, "%f", value); }
WEAK void bale_app_write_time(std_args_t* std, char* key, double seconds) { write_value(std, key, "%8.3f", seconds); }

WEAK void write_std_options(std_args_t* std) {
  if (compat::my_pe() != 0) return;
  if (std->json != 0) {
    write_json(*std, "buf_cnt", std::to_string(std->buf_cnt).c_str());
    return;
  }
  fprintf(stderr, "Standard options:\n");
  fprintf(stderr, "----------------------------------------------------\n");
  fprintf(stderr, "buf_cnt (buffer size)    (-b): %" PRId64 "\n", std->buf_cnt);
  fprintf(stderr, "seed                     (-s): %" PRId64 "\n", std->seed);
  fprintf(stderr, "cores_per_node           (-c): %d\n", std->cores_per_node);
  fprintf(stderr, "models_mask              (-M): %d\n\n", std->models_mask);
}

WEAK void write_std_graph_options(std_args_t* std, std_graph_args_t* graph) {
  if (compat::my_pe() != 0) return;
  if (std->json != 0) {
    if (graph->readfile != 0) {
      write_json(*std, "input_file", graph->filename);
    } else {
      write_json(*std, "graph_model", name_of(graph->model));
    }
    return;
  }
  fprintf(stderr, "Input graph:\n");
  fprintf(stderr, "----------------------------------------------------\n");
  if (graph->readfile != 0) {
    fprintf(stderr, "Read from file           (-f): %s\n\n", graph->filename);
    return;
  }
  if (graph->model == KRONECKER) {
    fprintf(stderr, "Kronecker product        (-K): %s\n\n", graph->kron_string);
    return;
  }
  fprintf(stderr, "Graph model           (-F, -G): %s\n", name_of(graph->model));
  fprintf(stderr, "Rows                  (-n, -N): %" PRId64 "\n", graph->numrows);
  fprintf(stderr, "Directed, weighted, loops     : %d, %d, %d\n", graph->directed, graph->weighted, graph->loops);
  fprintf(stderr, "Nonzeros per row         (-z): %g\n", graph->nz_per_row);
  fprintf(stderr, "Edge probability         (-e): %g\n\n", graph->edge_prob);
}

WEAK sparsemat_t* get_input_graph(std_args_t* std, std_graph_args_t* graph) {
  constexpr const char* call = "get_input_graph";
  sparsemat_t* made = nullptr;
  if (graph->readfile != 0) {
    made = compat::read_matrix_market(graph->filename);
  } else if (graph->model == KRONECKER) {
    made = compat::kronecker(graph->kron_mode, graph->kron_spec, graph->kron_num, call);
  } else {
    const edge_type type = compat::type_of(graph->directed != 0, graph->weighted != 0);
    made = compat::random(graph->numrows, graph->model, type, graph->loops != 0 ? LOOPS : NOLOOPS, graph->edge_prob,
                          std->seed + compat::my_pe() + 2, call);
  }
  if (made == nullptr) {
    if (compat::my_pe() == 0) fprintf(stderr, "get_input_graph: there is no memory for the graph\n");
    std::exit(1);
  }
  if (compat::my_pe() != 0) return made;
  if (std->json != 0) {
    write_json(*std, "matrix_numrows", std::to_string(made->numrows).c_str());
    write_json(*std, "matrix_numcols", std::to_string(made->numcols).c_str());
    write_json(*std, "matrix_nnz", std::to_string(made->nnz).c_str());
  } else {
    fprintf(stderr, "Input matrix: %" PRId64 " rows, %" PRId64 " columns, %" PRId64 " nonzeros\n\n", made->numrows,
            made->numcols, made->nnz);
  }
  return made;
}

}  // extern "C"
