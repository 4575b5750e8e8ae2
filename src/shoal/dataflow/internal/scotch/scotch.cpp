// Module scotch: partitions a graph by Scotch. A module, because the core library needs only C++ and POSIX.
#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <string>

#include <scotch.h>

#include "shoal/dataflow/internal/partitioner.hpp"

namespace {

using shoal::internal::graph_to_partition;

constexpr double imbalance_max = 0.01;  // of a part's weight

thread_local std::string complaint;

void note_complaint(const char* format, std::va_list arguments) {
  char line[256];
  std::vsnprintf(line, sizeof line, format, arguments);
  if (complaint.empty()) complaint = line;
}

// What Scotch makes with an Init it destroys with an Exit.
struct scotch_graph {
  SCOTCH_Graph its;
  scotch_graph() { SCOTCH_graphInit(&its); }
  ~scotch_graph() { SCOTCH_graphExit(&its); }
  scotch_graph(const scotch_graph&) = delete;
  scotch_graph& operator=(const scotch_graph&) = delete;
};
struct scotch_strategy {
  SCOTCH_Strat its;
  scotch_strategy() { SCOTCH_stratInit(&its); }
  ~scotch_strategy() { SCOTCH_stratExit(&its); }
  scotch_strategy(const scotch_strategy&) = delete;
  scotch_strategy& operator=(const scotch_strategy&) = delete;
};
struct scotch_context {
  SCOTCH_Context its;
  scotch_context() { SCOTCH_contextInit(&its); }
  ~scotch_context() { SCOTCH_contextExit(&its); }
  scotch_context(const scotch_context&) = delete;
  scotch_context& operator=(const scotch_context&) = delete;
};

// Beside fixed vertices, Scotch's usual strategies give up balance: parts of 1.4 times the mean. The balanced ones
// cut more, so other graphs do without.
SCOTCH_Num strategies_for(const graph_to_partition& graph, const std::int32_t* parts) {
  const bool has_fixed = std::any_of(parts, parts + graph.n_vertices, [](std::int32_t part) { return part >= 0; });
  return has_fixed ? SCOTCH_STRATQUALITY | SCOTCH_STRATBALANCE : SCOTCH_STRATQUALITY;
}

bool partition(const graph_to_partition& graph, std::int32_t* parts) {
  static_assert(sizeof(SCOTCH_Num) == sizeof(std::int32_t));
  scotch_context context;
  scotch_graph plain;
  scotch_graph bound;
  scotch_strategy strategy;
  // One thread and random numbers of its own, so that the parts do not depend on what else runs.
  if (SCOTCH_contextOptionSetNum(&context.its, SCOTCH_OPTIONNUMDETERMINISTIC, 1) != 0 ||
      SCOTCH_contextThreadSpawn(&context.its, 1, nullptr) != 0 || SCOTCH_contextRandomClone(&context.its) != 0)
    return false;
  SCOTCH_contextRandomSeed(&context.its, 1);
  return SCOTCH_graphBuild(&plain.its, 0, graph.n_vertices, graph.first, nullptr, graph.weights, nullptr,
                           graph.first[graph.n_vertices], graph.neighbours, graph.edge_weights) == 0 &&
         SCOTCH_contextBindGraph(&context.its, &plain.its, &bound.its) == 0 &&
         SCOTCH_stratGraphMapBuild(&strategy.its, strategies_for(graph, parts), graph.n_parts, imbalance_max) == 0 &&
         SCOTCH_graphPartFixed(&bound.its, graph.n_parts, &strategy.its, parts) == 0;
}

}  // namespace

// Scotch leaves these to the program that uses it.
extern "C" __attribute__((visibility("default"))) void SCOTCH_errorPrint(const char* const format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  note_complaint(format, arguments);
  va_end(arguments);
}
extern "C" __attribute__((visibility("default"))) void SCOTCH_errorPrintW(const char* const format, ...) {
  static_cast<void>(format);  // a warning
}

extern "C" __attribute__((visibility("default"))) bool shoal_partition(const graph_to_partition& graph,
                                                                       std::int32_t* parts, char* error,
                                                                       std::size_t error_bytes) {
  complaint.clear();
  if (partition(graph, parts)) return true;
  std::snprintf(error, error_bytes, "%s", complaint.empty() ? "Scotch found no partition" : complaint.c_str());
  return false;
}
