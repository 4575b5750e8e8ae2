// Buffers of records and runs as streams write them, encoded as words and damaged on the wire: a decoder refuses them
// or fills its room, and a reader of the result stays inside it. The input determines the records, the damage to their
// encoding, and where it is cut off.
//
// Built and run for some seconds by words.test.sh. To run it for long:
//
//     FUZZ_SECONDS=3600 ctest --preset dev -R fuzz.words
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <vector>

#include "shoal/codec/internal/codec_table.hpp"
#include "shoal/conveyor/internal/record.hpp"
#include "shoal/conveyor/internal/record_reader.hpp"

namespace {

using namespace shoal;
using namespace shoal::internal;
using bytes = std::vector<std::byte>;

void require(bool condition) {
  if (!condition) std::abort();
}

// The fuzzer's bytes one after the other, followed by zeros.
class script {
public:
  script(const std::uint8_t* data, std::size_t size) : at_(data), end_(data + size) {}

  bool is_at_end() const { return at_ == end_; }
  std::uint8_t byte() { return is_at_end() ? std::uint8_t{0} : *at_++; }
  std::size_t word() { return byte() | static_cast<std::size_t>(byte()) << 8; }

private:
  const std::uint8_t* at_;
  const std::uint8_t* end_;
};

// Memory that ends where its contents end, aligned like a payload, so that one byte too far is detected.
class exact_bytes {
public:
  explicit exact_bytes(std::span<const std::byte> contents) : exact_bytes(contents.size()) {
    std::ranges::copy(contents, memory_.get());
  }
  explicit exact_bytes(std::size_t size)
      : memory_(static_cast<std::byte*>(::operator new(size, std::align_val_t{64}))), size_(size) {}

  std::span<std::byte> all() const { return {memory_.get(), size_}; }

private:
  struct free_aligned {
    void operator()(std::byte* p) const { ::operator delete(p, std::align_val_t{64}); }
  };
  std::unique_ptr<std::byte, free_aligned> memory_;
  std::size_t size_;
};

// Up to 60 groups of equal records, each like the previous one but for a byte, in a buffer of a few KiB, so that a run
// is short. Bits of a group's first byte: another kind, another size, number of records.
bytes records_of(script& from) {
  constexpr std::size_t enough_bytes = 4096;
  bytes payload;
  run_header header{.type = static_cast<std::uint32_t>(record_kind::item), .n_items = 16};
  bytes item(256);
  for (int n_left = from.byte() % 60; n_left >= 0 && payload.size() < enough_bytes; --n_left) {
    const std::uint8_t change = from.byte();
    if (change & 1) header.type = change >> 1 & 3;
    if (change & 8) header.n_items = from.byte();
    item[from.byte()] = static_cast<std::byte>(from.byte());
    for (int n_alike = change >> 4; n_alike >= 0; --n_alike) {
      payload.resize((payload.size() + 7) / 8 * 8);
      const std::size_t begin = payload.size() + sizeof header;
      payload.resize(begin + header.n_items);
      write_run_header(payload.data() + begin, header);
      std::copy_n(item.begin(), header.n_items, payload.begin() + static_cast<std::ptrdiff_t>(begin));
    }
  }
  return payload;
}

void read_records(std::span<const std::byte> payload) {
  const std::byte* const end = payload.data() + payload.size();
  record_reader records(payload.data(), end);
  const std::byte* last_end = payload.data();
  record r;
  while (!records.is_at_end() && records.read(r)) {
    require(r.bytes.data() >= last_end + sizeof(run_header) && r.bytes.data() + r.bytes.size() <= end);
    last_end = r.bytes.data() + r.bytes.size();
    volatile std::byte sink{};
    for (const std::byte b : r.bytes) sink = b;
  }
}

decode_status decode(const codec_table& table, std::span<const std::byte> wire, std::span<std::byte> room) {
  const exact_bytes in(wire);
  const decoded_payload d = table.decode(in.all(), 0, room);
  require(d.bytes <= room.size() && (d.status == decode_status::ok || d.bytes == 0));
  if (d.status == decode_status::ok) read_records(room.first(d.bytes));
  return d.status;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const codec_table table = standard_codecs();
  script input(data, size);
  const codec_number number = input.byte() % 2 == 0 ? codec_number::squeeze : codec_number::delta;
  const bytes payload = records_of(input);
  bytes wire(worthwhile_bytes(payload.size()));
  wire.resize(table.encode(number, payload, 0, wire));
  if (wire.empty()) return 0;  // not worth it
  const exact_bytes room(payload.size());
  require(decode(table, wire, room.all()) == decode_status::ok);
  require(std::ranges::equal(room.all(), payload));

  // Whatever is cut off or added is detected, because a decoder knows how many words it needs.
  const std::size_t n_kept = input.word() % wire.size();
  require(decode(table, std::span(wire).first(n_kept), room.all()) != decode_status::ok);
  wire.push_back(std::byte{input.byte()});
  require(decode(table, wire, room.all()) != decode_status::ok);
  wire.pop_back();

  // Damage accumulates. Damage to a value is not detected, but a payload of as many bytes comes back.
  for (int n_left = 32; n_left > 0 && !input.is_at_end(); --n_left) {
    const std::size_t place = input.word() % wire.size();
    wire[place] ^= std::byte{input.byte()};
    decode(table, wire, room.all());
  }
  return 0;
}
