// The kernels of hclib_selectors.cpp as lambdas of HClib-Actor: shoal-translate makes selectors of them.
#define USE_LAMBDA
#include <algorithm>
#include <vector>

#include "benchmarks/translated/hclib_kernels.hpp"

namespace kernels {
namespace {

enum { REQUEST, RESPONSE };

// Of this PE, as all that follows. Lambdas find it where they run.
hclib::Selector<2>* asking;
const graph* rows;
int64_t *counts, *next, *target;
const int64_t* table;
int64_t n_found;

int64_t* symmetric(int64_t n) { return static_cast<int64_t*>(lgp_all_alloc(n * THREADS, sizeof(int64_t))); }

struct step {
  int64_t row, col, level;
};
struct sort_state {
  std::vector<int64_t> n_left, sum_left, level, row_queue;
  std::vector<step> column_queue;
};
sort_state* sorting;

double *ranks, *sums;

struct search {
  std::vector<int64_t> parent, next;
};
search* state;

}  // namespace

int64_t histogram(const input& of) {
  int64_t* counts_of_all = symmetric(n_entries);
  std::fill_n(counts_of_all, n_entries, 0);
  lgp_barrier();
  hclib::Actor<> actor;
  hclib::finish([&] {
    actor.start();
    for (const int64_t each : of.index) {
      const int64_t at = each / THREADS;
      actor.send(static_cast<int>(each % THREADS), [counts_of_all, at] { ++counts_of_all[at]; });
    }
    actor.done();
  });
  const std::vector<int64_t> result(counts_of_all, counts_of_all + n_entries);
  lgp_all_free(counts_of_all);
  return checksum(result);
}

int64_t index_gather(const input& of) {
  int64_t* table_of_all = symmetric(n_entries);
  for (int64_t i = 0; i < n_entries; ++i) table_of_all[i] = i * i + MYTHREAD;
  std::vector<int64_t> values(of.index.size());
  lgp_barrier();
  hclib::Selector<2> selector;
  asking = &selector;
  hclib::finish([&] {
    selector.start();
    const int from = MYTHREAD;
    for (size_t i = 0; i < of.index.size(); ++i) {
      int64_t* const here = &values[i];
      const int64_t at = of.index[i] / THREADS;
      selector.send(REQUEST, static_cast<int>(of.index[i] % THREADS), [=] {
        const int64_t value = table_of_all[at];
        asking->send(RESPONSE, from, [=] { *here = value; });
      });
    }
    selector.done(REQUEST);
  });
  lgp_all_free(table_of_all);
  return checksum(values);
}

int64_t transpose(const input& of) {
  const graph& a = of.lower;
  std::vector<int64_t> sizes(static_cast<size_t>(a.n_rows()));
  counts = sizes.data();
  lgp_barrier();
  hclib::Actor<> counting;
  hclib::finish([&] {
    counting.start();
    for (const int64_t column : a.columns) {
      const int64_t at = column / THREADS;
      counting.send(static_cast<int>(column % THREADS), [at] { ++counts[at]; });
    }
    counting.done();
  });
  std::vector<int64_t> places = offsets_of(sizes), columns(static_cast<size_t>(places.back()));
  next = places.data();
  target = columns.data();
  lgp_barrier();
  hclib::Actor<> appending;
  hclib::finish([&] {
    appending.start();
    for (int64_t i = 0; i < a.n_rows(); ++i) {
      const int64_t row = i * THREADS + MYTHREAD;
      for (int64_t k = a.offsets[static_cast<size_t>(i)]; k < a.offsets[static_cast<size_t>(i) + 1]; ++k) {
        const int64_t column = a.columns[static_cast<size_t>(k)];
        const int64_t at = column / THREADS;
        appending.send(static_cast<int>(column % THREADS), [at, row] { target[next[at]++] = row; });
      }
    }
    appending.done();
  });
  return checksum(columns);
}

int64_t permute(const input& of) {
  const graph& a = of.lower;
  std::vector<int64_t> sizes(static_cast<size_t>(a.n_rows()));
  counts = sizes.data();
  lgp_barrier();
  hclib::Actor<> counting;
  hclib::finish([&] {
    counting.start();
    for (int64_t i = 0; i < a.n_rows(); ++i) {
      const int64_t row = of.label[static_cast<size_t>(i)];
      const int64_t at = row / THREADS, size = a.degree(i);
      counting.send(static_cast<int>(row % THREADS), [at, size] { counts[at] = size; });
    }
    counting.done();
  });
  std::vector<int64_t> places = offsets_of(sizes), columns(static_cast<size_t>(places.back()));
  next = places.data();
  target = columns.data();
  lgp_barrier();
  hclib::Actor<> appending;
  hclib::finish([&] {
    appending.start();
    for (int64_t i = 0; i < a.n_rows(); ++i) {
      const int64_t row = of.label[static_cast<size_t>(i)];
      const int64_t at = row / THREADS;
      const int to = static_cast<int>(row % THREADS);
      for (int64_t k = a.offsets[static_cast<size_t>(i)]; k < a.offsets[static_cast<size_t>(i) + 1]; ++k) {
        const int64_t column = a.columns[static_cast<size_t>(k)];
        appending.send(to, [at, column] { target[next[at]++] = column; });
      }
    }
    appending.done();
  });
  std::vector<int64_t> renamed(columns.size());
  table = of.label.data();
  target = renamed.data();
  lgp_barrier();
  hclib::Selector<2> labels;
  asking = &labels;
  hclib::finish([&] {
    labels.start();
    const int from = MYTHREAD;
    for (size_t i = 0; i < columns.size(); ++i) {
      const int64_t k = static_cast<int64_t>(i), column = columns[i] / THREADS;
      labels.send(REQUEST, static_cast<int>(columns[i] % THREADS), [=] {
        const int64_t label = table[column];
        asking->send(RESPONSE, from, [=] { target[k] = label; });
      });
    }
    labels.done(REQUEST);
  });
  return checksum(renamed);
}

int64_t toposort(const input& of) {
  const graph& a = of.upper_first;
  const graph& transposed = of.upper_first_transposed;
  sort_state its;
  its.level.resize(static_cast<size_t>(a.n_rows()));
  for (int64_t i = 0; i < a.n_rows(); ++i) {
    its.n_left.push_back(a.degree(i));
    int64_t sum = 0;
    for (int64_t k = a.offsets[static_cast<size_t>(i)]; k < a.offsets[static_cast<size_t>(i) + 1]; ++k)
      sum += a.columns[static_cast<size_t>(k)];
    its.sum_left.push_back(sum);
    if (its.n_left.back() == 1) its.row_queue.push_back(i);
  }
  sorting = &its;
  lgp_barrier();
  enum { MATCH, UPDATE };
  hclib::Selector<2> selector;
  hclib::finish([&] {
    selector.start();
    size_t n_rows = 0, n_columns = 0;
    while (n_rows + n_columns < 2 * static_cast<size_t>(a.n_rows())) {
      for (; n_rows < its.row_queue.size(); ++n_rows) {
        const size_t local = static_cast<size_t>(its.row_queue[n_rows]);
        const int64_t row = static_cast<int64_t>(local) * THREADS + MYTHREAD, column = its.sum_left[local];
        const int64_t level = its.level[local];
        selector.send(MATCH, static_cast<int>(column % THREADS),
                      [row, column, level] { sorting->column_queue.push_back({row, column, level}); });
      }
      for (; n_columns < its.column_queue.size(); ++n_columns) {
        const step s = its.column_queue[n_columns];
        const size_t local = static_cast<size_t>(s.col / THREADS);
        for (int64_t k = transposed.offsets[local]; k < transposed.offsets[local + 1]; ++k) {
          const int64_t global = transposed.columns[static_cast<size_t>(k)];
          if (global == s.row) continue;
          const int64_t row = global / THREADS, column = s.col, level = s.level;
          selector.send(UPDATE, static_cast<int>(global % THREADS), [row, column, level] {
            const size_t i = static_cast<size_t>(row);
            sorting->sum_left[i] -= column;
            sorting->level[i] = std::max(sorting->level[i], level + 1);
            if (--sorting->n_left[i] == 1) sorting->row_queue.push_back(row);
          });
        }
      }
      hclib::yield();
    }
    selector.done(MATCH);
  });
  return checksum(its.level);
}

int64_t pagerank(const input& of) {
  const graph& a = of.both;
  std::vector<double> all_ranks(static_cast<size_t>(a.n_rows()), 1), all_sums(all_ranks.size());
  ranks = all_ranks.data();
  sums = all_sums.data();
  for (int round = 0; round < 3; ++round) {
    for (size_t i = 0; i < all_ranks.size(); ++i) {
      if (a.degree(static_cast<int64_t>(i)) > 0) ranks[i] /= static_cast<double>(a.degree(static_cast<int64_t>(i)));
      sums[i] = 0;
    }
    lgp_barrier();
    hclib::Selector<2> selector;
    asking = &selector;
    hclib::finish([&] {
      selector.start();
      const int from = MYTHREAD;
      for (int64_t i = 0; i < a.n_rows(); ++i) {
        for (int64_t k = a.offsets[static_cast<size_t>(i)]; k < a.offsets[static_cast<size_t>(i) + 1]; ++k) {
          const int64_t column = a.columns[static_cast<size_t>(k)];
          const int64_t at = column / THREADS;
          selector.send(REQUEST, static_cast<int>(column % THREADS), [at, i, from] {
            const double rank = ranks[at];
            asking->send(RESPONSE, from, [i, rank] { sums[i] += rank; });
          });
        }
      }
      selector.done(REQUEST);
    });
    for (size_t i = 0; i < all_ranks.size(); ++i) ranks[i] = 0.15 + 0.85 * sums[i];
  }
  std::vector<int64_t> rounded;
  for (const double each : all_ranks) rounded.push_back(static_cast<int64_t>(each * 1e6 + 0.5));
  return checksum(rounded);
}

int64_t triangle(const input& of) {
  const graph& a = of.lower;
  rows = &a;
  n_found = 0;
  lgp_barrier();
  hclib::Actor<> actor;
  hclib::finish([&] {
    actor.start();
    for (int64_t i = 0; i < a.n_rows(); ++i) {
      const int64_t begin = a.offsets[static_cast<size_t>(i)], end = a.offsets[static_cast<size_t>(i) + 1];
      for (int64_t k = begin; k < end; ++k) {
        const int64_t j = a.columns[static_cast<size_t>(k)];
        const int64_t row = j / THREADS;
        const int to = static_cast<int>(j % THREADS);
        for (int64_t at = begin; at < k; ++at) {
          const int64_t w = a.columns[static_cast<size_t>(at)];
          actor.send(to, [row, w] { n_found += rows->holds(row, w); });
        }
      }
    }
    actor.done();
  });
  return n_found;
}

int64_t triangle_centrality(const input& of) {
  const graph& a = of.lower;
  std::vector<int64_t> n_around(static_cast<size_t>(a.n_rows()));
  rows = &a;
  counts = n_around.data();
  lgp_barrier();
  hclib::Selector<2> selector;
  asking = &selector;
  hclib::finish([&] {
    selector.start();
    for (int64_t i = 0; i < a.n_rows(); ++i) {
      const int64_t u = i * THREADS + MYTHREAD;
      const int64_t begin = a.offsets[static_cast<size_t>(i)], end = a.offsets[static_cast<size_t>(i) + 1];
      for (int64_t k = begin; k < end; ++k) {
        const int64_t v = a.columns[static_cast<size_t>(k)];
        const int to = static_cast<int>(v % THREADS);
        for (int64_t at = begin; at < k; ++at) {
          const int64_t w = a.columns[static_cast<size_t>(at)];
          selector.send(REQUEST, to, [u, v, w] {
            if (!rows->holds(v / THREADS, w)) return;
            const int64_t corners[] = {u, v, w};
            for (int i = 0; i < 3; ++i) {
              const int64_t at = corners[i] / THREADS;
              asking->send(RESPONSE, static_cast<int>(corners[i] % THREADS), [at] { ++counts[at]; });
            }
          });
        }
      }
    }
    selector.done(REQUEST);
  });
  return checksum(n_around);
}

int64_t jaccard(const input& of) {
  const graph& a = of.both;
  std::vector<int64_t> n_shared(a.columns.size());
  rows = &a;
  counts = n_shared.data();
  lgp_barrier();
  hclib::Selector<2> selector;
  asking = &selector;
  hclib::finish([&] {
    selector.start();
    const int from = MYTHREAD;
    for (int64_t i = 0; i < a.n_rows(); ++i) {
      const int64_t v = i * THREADS + MYTHREAD;
      const int64_t begin = a.offsets[static_cast<size_t>(i)], end = a.offsets[static_cast<size_t>(i) + 1];
      for (int64_t k = begin; k < end && a.columns[static_cast<size_t>(k)] < v; ++k) {
        const int64_t u = a.columns[static_cast<size_t>(k)] / THREADS;
        const int to = static_cast<int>(a.columns[static_cast<size_t>(k)] % THREADS);
        for (int64_t at = begin; at < end; ++at) {
          const int64_t x = a.columns[static_cast<size_t>(at)];
          selector.send(REQUEST, to, [u, x, k, from] {
            if (!rows->holds(u, x)) return;
            asking->send(RESPONSE, from, [k] { ++counts[k]; });
          });
        }
      }
    }
    selector.done(REQUEST);
  });
  return checksum(n_shared);
}

int64_t bfs(const input& of) {
  const graph& a = of.both;
  search its;
  its.parent.assign(static_cast<size_t>(a.n_rows()), -1);
  std::vector<int64_t> frontier, levels(its.parent.size());
  if (MYTHREAD == 0) {
    its.parent[0] = 0;
    its.next.push_back(0);
  }
  state = &its;
  for (int64_t level = 1; lgp_reduce_add_l(static_cast<int64_t>(its.next.size())) > 0; ++level) {
    frontier.swap(its.next);
    its.next.clear();
    hclib::Actor<> actor;
    hclib::finish([&] {
      actor.start();
      for (const int64_t i : frontier) {
        const int64_t parent = i * THREADS + MYTHREAD;
        for (int64_t k = a.offsets[static_cast<size_t>(i)]; k < a.offsets[static_cast<size_t>(i) + 1]; ++k) {
          const int64_t v = a.columns[static_cast<size_t>(k)];
          const int64_t vertex = v / THREADS;
          actor.send(static_cast<int>(v % THREADS), [vertex, parent] {
            if (state->parent[static_cast<size_t>(vertex)] >= 0) return;
            state->parent[static_cast<size_t>(vertex)] = parent;
            state->next.push_back(vertex);
          });
        }
      }
      actor.done();
    });
    for (const int64_t i : its.next) levels[static_cast<size_t>(i)] = level;
  }
  return checksum(levels);
}

}  // namespace kernels
