// Teams: the PEs as a grid. y = A x, where each PE holds a block of A. The PEs of a column share a part of x, and those of
// a row add up a part of y. Then each row finds its greatest entry by messages, and the rows compare theirs.
// pes: 1 2 3 4 7
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include <shoal/shoal.hpp>

namespace {

constexpr std::int64_t n_of_block = 50;  // rows and columns of a block

std::int64_t entry_of(std::int64_t row, std::int64_t column) { return (row * 31 + column * 17 + row * column) % 101 - 50; }
std::int64_t x_of(std::int64_t column) { return column % 7 - 3; }

// The greatest divisor of `n` that is at most its square root.
std::int64_t width_of_grid(std::int64_t n) {
  std::int64_t width = 1;
  for (std::int64_t w = 1; w * w <= n; ++w) width = n % w == 0 ? w : width;
  return width;
}

struct greatest {
  std::int64_t value = INT64_MIN;
  std::int64_t row = -1;
};

// What one PE computes by itself.
greatest by_hand(std::int64_t n_rows, std::int64_t n_columns) {
  greatest best;
  for (std::int64_t r = 0; r < n_rows; ++r) {
    std::int64_t y = 0;
    for (std::int64_t c = 0; c < n_columns; ++c) y += entry_of(r, c) * x_of(c);
    if (y > best.value) best = {y, r};
  }
  return best;
}

bool multiply(shoal::world& world) {
  // [split]
  const std::int64_t width = width_of_grid(world.n_pes());
  shoal::world row = world.split(world.my_pe() / width);
  shoal::world column = world.split(world.my_pe() % width);
  // [/split]
  const std::int64_t first_row = world.my_pe() / width * n_of_block;
  const std::int64_t first_column = world.my_pe() % width * n_of_block;

  // [collectives]
  std::vector<std::int64_t> x(n_of_block);
  if (column.my_pe() == 0) {  // only the first PE of a column knows its part of x
    for (std::int64_t c = 0; c < n_of_block; ++c) x[c] = x_of(first_column + c);
  }
  column.broadcast(std::span<std::int64_t>(x));

  std::vector<std::int64_t> part(n_of_block);
  std::vector<std::int64_t> y(n_of_block);
  for (std::int64_t r = 0; r < n_of_block; ++r) {
    for (std::int64_t c = 0; c < n_of_block; ++c) part[r] += entry_of(first_row + r, first_column + c) * x[c];
  }
  row.sum(std::span<const std::int64_t>(part), std::span<std::int64_t>(y));
  // [/collectives]

  // [messages]
  shoal::per_pe<greatest> best(row);
  row.finish([&] {
    // Each PE of the row looks at some entries, and tells the first PE of the row.
    for (std::int64_t r = row.my_pe(); r < n_of_block; r += row.n_pes()) {
      row.send(0, [best = best.handle(), found = greatest{y[r], first_row + r}] {
        const bool is_better = found.value > best->value || (found.value == best->value && found.row < best->row);
        if (is_better) *best = found;
      });
    }
  });
  // [/messages]
  const auto larger = [](const greatest& a, const greatest& b) {
    return a.value > b.value || (a.value == b.value && a.row < b.row) ? a : b;
  };
  const greatest of_all = column.all_reduce(row.broadcast(*best), larger);
  const greatest expected = by_hand(world.n_pes() / width * n_of_block, width * n_of_block);
  return of_all.value == expected.value && of_all.row == expected.row;
}

int multiply_on_grid(shoal::world& world) {
  const bool is_right = multiply(world);
  return world.min(is_right ? 1 : 0) == 1 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return shoal::run(argc, argv, multiply_on_grid); }
