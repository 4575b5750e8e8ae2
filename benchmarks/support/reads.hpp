/// Reads of a table that is spread over all PEs, in four ways: bench_reads compares their times, bench_self_send counts
/// their instructions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "shoal/shoal.hpp"

namespace shoal::bench {

using numbers = std::vector<std::int64_t>;

/// Where element g of a table is: on PE g % n_pes.
struct cyclic {
  std::int64_t n_pes;

  pe_id owner(std::int64_t g) const noexcept { return g % n_pes; }
  std::size_t local(std::int64_t g) const noexcept { return static_cast<std::size_t>(g / n_pes); }
};
/// The same on one PE, without divisions.
struct on_one_pe {
  static pe_id owner(std::int64_t) noexcept { return 0; }
  static std::size_t local(std::int64_t g) noexcept { return static_cast<std::size_t>(g); }
};

struct query {
  std::int64_t index;
  std::int64_t place;
};
struct answer {
  std::int64_t place;
  std::int64_t value;
};
/// Replies by hand, as messages.
struct reader : selector<reader, query, answer> {
  const numbers& table;
  numbers& values;

  reader(world& w, const numbers& its_table, numbers& into) : selector(w), table(its_table), values(into) {}
  void process(const query& q, pe_id from) { send(from, answer{q.place, table[static_cast<std::size_t>(q.index)]}); }
  void process(const answer& a) { values[static_cast<std::size_t>(a.place)] = a.value; }
};

// Each function reads the elements `indices` of all PEs' tables, of which `table` is this PE's part, into `values`, in one
// superstep. Collective.

template <class Layout>
void read_by_selector(world& w, numbers& table, const numbers& indices, numbers& values, Layout at) {
  reader both{w, table, values};
  w.finish([&] {
    for (std::size_t i = 0; i < indices.size(); ++i) {
      const std::int64_t g = indices[i];
      both.send(at.owner(g), query{static_cast<std::int64_t>(at.local(g)), static_cast<std::int64_t>(i)});
    }
  });
}

/// Closures that reply by closures.
template <class Layout>
void read_by_closures(world& w, numbers& table, const numbers& indices, numbers& values, Layout at) {
  lambda_actor tables{w, table};
  lambda_actor results{w, values};
  per_pe<lambda_actor<numbers>*> reply{w, &results};
  w.finish([&, to = reply.handle()] {
    for (std::uint32_t i = 0; i < indices.size(); ++i) {
      const std::int64_t g = indices[i];
      tables.send(at.owner(g), [local = static_cast<std::int32_t>(at.local(g)), i, to](numbers& its, pe_id from) {
        (*to)->send(from, [i, value = its[static_cast<std::size_t>(local)]](numbers& into) { into[i] = value; });
      });
    }
  });
}

template <class Layout>
void read_by_futures(world& w, numbers& table, const numbers& indices, numbers& values, Layout at) {
  lambda_actor tables{w, table};
  w.finish([&] {
    for (std::size_t i = 0; i < indices.size(); ++i) {
      const std::int64_t g = indices[i];
      tables.ask(at.owner(g), [local = at.local(g)](numbers& its) { return its[local]; })
          .then([&into = values[i]](std::int64_t value) { into = value; });
    }
  });
}

/// A PE's part of the table, which knows where elements lie: questions need not say it.
template <class Layout>
struct table_part {
  const numbers& elements;
  [[no_unique_address]] Layout at;
};

template <class Layout>
void read_in_order(world& w, numbers& table, const numbers& indices, numbers& values, Layout at) {
  table_part<Layout> part{table, at};
  lambda_actor tables{w, part};
  w.finish([&] {
    tables.ask_all(
        indices, values, [at](std::int64_t g) { return at.owner(g); },
        [](const table_part<Layout>& its, std::int64_t g) { return its.elements[its.at.local(g)]; });
  });
}

}  // namespace shoal::bench
