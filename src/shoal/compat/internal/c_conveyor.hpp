/// What a convey_t points to: a conveyor of items of one size or of any size, chosen at run time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#define SHOAL_CONVEY_NO_INLINE
#include "shoal/compat/include/convey.h"
#include "shoal/compat/include/convey_codec.h"
#include "shoal/compat/include/shoal_compat/convey_open.h"
#include "shoal/compat/internal/convey_errors.hpp"
#include "shoal/compat/internal/process_world.hpp"
#include "shoal/conveyor/conveyor.hpp"
#include "shoal/conveyor/elastic_conveyor.hpp"

namespace shoal::internal::compat {

/// Shows the inlined part of pushes and pulls where the buffers are.
class open_conveyor final : public byte_conveyor {
public:
  using byte_conveyor::byte_conveyor;

  /// Encodes what goes to other nodes by `its`, from the next session on, which has items of `item_bytes`; null: as the job
  /// does. All PEs call it, dormant. Local.
  void encode_by(const convey_codec_t* its, void* argument, std::size_t item_bytes);

  /// Local. After each call that may change what is there: begin, advance and reset.
  void show(shoal_convey_open& to) noexcept;

private:
  bool has_codec_ = false;
};

}  // namespace shoal::internal::compat

/// The name is C's. The header's inline functions take its address for that of its base.
struct conveyor final : shoal_convey_open {
  /// Takes memory for handed-out items from `memory`, if that is not null. Throws setup_error.
  conveyor(shoal::world& in, bool of_any_size, int hops, const convey_alc8r_t* memory, std::uint64_t chosen);
  ~conveyor();
  conveyor(const conveyor&) = delete;
  conveyor& operator=(const conveyor&) = delete;

  /// What serves this session. Not of a shell.
  shoal::conveyor_base& base() noexcept {
    return is_fixed ? static_cast<shoal::conveyor_base&>(*fixed) : static_cast<shoal::conveyor_base&>(*elastic);
  }
  bool is_shell() const noexcept { return !fixed && !elastic; }
  shoal::conveyor_state state() noexcept { return is_shell() ? shoal::conveyor_state::dormant : base().state(); }
  void end() noexcept;

  /// One is made at once. One of fixed size that is to carry items larger than it can gets the other, too.
  std::optional<shoal::internal::compat::open_conveyor> fixed;
  std::optional<shoal::elastic_conveyor> elastic;

  bool is_fixed = false;
  const bool is_elastic;  // as constructed
  const convey_codec_t* codec = nullptr;  // for items of one size; null: Shoal chooses
  void* codec_argument = nullptr;
  const int n_hops;
  const std::uint64_t options;
  shoal::internal::compat::error_log errors;
  std::int64_t n_pes;
  std::size_t largest_item;  // that fits into a buffer; counts if items have one size

  /// Shows the header's inline functions what they may do now.
  void show() noexcept {
    if (is_fixed) fixed->show(*this);
  }

  // Of the session.
  std::size_t align = 1;
  bool is_done = false;

  std::size_t default_item_bytes = 0;  // of bale 1

  /// Counts since the session began, and of the sessions before. Of pushes and pulls: without those of shoal_convey_open.
  struct counters {
    std::int64_t by_kind[convey_CUMULATIVE] = {};
  };
  counters now;
  counters before;
  shoal::conveyor_counts at_begin;

  void make_elastic(shoal::world& in);

  /// An aligned copy of the item that was handed out last.
  void* aligned_copy(const void* item, std::size_t bytes);

private:
  bool is_steady() const noexcept { return (options & convey_opt_PROGRESS) != 0; }

  const shoal::internal::compat::end_with_job end_{[](void* its) noexcept { static_cast<conveyor*>(its)->end(); },
                                                   this};
  std::optional<convey_alc8r_t> memory_;
  void* grabbed_ = nullptr;
  std::byte* copy_ = nullptr;
  std::size_t copy_bytes_ = 0;
};
