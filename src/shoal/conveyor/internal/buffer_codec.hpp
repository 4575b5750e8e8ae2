/// Encodes the buffers that leave a PE's node, and decodes those that arrive from other nodes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "shoal/codec/internal/choice.hpp"
#include "shoal/codec/internal/codec_table.hpp"
#include "shoal/conveyor/internal/link_codec.hpp"
#include "shoal/substrate/internal/substrate.hpp"

namespace shoal::internal {

class buffer_codec {
public:
  /// Off until `use`. `ns_per_byte`: the cost of sending a byte to another node; with 0, encoding never pays; below 0: what
  /// the substrate knows of it, also while the job runs.
  buffer_codec(substrate& backend, double ns_per_byte) noexcept;
  buffer_codec(const buffer_codec&) = delete;
  buffer_codec& operator=(const buffer_codec&) = delete;

  /// Encodes with codec `number` from now on. `best` picks, for each link, the codec of Shoal's that gains most there.
  /// `own` adds a codec of the program under `number`, which is then at least codec_number::first_user; null if the
  /// table already has `number`. Throws setup_error if there is no such codec or the number is taken.
  void use(codec_number number, std::unique_ptr<codec> own);

  bool is_on() const noexcept { return number_ != codec_number::none; }
  /// The cost of sending a byte to another node now.
  double ns_per_byte() noexcept;

  /// The codec state of a new link.
  codec_choice new_choice() noexcept { return codec_choice({.ns_per_byte = ns_per_byte()}); }

  /// Encodes the items of a closed buffer in place if that pays. The tags follow them.
  void encode(buffer& b, std::uint32_t item_bytes, codec_choice& choice) noexcept;
  /// Reverses `encode`. Ends the job if no codec of this job wrote the bytes.
  void decode(buffer& b, std::uint32_t item_bytes) noexcept;

  /// For streams that have a codec of their own, which need not be on for others.
  void prepare() { scratch_.resize(backend_.payload_bytes()); }
  /// As encode and decode, by the stream's codec, whose link this is. It encodes whatever gets smaller by an eighth.
  void encode_by(link_codec& own, std::size_t link, buffer& b) noexcept;
  void decode_by(link_codec& own, buffer& b) noexcept;

private:
  /// What a link has found for items of one size. Links live as long as a mailbox, often for one superstep and a few buffers, and a
  /// comparison takes longer than many of these.
  struct learnt {
    std::uint32_t item_bytes;
    std::uint32_t n_left;  // links that may still begin with it
    codec_choice choice;
  };

  void replace_items(buffer& b, std::size_t bytes) noexcept;
  [[noreturn]] static void end_job_over(const buffer& b, decode_status status) noexcept;
  codec_trial try_codec(codec_number number, const buffer& b, std::uint32_t item_bytes) noexcept;
  void charge(codec_number number, std::uint32_t item_bytes, std::size_t bytes) noexcept;
  void take_learnt(std::uint32_t item_bytes, codec_choice& choice) noexcept;
  void note_learnt(std::uint32_t item_bytes, const codec_choice& choice) noexcept;
  codec_number choose(const buffer& b, std::uint32_t item_bytes, codec_choice& choice) noexcept;

  substrate& backend_;
  bool is_price_fixed_;
  double ns_per_byte_;
  codec_number number_ = codec_number::none;
  codec_table codecs_;
  std::vector<codec_trial> trials_;  // one per codec that a link may choose; empty if there is no choice
  std::vector<learnt> learnt_;
  std::vector<std::byte> scratch_;  // the payload being encoded or decoded; empty while none is on
};

}  // namespace shoal::internal
