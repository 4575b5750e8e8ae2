// Written by hand as one writes selectors of HClib-Actor: a class, its packet, and a handler for each mailbox.
#include <algorithm>

#include "benchmarks/translated/hclib_kernels.hpp"

namespace kernels {
namespace {

enum { REQUEST, RESPONSE };

class counting : public hclib::Selector<1, int64_t> {
  int64_t* counts_;

public:
  explicit counting(int64_t* counts) : counts_(counts) {
    mb[0].process = [this](int64_t at, int) { ++counts_[at]; };
  }
};

struct entry {
  int64_t row, value;
};

class gathering : public hclib::Selector<2, entry> {
  const int64_t* table_;
  int64_t* target_;

public:
  gathering(const int64_t* table, int64_t* target) : table_(table), target_(target) {
    mb[REQUEST].process = [this](entry e, int from) { send(RESPONSE, {e.row, table_[e.value]}, from); };
    mb[RESPONSE].process = [this](entry e, int) { target_[e.row] = e.value; };
  }
};

class storing : public hclib::Selector<1, entry> {
  int64_t* to_;

public:
  explicit storing(int64_t* to) : to_(to) {
    mb[0].process = [this](entry e, int) { to_[e.row] = e.value; };
  }
};

class appending : public hclib::Selector<1, entry> {
  int64_t* next_;
  int64_t* columns_;

public:
  appending(int64_t* next, int64_t* columns) : next_(next), columns_(columns) {
    mb[0].process = [this](entry e, int) { columns_[next_[e.row]++] = e.value; };
  }
};

struct step {
  int64_t row, col, level;
};

class sorting : public hclib::Selector<2, step> {
public:
  enum { MATCH, UPDATE };
  std::vector<int64_t> n_left, sum_left, level, row_queue;
  std::vector<step> column_queue;

  explicit sorting(const graph& of) : level(static_cast<size_t>(of.n_rows())) {
    for (int64_t i = 0; i < of.n_rows(); ++i) {
      n_left.push_back(of.degree(i));
      int64_t sum = 0;
      for (int64_t k = of.offsets[static_cast<size_t>(i)]; k < of.offsets[static_cast<size_t>(i) + 1]; ++k)
        sum += of.columns[static_cast<size_t>(k)];
      sum_left.push_back(sum);
      if (n_left.back() == 1) row_queue.push_back(i);
    }
    mb[MATCH].process = [this](step s, int) { column_queue.push_back(s); };
    mb[UPDATE].process = [this](step s, int) {
      const size_t row = static_cast<size_t>(s.row);
      sum_left[row] -= s.col;
      level[row] = std::max(level[row], s.level + 1);
      if (--n_left[row] == 1) row_queue.push_back(s.row);
    };
  }
};

struct share {
  int64_t to, of;
  double rank;
};

class pulling : public hclib::Selector<2, share> {
  const double* ranks_;
  double* sums_;

public:
  pulling(const double* ranks, double* sums) : ranks_(ranks), sums_(sums) {
    mb[REQUEST].process = [this](share s, int from) {
      s.rank = ranks_[s.of];
      send(RESPONSE, s, from);
    };
    mb[RESPONSE].process = [this](share s, int) { sums_[s.to] += s.rank; };
  }
};

class looking_up : public hclib::Selector<1, entry> {
  const graph& in_;

public:
  int64_t n_found = 0;
  explicit looking_up(const graph& in) : in_(in) {
    mb[0].process = [this](entry e, int) { n_found += in_.holds(e.row, e.value); };
  }
};

struct corners {
  int64_t u, v, w;
};

class marking : public hclib::Selector<2, corners> {
  const graph& in_;

public:
  std::vector<int64_t> n_around;
  explicit marking(const graph& in) : in_(in), n_around(static_cast<size_t>(in.n_rows())) {
    mb[REQUEST].process = [this](corners c, int) {
      if (!in_.holds(c.v / THREADS, c.w)) return;
      for (const int64_t vertex : {c.u, c.v, c.w})
        send(RESPONSE, {vertex / THREADS, 0, 0}, static_cast<int>(vertex % THREADS));
    };
    mb[RESPONSE].process = [this](corners c, int) { ++n_around[static_cast<size_t>(c.u)]; };
  }
};

class intersecting : public hclib::Selector<2, corners> {
  const graph& in_;

public:
  std::vector<int64_t> n_shared;
  explicit intersecting(const graph& in) : in_(in), n_shared(in.columns.size()) {
    mb[REQUEST].process = [this](corners c, int from) {
      if (in_.holds(c.u, c.v)) send(RESPONSE, c, from);
    };
    mb[RESPONSE].process = [this](corners c, int) { ++n_shared[static_cast<size_t>(c.w)]; };
  }
};

struct search {
  std::vector<int64_t> parent, next;
};

class visiting : public hclib::Selector<1, entry> {
public:
  explicit visiting(search& to) {
    mb[0].process = [&to](entry e, int) {
      int64_t& parent = to.parent[static_cast<size_t>(e.row)];
      if (parent >= 0) return;
      parent = e.value;
      to.next.push_back(e.row);
    };
  }
};

}  // namespace

int64_t histogram(const input& of) {
  std::vector<int64_t> counts(static_cast<size_t>(n_entries));
  counting actor(counts.data());
  hclib::finish([&] {
    actor.start();
    for (const int64_t each : of.index) actor.send(each / THREADS, static_cast<int>(each % THREADS));
    actor.done();
  });
  return checksum(counts);
}

int64_t index_gather(const input& of) {
  std::vector<int64_t> table, target(of.index.size());
  for (int64_t i = 0; i < n_entries; ++i) table.push_back(i * i + MYTHREAD);
  gathering selector(table.data(), target.data());
  hclib::finish([&] {
    selector.start();
    for (size_t i = 0; i < of.index.size(); ++i)
      selector.send(REQUEST, {static_cast<int64_t>(i), of.index[i] / THREADS}, static_cast<int>(of.index[i] % THREADS));
    selector.done(REQUEST);
  });
  return checksum(target);
}

int64_t transpose(const input& of) {
  const graph& a = of.lower;
  std::vector<int64_t> sizes(static_cast<size_t>(a.n_rows()));
  counting counts(sizes.data());
  hclib::finish([&] {
    counts.start();
    for (const int64_t column : a.columns) counts.send(column / THREADS, static_cast<int>(column % THREADS));
    counts.done();
  });
  std::vector<int64_t> next = offsets_of(sizes), columns(static_cast<size_t>(next.back()));
  appending entries(next.data(), columns.data());
  hclib::finish([&] {
    entries.start();
    for (int64_t i = 0; i < a.n_rows(); ++i) {
      const int64_t row = i * THREADS + MYTHREAD;
      for (int64_t k = a.offsets[static_cast<size_t>(i)]; k < a.offsets[static_cast<size_t>(i) + 1]; ++k) {
        const int64_t column = a.columns[static_cast<size_t>(k)];
        entries.send({column / THREADS, row}, static_cast<int>(column % THREADS));
      }
    }
    entries.done();
  });
  return checksum(columns);
}

int64_t permute(const input& of) {
  const graph& a = of.lower;
  std::vector<int64_t> sizes(static_cast<size_t>(a.n_rows()));
  storing counts(sizes.data());
  hclib::finish([&] {
    counts.start();
    for (int64_t i = 0; i < a.n_rows(); ++i) {
      const int64_t row = of.label[static_cast<size_t>(i)];
      counts.send({row / THREADS, a.degree(i)}, static_cast<int>(row % THREADS));
    }
    counts.done();
  });
  std::vector<int64_t> next = offsets_of(sizes), columns(static_cast<size_t>(next.back()));
  appending entries(next.data(), columns.data());
  hclib::finish([&] {
    entries.start();
    for (int64_t i = 0; i < a.n_rows(); ++i) {
      const int64_t row = of.label[static_cast<size_t>(i)];
      const int64_t at = row / THREADS;
      const int to = static_cast<int>(row % THREADS);
      for (int64_t k = a.offsets[static_cast<size_t>(i)]; k < a.offsets[static_cast<size_t>(i) + 1]; ++k)
        entries.send({at, a.columns[static_cast<size_t>(k)]}, to);
    }
    entries.done();
  });
  std::vector<int64_t> renamed(columns.size());
  gathering labels(of.label.data(), renamed.data());
  hclib::finish([&] {
    labels.start();
    for (size_t k = 0; k < columns.size(); ++k)
      labels.send(REQUEST, {static_cast<int64_t>(k), columns[k] / THREADS}, static_cast<int>(columns[k] % THREADS));
    labels.done(REQUEST);
  });
  return checksum(renamed);
}

int64_t toposort(const input& of) {
  const graph& a = of.upper_first;
  const graph& transposed = of.upper_first_transposed;
  sorting its(a);
  hclib::finish([&] {
    its.start();
    size_t n_rows = 0, n_columns = 0;
    while (n_rows + n_columns < 2 * static_cast<size_t>(a.n_rows())) {
      for (; n_rows < its.row_queue.size(); ++n_rows) {
        const size_t row = static_cast<size_t>(its.row_queue[n_rows]);
        const int64_t column = its.sum_left[row];
        its.send(sorting::MATCH, {static_cast<int64_t>(row) * THREADS + MYTHREAD, column, its.level[row]},
                 static_cast<int>(column % THREADS));
      }
      for (; n_columns < its.column_queue.size(); ++n_columns) {
        const step s = its.column_queue[n_columns];
        const size_t column = static_cast<size_t>(s.col / THREADS);
        for (int64_t k = transposed.offsets[column]; k < transposed.offsets[column + 1]; ++k) {
          const int64_t row = transposed.columns[static_cast<size_t>(k)];
          if (row != s.row) its.send(sorting::UPDATE, {row / THREADS, s.col, s.level}, static_cast<int>(row % THREADS));
        }
      }
      hclib::yield();
    }
    its.done(sorting::MATCH);
  });
  return checksum(its.level);
}

int64_t pagerank(const input& of) {
  const graph& a = of.both;
  std::vector<double> ranks(static_cast<size_t>(a.n_rows()), 1), sums(ranks.size());
  for (int round = 0; round < 3; ++round) {
    for (size_t i = 0; i < ranks.size(); ++i) {
      if (a.degree(static_cast<int64_t>(i)) > 0) ranks[i] /= static_cast<double>(a.degree(static_cast<int64_t>(i)));
      sums[i] = 0;
    }
    pulling selector(ranks.data(), sums.data());
    hclib::finish([&] {
      selector.start();
      for (int64_t i = 0; i < a.n_rows(); ++i) {
        for (int64_t k = a.offsets[static_cast<size_t>(i)]; k < a.offsets[static_cast<size_t>(i) + 1]; ++k) {
          const int64_t column = a.columns[static_cast<size_t>(k)];
          selector.send(REQUEST, {i, column / THREADS, 0}, static_cast<int>(column % THREADS));
        }
      }
      selector.done(REQUEST);
    });
    for (size_t i = 0; i < ranks.size(); ++i) ranks[i] = 0.15 + 0.85 * sums[i];
  }
  std::vector<int64_t> rounded;
  for (const double each : ranks) rounded.push_back(static_cast<int64_t>(each * 1e6 + 0.5));
  return checksum(rounded);
}

int64_t triangle(const input& of) {
  const graph& a = of.lower;
  looking_up actor(a);
  hclib::finish([&] {
    actor.start();
    for (int64_t i = 0; i < a.n_rows(); ++i) {
      const int64_t begin = a.offsets[static_cast<size_t>(i)], end = a.offsets[static_cast<size_t>(i) + 1];
      for (int64_t k = begin; k < end; ++k) {
        const int64_t j = a.columns[static_cast<size_t>(k)];
        const int64_t row = j / THREADS;
        const int to = static_cast<int>(j % THREADS);
        for (int64_t at = begin; at < k; ++at) actor.send({row, a.columns[static_cast<size_t>(at)]}, to);
      }
    }
    actor.done();
  });
  return actor.n_found;
}

int64_t triangle_centrality(const input& of) {
  const graph& a = of.lower;
  marking selector(a);
  hclib::finish([&] {
    selector.start();
    for (int64_t i = 0; i < a.n_rows(); ++i) {
      const int64_t u = i * THREADS + MYTHREAD;
      const int64_t begin = a.offsets[static_cast<size_t>(i)], end = a.offsets[static_cast<size_t>(i) + 1];
      for (int64_t k = begin; k < end; ++k) {
        const int64_t v = a.columns[static_cast<size_t>(k)];
        const int to = static_cast<int>(v % THREADS);
        for (int64_t at = begin; at < k; ++at) selector.send(REQUEST, {u, v, a.columns[static_cast<size_t>(at)]}, to);
      }
    }
    selector.done(REQUEST);
  });
  return checksum(selector.n_around);
}

int64_t jaccard(const input& of) {
  const graph& a = of.both;
  intersecting selector(a);
  hclib::finish([&] {
    selector.start();
    for (int64_t i = 0; i < a.n_rows(); ++i) {
      const int64_t v = i * THREADS + MYTHREAD;
      const int64_t begin = a.offsets[static_cast<size_t>(i)], end = a.offsets[static_cast<size_t>(i) + 1];
      for (int64_t k = begin; k < end && a.columns[static_cast<size_t>(k)] < v; ++k) {
        const int64_t u = a.columns[static_cast<size_t>(k)] / THREADS;
        const int to = static_cast<int>(a.columns[static_cast<size_t>(k)] % THREADS);
        for (int64_t at = begin; at < end; ++at) selector.send(REQUEST, {u, a.columns[static_cast<size_t>(at)], k}, to);
      }
    }
    selector.done(REQUEST);
  });
  return checksum(selector.n_shared);
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
  for (int64_t level = 1; lgp_reduce_add_l(static_cast<int64_t>(its.next.size())) > 0; ++level) {
    frontier.swap(its.next);
    its.next.clear();
    visiting actor(its);
    hclib::finish([&] {
      actor.start();
      for (const int64_t i : frontier) {
        const int64_t parent = i * THREADS + MYTHREAD;
        for (int64_t k = a.offsets[static_cast<size_t>(i)]; k < a.offsets[static_cast<size_t>(i) + 1]; ++k) {
          const int64_t v = a.columns[static_cast<size_t>(k)];
          actor.send({v / THREADS, parent}, static_cast<int>(v % THREADS));
        }
      }
      actor.done();
    });
    for (const int64_t i : its.next) levels[static_cast<size_t>(i)] = level;
  }
  return checksum(levels);
}

}  // namespace kernels
