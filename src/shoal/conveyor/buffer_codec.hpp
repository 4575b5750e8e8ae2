/// How a PE encodes the buffers that leave its node, and decodes those that come from another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "shoal/codec/choice.hpp"
#include "shoal/codec/codec.hpp"
#include "shoal/substrate/substrate.hpp"

namespace shoal {

class buffer_codec {
public:
  /// Off until `use`. `ns_per_byte`: what a byte to another node costs; 0: encoding never pays.
  buffer_codec(substrate& machine, double ns_per_byte) noexcept : machine_(machine), ns_per_byte_(ns_per_byte) {}
  buffer_codec(const buffer_codec&) = delete;
  buffer_codec& operator=(const buffer_codec&) = delete;

  /// From now on, encodes with the codec of this number or, if it is `best`, each link's buffers with the one of Shoal's
  /// that gains most there. `own` is a codec of the program's, which is entered under that number, from
  /// codec_number::first_user on; null: the number is in the table already. Throws setup_error if there is no such codec
  /// or the number is taken.
  void use(codec_number number, std::unique_ptr<codec> own);

  bool is_on() const noexcept { return !scratch_.empty(); }

  /// The state that a link keeps.
  codec_choice new_choice() const noexcept { return codec_choice({.ns_per_byte = ns_per_byte_}); }

  /// Encodes the items of a closed buffer if that pays; they stay in its payload, tags after them.
  void encode(buffer& b, std::uint32_t item_bytes, codec_choice& choice) noexcept;
  /// Undoes it. Ends the job if the bytes are not what a codec of this job wrote.
  void decode(buffer& b, std::uint32_t item_bytes) noexcept;

private:
  codec_trial try_codec(codec_number number, const buffer& b, std::uint32_t item_bytes) noexcept;
  codec_number choose(const buffer& b, std::uint32_t item_bytes, codec_choice& choice) noexcept;

  substrate& machine_;
  double ns_per_byte_;
  codec_number number_ = codec_number::none;
  codec_table codecs_;
  std::vector<codec_trial> trials_;  // of each codec that a link may choose; empty: there is no choice
  std::vector<std::byte> scratch_;  // a payload that is being encoded or decoded; empty while off
};

}  // namespace shoal
