// Lists instead of single messages: one for each row and PE, and one back if there is something to say.
#include <array>
#include <vector>

#include "kernels/rows_by_owner.hpp"
#include "kernels/triangle_centrality/problem.hpp"

namespace shoal::kernels::triangle_centrality {
namespace {

struct row_head {
  std::uint32_t row;  // of the sender
  std::uint32_t n_rows;  // of the receiver: the first elements; the lower neighbours of `row` follow
};

// A row of the receiver has `n_triangles` more at the edge to its lower neighbour number `at`.
struct count_at {
  std::uint32_t at;
  std::uint32_t n_triangles;
};

// What `row`, of the sender, tells those of its neighbours with whom it shares a triangle, or the others.
struct [[gnu::packed]] row_meeting {
  edge_end end;
  std::uint32_t row;
};

using row_question = list<row_head, std::uint32_t>;
using row_counts = list<std::uint32_t, count_at>;  // for a row of the receiver
using edge_counts = list<edge_count>;
using row_meetings = list<row_meeting, std::uint32_t>;  // rows of the receiver

struct vertices : selector<vertices, row_question, row_counts, edge_counts, row_meetings, share> {
  vertices(world& w, problem& of) : selector(w, "triangle centrality by rows"), p(of), marked(of.lower.n_rows()) {}

  void process(row_question m, pe_id from) {
    const std::span<const std::uint32_t> all(m.begin(), m.size());
    const std::span<const std::uint32_t> candidates = all.subspan(m.header.n_rows);
    marked.mark(candidates);
    n_of.resize(std::max(n_of.size(), candidates.size()));
    for (const std::uint32_t row : all.first(m.header.n_rows)) count_common(row, candidates);
    marked.unmark();
    found.clear();
    for (std::uint32_t at = 0; at < candidates.size(); ++at) {
      if (n_of[at] > 0) found.push_back({at, std::exchange(n_of[at], 0)});
    }
    if (!found.empty()) tell(from, row_counts{m.header.row, found});
  }

  void process(row_counts m) {
    const std::uint32_t edge = p.first_edge(m.header);
    for (const count_at& c : m) p.n_at_edge[edge + c.at] += c.n_triangles;
  }

  void process(edge_counts m) {
    for (const edge_count c : m) count(p, c);
  }

  void process(row_meetings m, pe_id from) {
    std::uint64_t sum = 0;
    for (const std::uint32_t row : m) sum += meet(p, {row, m.header.row, m.header.end}).value;
    if (sum > 0) tell(from, share{sum, m.header.row});
  }

  void process(const share& s) { add(p, s); }

  // The triangles of a row of this PE, the vertex that asks, and a third one below both.
  void count_common(std::uint32_t row, std::span<const std::uint32_t> candidates) {
    const auto vertex = static_cast<std::uint32_t>(p.lower.global_row(row));
    std::uint32_t n = 0;
    for_each_common(p.lower.row(row), marked, candidates, [&](std::size_t in_row, std::size_t at) {
      ++p.n_at_edge[p.first_edge(row) + in_row];
      ++n_of[at];
      ++n;
    });
    if (n > 0) n_of[index_of(candidates, vertex)] += n;
  }

  void tell(pe_id pe, const auto& message) {
    send(pe, message);
    ++p.n_messages;
  }

  problem& p;
  marked_candidates marked;
  std::vector<std::uint32_t> n_of;  // triangles by candidate; zero between messages
  std::vector<count_at> found;
};

void ask_for_common(vertices& all, problem& p) {
  rows_by_owner owners(p.lower.rows);
  for (std::int64_t i = 0; i < p.lower.n_local_rows(); ++i) {
    const std::span<const std::int64_t> below = p.lower.row(i);
    if (below.size() < 2) continue;
    owners.for_each(below.subspan(1), [&](pe_id owner, std::vector<std::uint32_t>& message) {
      const row_head head{static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(message.size())};
      message.insert(message.end(), below.begin(), below.end());
      all.tell(owner, row_question{head, message});
    });
  }
}

void tell_counts(vertices& all, problem& p) {
  rows_by_owner<edge_count> owners(p.lower.rows);
  const std::uint64_t n_before = p.n_messages;
  for_each_count(p, [&](pe_id owner, edge_count c) { owners.add(owner, c); });
  p.n_messages = n_before;
  owners.use_groups([&](pe_id owner, const std::vector<edge_count>& counts) { all.tell(owner, edge_counts{counts}); });
}

void meet_neighbours(vertices& all, problem& p) {
  rows_by_owner owners(p.lower.rows);
  for (std::int64_t i = 0; i < p.lower.n_local_rows(); ++i) {
    for (const bool is_in_triangle : {false, true}) {
      std::uint32_t edge = p.first_edge(i);
      for (const std::int64_t j : p.lower.row(i)) {
        if ((p.n_at_edge[edge++] != 0) != is_in_triangle) continue;
        const auto [pe, local] = p.lower.rows.place_of(j);
        owners.add(pe, static_cast<std::uint32_t>(local));
      }
      const auto row = static_cast<std::uint32_t>(i);
      owners.use_groups([&](pe_id owner, const std::vector<std::uint32_t>& rows) {
        all.tell(owner, row_meetings{{edge_end_of(p.n_at_vertex[row], is_in_triangle), row}, rows});
      });
    }
  }
}

}  // namespace

void run_row_wise(world& w, problem& p) {
  vertices all{w, p};
  w.finish([&] { ask_for_common(all, p); });
  w.finish([&] { tell_counts(all, p); });
  begin_numerators(p);
  w.finish([&] { meet_neighbours(all, p); });
}

}  // namespace shoal::kernels::triangle_centrality
