// One message for each row and PE instead of one for each probe: the candidates of a row, and for which rows of the
// receiver. The receiver marks the candidates, and looks which of its rows' vertices are marked.
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/rows_by_owner.hpp"
#include "kernels/triangle/problem.hpp"

namespace shoal::kernels::triangle {
namespace {

// The header is how many of the elements are rows of the receiver; candidates follow.
using row_message = list<std::uint32_t, std::uint32_t>;

struct row_counter : selector<row_counter, row_message> {
  row_counter(world& w, problem& of) : selector(w, "triangle by rows"), p(of), marked(of.lower.n_rows()) {}

  void process(row_message m) {
    const std::span<const std::uint32_t> all(m.begin(), m.size());
    const std::span<const std::uint32_t> candidates = all.subspan(m.header);
    marked.mark(candidates);
    for (const std::uint32_t row : all.first(m.header)) {
      p.n_triangles += n_common(p.asked().row(row), marked, candidates);
    }
    marked.unmark();
  }

  problem& p;
  marked_candidates marked;
};

}  // namespace

std::uint64_t run_row_wise(world& w, problem& p) {
  row_counter triangles{w, p};
  std::uint64_t n_sent = 0;
  w.finish([&] {
    rows_by_owner owners(p.lower.rows);
    for (std::int64_t i = 0; i < p.lower.n_local_rows(); ++i) {
      const std::span<const std::int64_t> candidates = p.asked().row(i);
      if (candidates.empty()) continue;
      owners.for_each(p.lower.row(i), [&](pe_id owner, std::vector<std::uint32_t>& message) {
        const auto n_rows = static_cast<std::uint32_t>(message.size());
        message.insert(message.end(), candidates.begin(), candidates.end());
        triangles.send(owner, {n_rows, message});
        ++n_sent;
      });
    }
  });
  return n_sent;
}

}  // namespace shoal::kernels::triangle
