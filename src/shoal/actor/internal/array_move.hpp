/// What a collective call of arrays sends and receives on one PE.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "shoal/base/types.hpp"
#include "shoal/conveyor/internal/piece_stream.hpp"

namespace shoal::internal {

/// One session of a piece_stream. Each piece that may arrive has its place already, so the PE always takes it.
class array_move {
public:
  virtual ~array_move() = default;
  array_move(const array_move&) = delete;
  array_move& operator=(const array_move&) = delete;

  /// Sends what may be sent now, as far as there is room. Returns whether it did anything. Local, nonblocking.
  virtual bool send(piece_stream& through) = 0;
  virtual bool has_sent_all() const noexcept = 0;

  /// Copies an arrived piece to its place. False: it has none, so the PEs disagree.
  virtual bool take(const piece& arrived) = 0;
  virtual bool has_taken_all() const noexcept = 0;

protected:
  array_move() = default;
};

/// Each PE has an array for each PE. Nothing else is kept.
class array_exchange final : public array_move {
public:
  /// `out`: by target. `in`: the places, by source, of the same sizes as these PEs' arrays for this one.
  array_exchange(pe_id my_pe, std::vector<std::span<const std::byte>> out, std::vector<std::span<std::byte>> in);

  bool send(piece_stream& through) override;
  bool has_sent_all() const noexcept override { return n_to_send_ == 0; }
  bool take(const piece& arrived) override;
  bool has_taken_all() const noexcept override { return n_to_take_ == 0; }

private:
  std::size_t my_pe_;
  std::vector<std::span<const std::byte>> out_;  // what is left
  std::vector<std::span<std::byte>> in_;
  std::size_t n_to_send_ = 0;  // bytes
  std::size_t n_to_take_ = 0;
};

}  // namespace shoal::internal
