/// Kernels of HClib-Actor, for translated_hclib.py: hclib_lambdas.cpp and hclib_selectors.cpp define them, hclib_main.cpp calls one.
#pragma once

#include <libgetput.h>
#include <selector.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "benchmarks/translated/measured.hpp"

namespace measured {

/// Instead of hclib::finish. Collective.
template <class Body>
__attribute__((always_inline)) inline void finish(Body&& body) {
  const section counts;
  hclib::finish(std::forward<Body>(body));
}

}  // namespace measured

namespace kernels {

/// Sorted rows; vertex v is row v / THREADS of PE v % THREADS.
struct graph {
  std::vector<int64_t> offsets;
  std::vector<int64_t> columns;

  int64_t n_rows() const { return static_cast<int64_t>(offsets.size()) - 1; }
  int64_t degree(int64_t row) const {
    return offsets[static_cast<size_t>(row) + 1] - offsets[static_cast<size_t>(row)];
  }
  bool holds(int64_t row, int64_t column) const {
    const int64_t* first = columns.data() + offsets[static_cast<size_t>(row)];
    const int64_t* const last = columns.data() + offsets[static_cast<size_t>(row) + 1];
    while (first != last && *first < column) ++first;
    return first != last && *first == column;
  }
};

constexpr int64_t n_entries = 1024;  // of a table's part

struct input {
  std::vector<int64_t> index;  // into tables
  graph both;  // a symmetric graph
  graph lower;  // each edge at its higher vertex
  graph upper_first;  // lower, with 1s on the diagonal and rows and columns permuted
  graph upper_first_transposed;
  std::vector<int64_t> label;  // of this PE's vertices: a permutation of all
};

// Each returns a checksum of this PE's result. Collective.
int64_t histogram(const input& of);
int64_t index_gather(const input& of);
int64_t transpose(const input& of);
int64_t permute(const input& of);
int64_t toposort(const input& of);
int64_t pagerank(const input& of);
int64_t triangle(const input& of);
int64_t triangle_centrality(const input& of);
int64_t jaccard(const input& of);
int64_t bfs(const input& of);

/// Depends on the order.
template <class Number>
int64_t checksum(const std::vector<Number>& of) {
  uint64_t sum = 0;
  for (const Number each : of) sum = sum * 1000003 + static_cast<uint64_t>(each);
  return static_cast<int64_t>(sum >> 8);
}

/// Where each row of these sizes begins, and where the last one ends.
inline std::vector<int64_t> offsets_of(const std::vector<int64_t>& sizes) {
  std::vector<int64_t> all(1);
  for (const int64_t each : sizes) all.push_back(all.back() + each);
  return all;
}

}  // namespace kernels
