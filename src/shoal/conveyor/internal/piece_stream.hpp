/// A stream of pieces of arrays, for the collective calls of the layers above.
///
/// A session ends on a PE once every PE has sent its last piece and this PE has pulled all that came. So it needs no
/// round. Nobody limits what comes in: its owner has a place for each piece that may arrive, and pulls until nothing is
/// left.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "shoal/base/types.hpp"
#include "shoal/conveyor/internal/record.hpp"
#include "shoal/conveyor/internal/record_reader.hpp"
#include "shoal/conveyor/internal/stream.hpp"

namespace shoal::internal {

/// What a piece is a piece of, where one PE sends two arrays to another. Records carry it as their kind.
enum class piece_kind : std::uint32_t {
  first = static_cast<std::uint32_t>(record_kind::item),
  second = static_cast<std::uint32_t>(record_kind::fragment),
};

struct piece {
  piece_kind kind = piece_kind::first;
  pe_id from = 0;
  std::span<const std::byte> bytes;
};

class piece_stream {
public:
  /// Collective, and throws, as a stream's.
  explicit piece_stream(exchange& through);
  ~piece_stream();
  piece_stream(const piece_stream&) = delete;
  piece_stream& operator=(const piece_stream&) = delete;

  /// The most bytes of a piece; with it, pieces fill their buffers.
  std::size_t piece_bytes_max() const noexcept { return piece_bytes_max_; }

  /// Begins a session. All PEs do. Does not wait.
  void begin();

  /// Sends a piece from the beginning of `bytes` and returns its size; 0: no room now. Pieces of one kind arrive at a PE
  /// in the order sent. Local, nonblocking.
  std::size_t send(piece_kind kind, std::span<const std::byte> bytes, pe_id target);

  /// The next piece that has arrived; false if there is none now. It is readable until the next pull. Local,
  /// nonblocking.
  bool pull(piece& next);

  /// Posts all partly filled buffers, also those of pieces passed on. Returns whether something lies here that was not
  /// pulled, as what this PE has just sent to itself: nothing else would wake it for that. Local, nonblocking.
  bool flush() noexcept;

  /// Only after the last `send` of a session. Ends the session, as far as possible now; true if it has ended. Local,
  /// nonblocking.
  bool try_end();

private:
  stream stream_;
  std::size_t piece_bytes_max_;
  const buffer* front_ = nullptr;  // the buffer whose pieces are pulled
  record_reader records_;
  std::uint32_t n_read_ = 0;  // pieces pulled from it
  tag_origins origins_;
};

}  // namespace shoal::internal
