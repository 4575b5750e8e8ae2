// One message for each row and PE instead of one for each question: the neighbours of a vertex, and for which rows of the
// receiver they are compared. One message back has what all these rows have in common with it, and their degrees.
#include <vector>

#include "kernels/jaccard/problem.hpp"
#include "kernels/row_search.hpp"
#include "kernels/rows_by_owner.hpp"

namespace shoal::kernels::jaccard {
namespace {

struct question {
  std::uint32_t row;  // of the sender
  std::uint32_t n_rows;  // of the receiver: the first elements; the neighbours follow
};

struct row_answer {
  std::uint32_t n_common;
  std::uint32_t degree;
};

using questions = list<question, std::uint32_t>;
using answers = list<std::uint32_t, row_answer>;  // for a row of the receiver; in the order of the question's rows

struct comparer : selector<comparer, questions, answers> {
  comparer(world& w, problem& of) : selector(w, "jaccard by rows"), p(of), marked(of.both.n_rows()) {}

  void process(questions m, pe_id from) {
    const std::span<const std::uint32_t> all(m.begin(), m.size());
    const std::span<const std::uint32_t> candidates = all.subspan(m.header.n_rows);
    marked.mark(candidates);
    found.clear();
    for (const std::uint32_t row : all.first(m.header.n_rows)) {
      found.push_back({static_cast<std::uint32_t>(n_common(p.both.row(row), marked, candidates)), degree(p, row)});
    }
    marked.unmark();
    n_sent += 1;
    send(from, answers{m.header.row, found});
  }

  void process(answers m, pe_id from) {
    std::uint32_t edge = p.first_edge(m.header);
    const row_answer* next = m.begin();
    for (const std::int64_t j : p.lower(m.header)) {
      if (p.both.rows.owner(j) == from) {
        p.n_common[edge] = next->n_common;
        p.degrees[edge] = next->degree;
        ++next;
      }
      ++edge;
    }
  }

  problem& p;
  marked_candidates marked;
  std::vector<row_answer> found;
  std::uint64_t n_sent = 0;
};

}  // namespace

std::uint64_t run_row_wise(world& w, problem& p) {
  comparer rows{w, p};
  w.finish([&] {
    rows_by_owner owners(p.both.rows);
    for (std::int64_t i = 0; i < p.both.n_local_rows(); ++i) {
      owners.for_each(p.lower(i), [&](pe_id owner, std::vector<std::uint32_t>& message) {
        const question head{static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(message.size())};
        message.insert(message.end(), p.both.row(i).begin(), p.both.row(i).end());
        rows.send(owner, questions{head, message});
        ++rows.n_sent;
      });
    }
  });
  return rows.n_sent;
}

}  // namespace shoal::kernels::jaccard
