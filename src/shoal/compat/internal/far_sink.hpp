/// Reads buffers of aggregated calls and of their answers: runs of two kinds, and records between them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "shoal/base/types.hpp"
#include "shoal/compat/internal/mixed_reader.hpp"
#include "shoal/conveyor/internal/item_kind.hpp"
#include "shoal/conveyor/internal/sink.hpp"
#include "shoal/conveyor/internal/stream.hpp"

namespace shoal::internal::compat {

/// Handlers of the program may be held (dispatch::hold_handlers); these never are, since they run no code of it.
class far_sink : public sink {
public:
  bool consume(const buffer& b, position& from, std::uint64_t& n_items) final;
  std::string how_to_send_less() const final { return "complete calls more often (shmem_quiet)"; }

protected:
  explicit far_sink(stream& of) noexcept : stream_(of), reader_(of, *this) {}
  ~far_sink() = default;

  /// Items of one kind that PE `from` sent. Returns the end of the last one taken, which is before `end` only if the
  /// delivery says so.
  virtual const std::byte* take_words(const std::byte* first, const std::byte* end, pe_id from) = 0;
  virtual const std::byte* take_questions(const std::byte* first, const std::byte* end, pe_id from) = 0;
  virtual void take_whole(std::span<const std::byte> bytes, pe_id from) = 0;

  bool must_stop() const noexcept { return stream_.now().must_stop(); }
  [[noreturn]] void refuse(pe_id from) const;

private:
  friend class mixed_reader<far_sink>;
  const item_kind& kind_with(std::uint32_t number, pe_id from) const;
  const std::byte* take_run(const buffer& b, const item_kind& kind, const std::byte* first, const std::byte* end,
                            std::uint32_t i);

  stream& stream_;
  mixed_reader<far_sink> reader_;
};

}  // namespace shoal::internal::compat
