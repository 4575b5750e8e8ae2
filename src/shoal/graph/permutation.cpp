#include "shoal/graph/permutation.hpp"

#include <algorithm>
#include <memory>
#include <span>

#include "shoal/actor/actor.hpp"
#include "shoal/base/internal/contract.hpp"
#include "shoal/base/random.hpp"
#include "shoal/graph/matrix_builder.hpp"

namespace shoal {
namespace {

struct assignment {
  std::int64_t local;
  std::int64_t value;
};

// Values that any PE sets and the owners of their indices keep. Construct it in a superstep; the values are complete
// after that.
class values_by_index {
public:
  values_by_index(world& w, const distribution& indices, std::vector<std::int64_t>& into)
      : indices_(indices), arrivals_(w, keep{&into}, {}, "permutation") {
    into.assign(static_cast<std::size_t>(indices.n_local(w.my_pe())), 0);
  }

  [[gnu::noinline]] void set(std::int64_t index, std::int64_t value) {
    const place at = indices_.place_of(index);
    arrivals_.send(at.pe, assignment{at.local, value});
  }

private:
  struct keep {
    std::vector<std::int64_t>* into;
    void operator()(const assignment& a) const { (*into)[static_cast<std::size_t>(a.local)] = a.value; }
  };

  distribution indices_;
  actor<keep, assignment, no_prefetch> arrivals_;
};

// An index, and the random number that decides its place.
struct drawn {
  std::uint64_t number;
  std::int64_t index;

  friend auto operator<=>(const drawn&, const drawn&) = default;
};

std::uint64_t number_of(std::uint64_t seed, std::int64_t index) {
  return mixed_bits(seed + mixed_bits(static_cast<std::uint64_t>(index)));
}

pe_id part_of(std::uint64_t number, pe_id n_pes) {
  __extension__ using wide = unsigned __int128;
  return static_cast<pe_id>(wide{number} * static_cast<std::uint64_t>(n_pes) >> 64);
}

// What travels to the owner of an entry's column, who knows where the column goes.
struct moving_entry {
  std::int64_t row;  // already the new one
  std::int64_t column;  // local
};
struct moving_weighted_entry {
  std::int64_t row;
  std::int64_t column;
  double value;
};

template <matrix_entry E, class Moving>
sparse_matrix permuted(world& w, const sparse_matrix& m, const permutation& rows, const permutation& columns) {
  std::unique_ptr<matrix_builder<E>> builder;
  w.finish([&] {
    builder = std::make_unique<matrix_builder<E>>(w, m.rows, m.n_columns);
    builder->reserve(m.n_local_entries());
    actor relabel{w,
                  [&](const Moving& e) {
                    const std::int64_t column = columns.images[static_cast<std::size_t>(e.column)];
                    if constexpr (std::same_as<E, weighted_entry>) {
                      builder->add({e.row, column, e.value});
                    } else {
                      builder->add({e.row, column});
                    }
                  },
                  no_prefetch{}, "permute"};
    for (std::int64_t r = 0; r < m.n_local_rows(); ++r) {
      const std::int64_t row = rows.images[static_cast<std::size_t>(r)];
      for (std::size_t i = 0; i < m.row(r).size(); ++i) {
        const place at = columns.indices.place_of(m.row(r)[i]);
        if constexpr (std::same_as<E, weighted_entry>) {
          relabel.send(at.pe, Moving{row, at.local, m.row_values(r)[i]});
        } else {
          relabel.send(at.pe, Moving{row, at.local});
        }
      }
    }
  });
  return builder->build();
}

}  // namespace

// Every index draws a number, and its place among all numbers is its image. PE k sorts the k-th part of the range of
// numbers.
permutation random_permutation(world& w, const distribution& indices, std::uint64_t seed) {
  std::vector<drawn> mine;
  w.finish([&] {
    actor keep{w, [&](std::span<const drawn> batch) { mine.insert(mine.end(), batch.begin(), batch.end()); },
               no_prefetch{}, "random_permutation"};
    for (std::int64_t i = 0; i < indices.n_local(w.my_pe()); ++i) {
      const std::int64_t index = indices.global(w.my_pe(), i);
      const std::uint64_t number = number_of(seed, index);
      keep.send(part_of(number, w.n_pes()), drawn{number, index});
    }
  });
  std::sort(mine.begin(), mine.end());
  std::int64_t image = w.exclusive_scan(static_cast<std::int64_t>(mine.size()));
  permutation p{.indices = indices, .pe = w.my_pe()};
  w.finish([&] {
    values_by_index images(w, indices, p.images);
    for (const drawn& d : mine) images.set(d.index, image++);
  });
  return p;
}

bool is_permutation(world& w, const permutation& p) {
  const std::int64_t n = p.indices.n();
  const auto is_index = [n](std::int64_t image) { return image >= 0 && image < n; };
  const bool is_fit = static_cast<std::int64_t>(p.images.size()) == p.indices.n_local(w.my_pe()) &&
                      std::ranges::all_of(p.images, is_index);
  if (w.min(static_cast<int>(is_fit)) == 0) return false;
  std::vector<std::int64_t> is_image;
  w.finish([&] {
    values_by_index marks(w, p.indices, is_image);
    for (const std::int64_t image : p.images) marks.set(image, 1);
  });
  // As many images as indices: if none is missed, none occurs twice.
  return w.sum(std::ranges::count(is_image, 0)) == 0;
}

permutation inverse(world& w, const permutation& p) {
  permutation back{.indices = p.indices, .pe = w.my_pe()};
  w.finish([&] {
    values_by_index images(w, p.indices, back.images);
    for (std::size_t i = 0; i < p.images.size(); ++i) {
      images.set(p.images[i], p.indices.global(p.pe, static_cast<std::int64_t>(i)));
    }
  });
  return back;
}

sparse_matrix permute(world& w, const sparse_matrix& m, const permutation& rows, const permutation& columns) {
  SHOAL_REQUIRE(rows.indices == m.rows && columns.indices == m.columns_distribution());
  return m.has_values ? permuted<weighted_entry, moving_weighted_entry>(w, m, rows, columns)
                      : permuted<entry, moving_entry>(w, m, rows, columns);
}

}  // namespace shoal
