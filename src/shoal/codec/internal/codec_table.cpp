#include "shoal/codec/internal/codec_table.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "shoal/base/setup_error.hpp"
#include "shoal/codec/internal/delta.hpp"
#include "shoal/codec/internal/squeeze.hpp"
#include "shoal/codec/internal/zstd.hpp"

namespace shoal::internal {

std::string_view to_text(decode_status status) noexcept {
  switch (status) {
    case decode_status::ok: return "ok";
    case decode_status::unknown_version: return "unknown version";
    case decode_status::unknown_codec: return "unknown codec";
    case decode_status::too_large: return "too large";
    case decode_status::damaged: return "damaged";
  }
  return "?";
}

void codec_table::add(codec_number number, std::unique_ptr<codec> entry) {
  const auto index = static_cast<std::size_t>(number);
  if (number == codec_number::none || number == codec_number::best) {
    throw setup_error("a codec cannot have number " + std::to_string(index) +
                      (index == 0 ? " (it means none)" : " (it means the best one)") + "; take one from " +
                      std::to_string(static_cast<int>(codec_number::first_user)) + " on");
  }
  if (codecs_[index] != nullptr) {
    throw setup_error("codec number " + std::to_string(index) + " is taken by '" + std::string(codecs_[index]->name()) +
                      "'; choose another one");
  }
  codecs_[index] = std::move(entry);
}

std::size_t codec_table::encode(codec_number number, std::span<const std::byte> items, std::size_t item_bytes,
                                std::span<std::byte> out) const noexcept {
  codec* const chosen = find(number);
  const std::size_t limit = std::min(out.size(), worthwhile_bytes(items.size()));
  if (chosen == nullptr || limit <= sizeof(encoded_header)) return 0;
  if (items.size() > UINT32_MAX || item_bytes > UINT32_MAX) return 0;

  const std::span<std::byte> body = out.first(limit).subspan(sizeof(encoded_header));
  const std::size_t body_bytes = chosen->encode(items, item_bytes, body);
  if (body_bytes == 0) return 0;
  const encoded_header header{.codec = static_cast<std::uint8_t>(number),
                              .item_bytes = static_cast<std::uint32_t>(item_bytes),
                              .decoded_bytes = static_cast<std::uint32_t>(items.size())};
  std::memcpy(out.data(), &header, sizeof header);
  return sizeof header + body_bytes;
}

decoded_payload codec_table::decode(std::span<const std::byte> encoded, std::size_t item_bytes,
                                    std::span<std::byte> out) const noexcept {
  encoded_header header;
  if (encoded.size() <= sizeof header) return {decode_status::damaged};
  std::memcpy(&header, encoded.data(), sizeof header);
  if (header.version != encoded_header::current_version) return {decode_status::unknown_version};
  codec* const chosen = find(codec_number{header.codec});
  if (chosen == nullptr) return {decode_status::unknown_codec};
  if (header.reserved != 0 || header.item_bytes != item_bytes) return {decode_status::damaged};
  if (header.decoded_bytes > out.size()) return {decode_status::too_large};

  const std::size_t bytes = header.decoded_bytes;
  const std::span<const std::byte> body = encoded.subspan(sizeof header);
  if (bytes == 0 || !chosen->decode(body, item_bytes, out.first(bytes))) return {decode_status::damaged};
  return {decode_status::ok, bytes};
}

codec_table standard_codecs(instruction_set use) {
  codec_table table;
  table.add(codec_number::squeeze, std::make_unique<squeeze_codec>(use));
  table.add(codec_number::delta, std::make_unique<delta_codec>(use));
  if (auto zstd = make_zstd_codec()) table.add(codec_number::zstd, std::move(zstd));
  return table;
}

}  // namespace shoal::internal
