// The same without a class: closures that run on the matrix of the PE that they go to.
#include "kernels/toposort/problem.hpp"

namespace shoal::kernels::toposort {
namespace {

struct sorter {
  // Tells the rows of a column: for later, because it is more than the one message that told of it.
  struct tell {
    sorter& of;
    void operator()(taken_column c) const {
      take_column(of.p, c, [&](pe_id owner, lost_entry e) {
        of.rows.send(owner, [e](sorter& there) {
          if (lose(there.p, e)) there.take(e.row);
        });
      });
    }
  };

  sorter(world& w, problem& of) : p(of), rows(w, *this), columns(w, tell{*this}) {}

  void take(std::uint32_t row) {
    take_row(p, row,
             [&](pe_id owner, taken_column c) { rows.send(owner, [c](sorter& there) { there.columns.defer(c); }); });
  }

  problem& p;
  lambda_actor<sorter> rows;
  work_list<tell, taken_column> columns;
};

}  // namespace

void run_lambda(world& w, problem& p) {
  const std::vector<std::uint32_t> first = first_rows(p);
  sorter rows{w, p};
  w.finish([&] {
    for (const std::uint32_t row : first) rows.take(row);
  });
  place_by_level(w, p);
}

}  // namespace shoal::kernels::toposort
