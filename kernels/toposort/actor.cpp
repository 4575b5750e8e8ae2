// The class: handlers find rows with one entry left. What a taken column has to tell is left for later, because it is more
// than the one message that told of it.
#include "kernels/toposort/problem.hpp"

namespace shoal::kernels::toposort {
namespace {

struct sorter : selector<sorter, taken_column, lost_entry> {
  // Tells the rows of a column.
  struct tell {
    sorter& of;
    void operator()(taken_column c) const {
      take_column(of.p, c, [&](pe_id owner, lost_entry e) { of.send(owner, e); });
    }
    const void* prefetch(taken_column c) const { return entries_of(of.p, c); }
  };

  sorter(world& w, problem& of) : selector(w, "toposort"), p(of), columns(w, tell{*this}) {}

  void process(taken_column c) { columns.defer(c); }
  void process(lost_entry e) {
    if (lose(p, e)) take(e.row);
  }

  const void* prefetch(const auto& message) const { return touched_by(p, message); }

  void take(std::uint32_t row) {
    take_row(p, row, [&](pe_id owner, taken_column c) { send(owner, c); });
  }

  problem& p;
  work_list<tell, taken_column> columns;
};

}  // namespace

void run_actor(world& w, problem& p) {
  const std::vector<std::uint32_t> first = first_rows(p);
  sorter rows{w, p};
  w.finish([&] {
    for (const std::uint32_t row : first) rows.take(row);
  });
  place_by_level(w, p);
}

}  // namespace shoal::kernels::toposort
