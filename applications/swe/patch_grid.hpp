/// A domain cut into patches.
#pragma once

#include <cstddef>
#include <optional>

#include "applications/shallow_water/geometry.hpp"

namespace shoal::swe {

/// Patches count along x first. All are `patch_size` cells wide and high, but for the last ones of a row and of a column.
class patch_grid {
public:
  patch_grid(const domain& whole, std::size_t patch_size)
      : whole_(whole),
        patch_size_(patch_size),
        n_x_((whole.n_x + patch_size - 1) / patch_size),
        n_y_((whole.n_y + patch_size - 1) / patch_size) {}

  const domain& whole() const { return whole_; }
  std::size_t n() const { return n_x_ * n_y_; }

  block part_of(std::size_t number) const {
    block part;
    part.first_x = number % n_x_ * patch_size_;
    part.first_y = number / n_x_ * patch_size_;
    part.n_x = whole_.n_x - part.first_x < patch_size_ ? whole_.n_x - part.first_x : patch_size_;
    part.n_y = whole_.n_y - part.first_y < patch_size_ ? whole_.n_y - part.first_y : patch_size_;
    return part;
  }

  /// The patch beyond a side; empty at the end of the domain.
  std::optional<std::size_t> neighbour_of(std::size_t number, side at) const {
    const std::size_t x = number % n_x_;
    const std::size_t y = number / n_x_;
    switch (at) {
      case side::left: return x == 0 ? std::nullopt : std::optional(number - 1);
      case side::right: return x + 1 == n_x_ ? std::nullopt : std::optional(number + 1);
      case side::bottom: return y == 0 ? std::nullopt : std::optional(number - n_x_);
      case side::top: return y + 1 == n_y_ ? std::nullopt : std::optional(number + n_x_);
    }
    return std::nullopt;
  }

private:
  domain whole_;
  std::size_t patch_size_;
  std::size_t n_x_;
  std::size_t n_y_;
};

}  // namespace shoal::swe
