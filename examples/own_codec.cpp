// A codec of one's own, for what only the program knows of its items. Here they are strings of 16 bases of DNA, a byte for
// each, of which two bits say everything. Between nodes a buffer of them takes a quarter of the bytes.
// pes: 1 2 3 4 7
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include <shoal/codec/codec.hpp>
#include <shoal/shoal.hpp>

namespace {

using sequence = std::array<char, 16>;

// A base is at the place that two bits of its letter say.
constexpr std::string_view bases = "ACTG";
constexpr std::size_t place_of(char letter) { return static_cast<unsigned char>(letter) >> 1 & 3; }

// [codec]
// Packs strings of A, C, G and T: four letters a byte.
class dna final : public shoal::codec {
public:
  std::string_view name() const noexcept override { return "dna"; }

  std::size_t encode(std::span<const std::byte> items, std::size_t item_bytes,
                     std::span<std::byte> out) noexcept override {
    if (item_bytes != sizeof(sequence) || out.size() < items.size() / 4) return 0;
    for (std::size_t i = 0; i < items.size(); i += 4) {
      unsigned packed = 0;
      for (std::size_t k = 0; k < 4; ++k) {
        const auto letter = static_cast<char>(items[i + k]);
        if (bases[place_of(letter)] != letter) return 0;  // something else: the buffer travels as it is
        packed |= static_cast<unsigned>(place_of(letter)) << 2 * k;
      }
      out[i / 4] = static_cast<std::byte>(packed);
    }
    return items.size() / 4;
  }

  bool decode(std::span<const std::byte> body, std::size_t item_bytes, std::span<std::byte> items) noexcept override {
    if (item_bytes != sizeof(sequence) || body.size() != items.size() / 4) return false;
    for (std::size_t i = 0; i < items.size(); ++i) {
      items[i] = static_cast<std::byte>(bases[std::to_integer<unsigned>(body[i / 4]) >> 2 * (i % 4) & 3]);
    }
    return true;
  }

  double ns_per_byte(std::size_t) const noexcept override { return 1; }
};
// [/codec]

// Sequence i of a PE.
sequence sequence_of(shoal::pe_id pe, std::int64_t i) {
  shoal::random_engine random(static_cast<std::uint64_t>(i), pe);
  sequence s;
  for (char& letter : s) letter = bases[random.below(4)];
  return s;
}

int send_and_check(shoal::world& world) {
  constexpr std::int64_t n_to_each = 3'000;
  const std::int64_t n_pes = world.n_pes();
  // [use]
  world.use_codec(shoal::codec_number::first_user, std::make_unique<dna>());
  std::vector<std::vector<sequence>> arrived(n_pes);  // by sender
  shoal::actor reads{world, [&](const sequence& s, shoal::pe_id from) { arrived[from].push_back(s); }};
  // [/use]
  world.finish([&] {
    for (std::int64_t i = 0; i < n_to_each * n_pes; ++i) reads.send(i % n_pes, sequence_of(world.my_pe(), i));
  });

  std::int64_t n_wrong = 0;
  for (shoal::pe_id from = 0; from < n_pes; ++from) {
    n_wrong += std::ssize(arrived[from]) != n_to_each;
    for (std::int64_t k = 0; k < std::ssize(arrived[from]); ++k) {
      n_wrong += arrived[from][k] != sequence_of(from, k * n_pes + world.my_pe());
    }
  }
  n_wrong = world.sum(n_wrong);
  const std::uint64_t n_bytes = world.sum(reads.counts().n_bytes);
  const std::uint64_t n_spared = world.sum(reads.counts().n_spared);  // none if all PEs are on one node
  if (world.my_pe() == 0) {
    std::printf("sequences: %s; bytes sent: %llu, spared by the codec: %llu\n", n_wrong == 0 ? "right" : "wrong",
                static_cast<unsigned long long>(n_bytes), static_cast<unsigned long long>(n_spared));
  }
  return n_wrong == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return shoal::run(argc, argv, send_and_check); }
