// One-sided: sizes of rows are put, entries find their places by atomic additions, and new columns are gets. The
// nonblocking variant starts puts and gets; the place of an entry it has to wait for.
#include <algorithm>
#include <span>

#include "kernels/permute/problem.hpp"

namespace shoal::kernels::permuting {
namespace {

enum class waiting { for_each, at_the_end };

// Puts values one by one, or many at once; what is put then stays until `quiet`.
template <waiting W>
class putter {
public:
  putter(world& w, std::size_t n_max) : w_(w) { under_way_.reserve(W == waiting::for_each ? 0 : n_max); }

  void put(symmetric<std::int64_t> array, std::size_t index, std::int64_t value, pe_id pe) {
    if constexpr (W == waiting::for_each) {
      w_.put(array, index, value, pe);
    } else {
      w_.start_put(array, index, under_way_.emplace_back(value), pe);
    }
  }

private:
  world& w_;
  std::vector<std::int64_t> under_way_;
};

template <waiting W>
void permute_one_sided(world& w, problem& p) {
  const auto next = w.allocate<std::int64_t>(w.max(p.next.size()));
  const auto images = w.allocate<std::int64_t>(w.max(p.columns.images.size()));
  const std::span<std::int64_t> mine = w.local(next).first(p.next.size());
  std::ranges::copy(p.columns.images, w.local(images).begin());
  w.barrier();
  putter<W> sizes(w, p.next.size());
  for_each_row(p, [&](pe_id owner, row_size s) { sizes.put(next, s.row, s.size, owner); });
  w.quiet();
  w.barrier();
  std::ranges::copy(mine, p.next.begin());
  allocate_rows(p);
  std::ranges::copy(p.next, mine.begin());

  const auto columns = w.allocate<std::int64_t>(w.max(p.permuted.columns.size()));  // all PEs have allocated then
  putter<W> entries(w, p.matrix.columns.size());
  for_each_entry(p, [&](pe_id owner, moved_entry e) {
    const std::int64_t at = w.fetch_add(next, e.row, std::int64_t{1}, owner);
    entries.put(columns, static_cast<std::size_t>(at), e.column, owner);
  });
  w.quiet();
  w.barrier();
  const std::span<const std::int64_t> old_columns = w.local(columns).first(p.permuted.columns.size());
  for (std::size_t i = 0; i < old_columns.size(); ++i) {
    const auto [pe, local] = p.columns.indices.place_of(old_columns[i]);
    if constexpr (W == waiting::for_each) {
      p.permuted.columns[i] = w.get(images, static_cast<std::size_t>(local), pe);
    } else {
      w.start_get(images, static_cast<std::size_t>(local), p.permuted.columns[i], pe);
    }
  }
  w.quiet();
  w.deallocate(columns);
  w.deallocate(images);
  w.deallocate(next);
}

}  // namespace

void run_agp(world& w, problem& p) { permute_one_sided<waiting::for_each>(w, p); }
void run_agp_nb(world& w, problem& p) { permute_one_sided<waiting::at_the_end>(w, p); }

}  // namespace shoal::kernels::permuting
