// Two messages for each entry instead of three: the owner of its column passes it on, with its new column, to its row.
#include "kernels/permute/problem.hpp"

namespace shoal::kernels::permuting {
namespace {

// An entry at the owner of its column.
struct old_entry {
  std::uint32_t column;  // local
  std::uint32_t row;  // the new one, not local
};

struct permuter : selector<permuter, row_size, old_entry, moved_entry> {
  permuter(world& w, problem& of) : selector(w, "permute"), p(of) {}

  void process(row_size s) { keep(p, s); }
  void process(old_entry e) {
    const auto [pe, local] = p.matrix.rows.place_of(e.row);
    send(pe, moved_entry{static_cast<std::uint32_t>(local), new_column(p, e.column)});
  }
  void process(moved_entry e) { append(p, e); }

  problem& p;
};

}  // namespace

void run_relabel_first(world& w, problem& p) {
  permuter rows{w, p};
  w.finish([&] { for_each_row(p, [&](pe_id owner, row_size s) { rows.send(owner, s); }); });
  allocate_rows(p);
  w.finish([&] {
    for (std::int64_t r = 0; r < p.matrix.n_local_rows(); ++r) {
      const auto row = static_cast<std::uint32_t>(p.rows.images[static_cast<std::size_t>(r)]);
      for (const std::int64_t column : p.matrix.row(r)) {
        const auto [pe, local] = p.columns.indices.place_of(column);
        rows.send(pe, old_entry{static_cast<std::uint32_t>(local), row});
      }
    }
  });
}

}  // namespace shoal::kernels::permuting
