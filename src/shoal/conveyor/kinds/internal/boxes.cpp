#include "shoal/conveyor/kinds/internal/boxes.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include "shoal/base/internal/ambient.hpp"
#include "shoal/base/setup_error.hpp"

namespace shoal::internal {

boxes_base::boxes_base(shoal::internal::exchange& through, std::size_t capacity_items)
    : n_out_(static_cast<std::size_t>(through.n_pes())),
      capacity_(capacity_items),
      n_pes_(through.n_pes()),
      n_in_(n_out_.size()),
      n_read_(n_out_.size()) {
  if (capacity_ == 0)
    end_job(status_usage, "a conveyor with room for 0 items to each PE carries nothing; give it 1 or more");
}

void boxes_base::no_memory(std::size_t item_bytes) const {
  throw setup_error("no memory for a conveyor with room for " + std::to_string(capacity_) + " items of " +
                    std::to_string(item_bytes) + " bytes to and from each of " + std::to_string(n_pes_) +
                    " PEs; give it less capacity");
}

std::size_t boxes_base::min_room() const noexcept {
  return capacity_ - *std::max_element(n_out_.begin(), n_out_.end());
}

std::size_t boxes_base::n_outgoing() const noexcept {
  return std::accumulate(n_out_.begin(), n_out_.end(), std::size_t{0});
}

bool boxes_base::put_back() noexcept { return last_ != SIZE_MAX && put_back(static_cast<pe_id>(last_)); }

bool boxes_base::put_back(pe_id source) noexcept {
  const auto box = static_cast<std::size_t>(source);
  if (n_read_[box] == 0) return false;
  --n_read_[box];
  ++n_unread_;
  source_ = std::min(source_, box);
  last_ = SIZE_MAX;
  return true;
}

std::size_t boxes_base::place_in(pe_id source) {
  const auto box = static_cast<std::size_t>(source);
  if (n_in_[box] == capacity_) {
    end_job(status_usage, "PE " + std::to_string(source) + " sent more than the " + std::to_string(capacity_) +
                              " items that there is room for; all PEs must give the same capacity");
  }
  ++n_unread_;
  return box * capacity_ + n_in_[box]++;
}

void boxes_base::begin_carry() noexcept {
  std::fill(n_in_.begin(), n_in_.end(), 0);
  std::fill(n_read_.begin(), n_read_.end(), 0);
  n_unread_ = 0;
  source_ = 0;
  last_ = SIZE_MAX;
}

void boxes_base::end_carry() noexcept { std::fill(n_out_.begin(), n_out_.end(), 0); }

void boxes_base::drop() noexcept {
  begin_carry();
  end_carry();
}

}  // namespace shoal::internal
