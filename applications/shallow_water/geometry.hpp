/// The grid: a rectangle of equal cells, of which a patch holds a block.
#pragma once

#include <cstddef>
#include <optional>

namespace shoal::swe {

enum class side { left, right, bottom, top };

inline constexpr side all_sides[] = {side::left, side::right, side::bottom, side::top};

constexpr side opposite(side of) {
  switch (of) {
    case side::left: return side::right;
    case side::right: return side::left;
    case side::bottom: return side::top;
    case side::top: return side::bottom;
  }
  return of;
}

/// What is beyond a side of the domain.
enum class boundary {
  wall,  // the mirror image of the water before it
  outflow,  // the same water
};

/// A rectangle in metres, with `n_x` times `n_y` cells.
struct domain {
  double x_begin = 0;
  double x_end = 1;
  double y_begin = 0;
  double y_end = 1;
  std::size_t n_x = 1;
  std::size_t n_y = 1;

  double dx() const { return (x_end - x_begin) / static_cast<double>(n_x); }
  double dy() const { return (y_end - y_begin) / static_cast<double>(n_y); }

  /// The centre of a cell of the domain. It depends on the cell alone, not on the patch that asks.
  double x_of(std::size_t i) const { return x_begin + (static_cast<double>(i) + 0.5) * dx(); }
  double y_of(std::size_t j) const { return y_begin + (static_cast<double>(j) + 0.5) * dy(); }
};

/// The cells of a domain that a patch holds.
struct block {
  std::size_t first_x = 0;
  std::size_t first_y = 0;
  std::size_t n_x = 1;
  std::size_t n_y = 1;

  std::size_t n_cells() const { return n_x * n_y; }

  /// Cells along a side.
  std::size_t length_of(side at) const { return at == side::left || at == side::right ? n_y : n_x; }
};

/// Cells of a domain, or patches of one, along x and y.
struct grid_size {
  std::size_t x = 1;
  std::size_t y = 1;

  std::size_t n() const { return x * y; }
};

/// The patch beyond a side of patch `number`, of which there are `all`, counted along x first. Empty at the end of the
/// domain.
constexpr std::optional<std::size_t> neighbour_of(std::size_t number, side at, const grid_size& all) {
  const std::size_t x = number % all.x;
  const std::size_t y = number / all.x;
  switch (at) {
    case side::left: return x == 0 ? std::nullopt : std::optional(number - 1);
    case side::right: return x + 1 == all.x ? std::nullopt : std::optional(number + 1);
    case side::bottom: return y == 0 ? std::nullopt : std::optional(number - all.x);
    case side::top: return y + 1 == all.y ? std::nullopt : std::optional(number + all.x);
  }
  return std::nullopt;
}

}  // namespace shoal::swe
