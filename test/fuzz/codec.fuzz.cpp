// A decoder must survive any input from the wire. The first byte of the input chooses: decode the rest, encode it and
// see whether it comes back, or damage what was encoded before decoding it. All instruction sets must agree each time.
//
// Built and run for some seconds by codec.test.sh. To run it for long:
//
//     FUZZ_SECONDS=3600 ctest --preset dev -R fuzz.codec
#include <cstdlib>
#include <cstring>
#include <span>
#include <vector>

#include "shoal/codec/internal/codec_table.hpp"

namespace {

using namespace shoal;
using namespace shoal::internal;
using bytes = std::vector<std::byte>;

constexpr std::size_t room_bytes = 1 << 16;

void require(bool condition) {
  if (!condition) std::abort();
}

std::vector<codec_table> make_tables() {
  std::vector<codec_table> tables;
  for (const instruction_set set : all_instruction_sets) {
    if (is_supported(set)) tables.push_back(standard_codecs(set));
  }
  return tables;
}

void decode_anything(const std::vector<codec_table>& tables, std::size_t item_bytes, std::span<const std::byte> wire) {
  bytes first;
  for (const codec_table& table : tables) {
    bytes out(room_bytes);
    const decoded_payload d = table.decode(wire, item_bytes, out);
    require(d.bytes <= out.size() && (d.status == decode_status::ok || d.bytes == 0));
    out.resize(d.bytes);
    if (&table == &tables.front()) first = out;
    require(out == first);
  }
}

// Changes four bytes of the encoded `items`, chosen by the first words of the items.
void damage_and_decode(const std::vector<codec_table>& tables, codec_number number, std::size_t item_bytes,
                       std::span<const std::byte> items) {
  bytes wire(worthwhile_bytes(items.size()));
  wire.resize(tables.front().encode(number, items, item_bytes, wire));
  if (wire.empty()) return;
  for (std::size_t i = 0; i < 4; ++i) {
    std::uint32_t word = 0;
    std::memcpy(&word, items.data() + i * sizeof word, sizeof word);
    wire[(word >> 8) % wire.size()] ^= static_cast<std::byte>(word);
  }
  decode_anything(tables, item_bytes, wire);
}

void encode_and_decode(const std::vector<codec_table>& tables, codec_number number, std::size_t item_bytes,
                       std::span<const std::byte> items) {
  bytes first;
  for (const codec_table& table : tables) {
    bytes wire(worthwhile_bytes(items.size()));
    wire.resize(table.encode(number, items, item_bytes, wire));
    if (&table == &tables.front()) first = wire;
    require(wire == first);
    if (wire.empty()) continue;
    bytes out(items.size());
    require(table.decode(wire, item_bytes, out).status == decode_status::ok);
    require(std::memcmp(out.data(), items.data(), items.size()) == 0);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::vector<codec_table> tables = make_tables();
  if (size < 2) return 0;
  const auto input = std::as_bytes(std::span(data, size)).subspan(2);
  const std::size_t item_bytes = data[1];
  const codec_number number{static_cast<std::uint8_t>(data[0] % 4)};
  if (number == codec_number::none) {
    // Sizes are set as the header says, so that the fuzzer need not guess twice.
    std::uint32_t in_header = 0;
    if (input.size() >= 8) std::memcpy(&in_header, input.data() + 4, sizeof in_header);
    decode_anything(tables, in_header, input);
  } else if (data[0] / 4 % 2 == 0) {
    encode_and_decode(tables, number, item_bytes, input);
  } else {
    damage_and_decode(tables, number, item_bytes, input);
  }
  return 0;
}
