// The same without a class: closures that run on the matrix of the PE that they go to.
#include "kernels/toposort/problem.hpp"

namespace shoal::kernels::toposort {
namespace {

struct sorter {
  // The closures: objects, because they say what they will touch.
  struct lose_entry {
    lost_entry entry;
    void operator()(sorter& there) const {
      if (lose(there.p, entry)) there.take(entry.row);
    }
    const void* prefetch(const sorter& there) const { return touched_by(there.p, entry); }
  };
  struct leave_column {
    taken_column column;
    void operator()(sorter& there) const { there.columns.defer(column); }
    const void* prefetch(const sorter& there) const { return touched_by(there.p, column); }
  };

  // Tells the rows of a column: for later, because it is more than the one message that told of it.
  struct tell {
    sorter& of;
    void operator()(taken_column c) const {
      take_column(of.p, c, [&](pe_id owner, lost_entry e) { of.rows.send(owner, lose_entry{e}); });
    }
    const void* prefetch(taken_column c) const { return entries_of(of.p, c); }
  };

  sorter(world& w, problem& of) : p(of), rows(w, *this), taken(w, *this), columns(w, tell{*this}) {}

  void take(std::uint32_t row) {
    take_row(p, row, [&](pe_id owner, taken_column c) { taken.send(owner, leave_column{c}); });
  }

  problem& p;
  lambda_actor<sorter> rows;  // each kind of closure has a mailbox: kinds that alternate cost the guess of a branch
  lambda_actor<sorter> taken;
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
