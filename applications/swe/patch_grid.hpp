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
        size_{(whole.n_x + patch_size - 1) / patch_size, (whole.n_y + patch_size - 1) / patch_size} {}

  const domain& whole() const { return whole_; }
  std::size_t n() const { return size_.n(); }

  block part_of(std::size_t number) const {
    block part;
    part.first_x = number % size_.x * patch_size_;
    part.first_y = number / size_.x * patch_size_;
    part.n_x = whole_.n_x - part.first_x < patch_size_ ? whole_.n_x - part.first_x : patch_size_;
    part.n_y = whole_.n_y - part.first_y < patch_size_ ? whole_.n_y - part.first_y : patch_size_;
    return part;
  }

  /// The patch beyond a side; empty at the end of the domain.
  std::optional<std::size_t> neighbour_of(std::size_t number, side at) const {
    return swe::neighbour_of(number, at, size_);
  }

private:
  domain whole_;
  std::size_t patch_size_;
  grid_size size_;
};

}  // namespace shoal::swe
