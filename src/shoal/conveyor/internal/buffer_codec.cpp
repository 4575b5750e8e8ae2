#include "shoal/conveyor/internal/buffer_codec.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "shoal/base/internal/ambient.hpp"
#include "shoal/base/setup_error.hpp"
#include "shoal/substrate/internal/link_costs.hpp"

namespace shoal::internal {

buffer_codec::buffer_codec(substrate& backend, double ns_per_byte) noexcept
    : backend_(backend),
      is_price_fixed_(ns_per_byte >= 0),
      ns_per_byte_(is_price_fixed_ ? ns_per_byte : backend.links().byte_ns()) {}

// Follows only changes that may matter, since with each one all links try again whether encoding pays.
double buffer_codec::ns_per_byte() noexcept {
  if (is_price_fixed_) return ns_per_byte_;
  constexpr double matters = 1.25;
  const double now = backend_.links().byte_ns();
  if (now > matters * ns_per_byte_ || now * matters < ns_per_byte_) ns_per_byte_ = now;
  return ns_per_byte_;
}

void buffer_codec::use(codec_number number, std::unique_ptr<codec> own) {
  if (codecs_.find(codec_number::squeeze) == nullptr) codecs_ = standard_codecs();
  if (own != nullptr) codecs_.add(number, std::move(own));
  if (number != codec_number::best && codecs_.find(number) == nullptr) {
    throw setup_error("this Shoal has no codec " + std::to_string(static_cast<int>(number)) +
                      "; choose squeeze or delta (SHOAL_CODEC), or add one with use_codec");
  }
  trials_.clear();
  learnt_.clear();
  if (number == codec_number::best) {
    for (const codec_number known : {codec_number::squeeze, codec_number::delta, codec_number::zstd}) {
      if (codecs_.find(known) != nullptr) trials_.push_back({.number = known});
    }
  }
  number_ = number;
  prepare();
}

// Encoding takes half of a codec's time, decoding the other half.
void buffer_codec::charge(codec_number number, std::uint32_t item_bytes, std::size_t bytes) noexcept {
  if (const codec* const its = codecs_.find(number)) {
    backend_.charge_ns(static_cast<std::uint64_t>(its->ns_per_byte(item_bytes) * static_cast<double>(bytes) / 2));
  }
}

// Encodes the items of a closed buffer into scratch_.
codec_trial buffer_codec::try_codec(codec_number number, const buffer& b, std::uint32_t item_bytes) noexcept {
  const std::span<const std::byte> items{b.payload(), b.header.item_bytes()};
  const codec* const tried = codecs_.find(number);
  const double expected_ns = tried == nullptr ? 0 : tried->ns_per_byte(item_bytes) * static_cast<double>(items.size());
  const std::uint64_t begin_ns = backend_.now_ns();
  const std::size_t n = codecs_.encode(number, items, item_bytes, scratch_);
  if (n != 0) charge(number, item_bytes, items.size());
  // Decoding takes about as long as encoding. The estimate counts where no time passes (sim) or the clock is coarse.
  const double measured_ns = 2.0 * static_cast<double>(backend_.now_ns() - begin_ns);
  return {number, n, n == 0 ? measured_ns : std::max(expected_ns, measured_ns)};
}

codec_number buffer_codec::choose(const buffer& b, std::uint32_t item_bytes, codec_choice& choice) noexcept {
  if (trials_.empty()) return number_;
  if (choice.should_compare()) {
    for (codec_trial& trial : trials_) trial = try_codec(trial.number, b, item_bytes);
    choice.compare(b.header.item_bytes(), trials_);
  }
  return choice.chosen();
}

void buffer_codec::take_learnt(std::uint32_t item_bytes, codec_choice& choice) noexcept {
  const auto found = std::ranges::find(learnt_, item_bytes, &learnt::item_bytes);
  if (found == learnt_.end() || found->n_left == 0) return;
  --found->n_left;
  choice = found->choice;
}

void buffer_codec::note_learnt(std::uint32_t item_bytes, const codec_choice& choice) noexcept {
  // Other items of this size may be of another kind, and a first buffer untypical, so some link compares again.
  constexpr std::uint32_t n_links_if_on = 64;
  constexpr std::uint32_t n_links_if_off = 8;
  const learnt now{item_bytes, choice.policy().is_on() ? n_links_if_on : n_links_if_off, choice.for_new_link()};
  const auto found = std::ranges::find(learnt_, item_bytes, &learnt::item_bytes);
  if (found == learnt_.end()) {
    learnt_.push_back(now);
  } else {
    *found = now;
  }
}

void buffer_codec::encode(buffer& b, std::uint32_t item_bytes, codec_choice& choice) noexcept {
  const std::uint32_t plain = b.header.item_bytes();
  // A nearly empty buffer says nothing about its link, so it is not tried.
  constexpr std::uint32_t least_bytes = 128;
  if (plain < least_bytes) return;
  if (choice.is_new()) take_learnt(item_bytes, choice);
  choice.set_price(ns_per_byte());
  if (!choice.should_try()) return;
  const bool compares = choice.is_new() && !trials_.empty();
  const codec_trial trial = try_codec(choose(b, item_bytes, choice), b, item_bytes);
  if (trial.encoded_bytes != 0) {
    replace_items(b, trial.encoded_bytes);
    b.header.flags |= buffer_header::encoded;
  }
  choice.record(plain, trial);
  if (compares) note_learnt(item_bytes, choice);
}

void buffer_codec::decode(buffer& b, std::uint32_t item_bytes) noexcept {
  encoded_header head;
  std::memcpy(&head, b.payload(), std::min<std::size_t>(sizeof head, b.header.item_bytes()));
  const decoded_payload d = codecs_.decode({b.payload(), b.header.item_bytes()}, item_bytes, scratch_);
  if (d.status != decode_status::ok || d.bytes + b.header.tag_bytes > backend_.payload_bytes())
    end_job_over(b, d.status);
  charge(codec_number{head.codec}, item_bytes, d.bytes);
  replace_items(b, d.bytes);
  b.header.flags &= static_cast<std::uint8_t>(~buffer_header::encoded);
}

// Replaces the items of a buffer by what is in scratch_. The tags follow.
void buffer_codec::replace_items(buffer& b, std::size_t bytes) noexcept {
  std::memmove(b.payload() + bytes, b.payload() + b.header.item_bytes(), b.header.tag_bytes);
  std::memcpy(b.payload(), scratch_.data(), bytes);
  b.header.bytes = static_cast<std::uint32_t>(bytes) + b.header.tag_bytes;
}

void buffer_codec::end_job_over(const buffer& b, decode_status status) noexcept {
  end_job(status_failure, "a buffer from PE " + std::to_string(b.header.source) + " cannot be decoded (" +
                              std::string(to_text(status)) + "); are all PEs of one build and one SHOAL_CODEC?");
}

// What such a buffer begins with is the header of the others, of no codec of the job's.
void buffer_codec::encode_by(link_codec& own, std::size_t link, buffer& b) noexcept {
  const std::size_t plain = b.header.item_bytes();
  encoded_header head;
  head.decoded_bytes = static_cast<std::uint32_t>(plain);
  const std::size_t most = worthwhile_bytes(plain);
  if (most <= sizeof head) return;
  const std::size_t n = own.encode(link, {b.payload(), plain}, {scratch_.data() + sizeof head, most - sizeof head});
  if (n == 0) return;
  std::memcpy(scratch_.data(), &head, sizeof head);
  replace_items(b, sizeof head + n);
  b.header.flags |= buffer_header::encoded;
}

void buffer_codec::decode_by(link_codec& own, buffer& b) noexcept {
  encoded_header head;
  if (b.header.item_bytes() < sizeof head) end_job_over(b, decode_status::damaged);
  std::memcpy(&head, b.payload(), sizeof head);
  if (head.decoded_bytes + b.header.tag_bytes > backend_.payload_bytes()) end_job_over(b, decode_status::too_large);
  const std::span<const std::byte> body(b.payload() + sizeof head, b.header.item_bytes() - sizeof head);
  if (!own.decode(b.header.source, body, {scratch_.data(), head.decoded_bytes}))
    end_job_over(b, decode_status::damaged);
  replace_items(b, head.decoded_bytes);
  b.header.flags &= static_cast<std::uint8_t>(~buffer_header::encoded);
}

}  // namespace shoal::internal
