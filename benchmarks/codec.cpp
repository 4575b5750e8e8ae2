// The cost of encoding and decoding one buffer, with each instruction set: squeeze on items of 8 and 16 bytes, of which
// 16, 32 or 48 bits of each word vary; delta on ascending keys; finding out that squeeze does not pay; zstd on text.
// Times are ns per byte of plain payload, for buffers of 32 KiB in the cache; derived lines say GB/s.
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "benchmarks/support/benchmark.hpp"
#include "shoal/base/random.hpp"
#include "shoal/codec/internal/codec_table.hpp"

namespace {

using namespace shoal;
using namespace shoal::internal;
using bytes = std::vector<std::byte>;

constexpr std::size_t payload_bytes = 32 * 1024;

bytes words_with_varying_bits(unsigned n_bits, unsigned shift) {
  random_engine random(1);
  std::vector<std::uint64_t> words(payload_bytes / 8);
  for (std::uint64_t& word : words) word = (random() >> (64 - n_bits)) << shift | 1ull << 62;
  const auto as_bytes = std::as_bytes(std::span(words));
  return {as_bytes.begin(), as_bytes.end()};
}

// Every second bit of 2 * n_bits varies, so that shifts cannot pack them.
bytes words_with_scattered_bits(unsigned n_bits) {
  random_engine random(1);
  std::vector<std::uint64_t> words(payload_bytes / 8);
  const std::uint64_t mask = 0x5555555555555555 >> (64 - 2 * n_bits);
  for (std::uint64_t& word : words) word = random() & mask;
  const auto as_bytes = std::as_bytes(std::span(words));
  return {as_bytes.begin(), as_bytes.end()};
}

bytes ascending_keys() {
  random_engine random(1);
  std::vector<std::uint64_t> keys(payload_bytes / 8);
  std::uint64_t key = 0;
  for (std::uint64_t& k : keys) k = key += random.below(256);
  const auto as_bytes = std::as_bytes(std::span(keys));
  return {as_bytes.begin(), as_bytes.end()};
}

bytes text() {
  random_engine random(1);
  std::string all;
  while (all.size() < payload_bytes) all += "{\"vertex\": " + std::to_string(random.below(1'000'000)) + "}\n";
  const auto as_bytes = std::as_bytes(std::span(all)).first(payload_bytes);
  return {as_bytes.begin(), as_bytes.end()};
}

class codec_benchmark {
public:
  explicit codec_benchmark(bench::benchmark& all) : all_(all), n_runs_(all.is_smoke() ? 20 : 4000) {}

  void run(instruction_set set, codec_number number, const std::string& name, const bytes& items,
           std::size_t item_bytes) {
    const codec_table table = standard_codecs(set);
    if (table.find(number) == nullptr) return;
    const std::string full_name = std::string(table.find(number)->name()) + "_" + name + "_" +
                                  (number == codec_number::zstd ? "" : std::string(to_text(set)) + "_");
    bytes wire(payload_bytes);
    bytes back(payload_bytes);
    std::size_t n = 0;
    const auto encode = [&] {
      for (int i = 0; i < n_runs_; ++i) n = table.encode(number, items, item_bytes, wire);
    };
    const auto decode = [&] {
      for (int i = 0; i < n_runs_; ++i) table.decode(std::span(wire).first(n), item_bytes, back);
    };
    encode();
    const std::string parameters = "encoded_bytes=" + std::to_string(n);
    measure(full_name + "encode", parameters, encode, [] { return true; });
    if (n > 0) measure(full_name + "decode", parameters, decode, [&] { return back == items; });
  }

private:
  template <class Run, class Verify>
  void measure(const std::string& name, const std::string& parameters, Run&& work, Verify&& verify) {
    const double n_bytes = double(payload_bytes) * n_runs_;
    const double ns_per_byte = all_.measure({name, n_bytes, "ns", parameters}, work, verify);
    all_.derive(name + "_gb_per_s", 1 / ns_per_byte);
  }

  bench::benchmark& all_;
  int n_runs_;
};

int run_benchmark(world& w, const bench::options& given) {
  bench::benchmark all(w, "codec", given);
  codec_benchmark codecs(all);
  for (const instruction_set set : all_instruction_sets) {
    if (!is_supported(set)) continue;
    for (const unsigned n_bits : {16, 32, 48}) {
      const bytes items = words_with_varying_bits(n_bits, 3);
      const std::string bits = "of_" + std::to_string(n_bits) + "_bits";
      codecs.run(set, codec_number::squeeze, "8_" + bits, items, 8);
      codecs.run(set, codec_number::squeeze, "16_" + bits, items, 16);
    }
    codecs.run(set, codec_number::squeeze, "8_scattered_16_bits", words_with_scattered_bits(16), 8);
    codecs.run(set, codec_number::squeeze, "24_of_16_bits", words_with_varying_bits(16, 3), 24);
    codecs.run(set, codec_number::squeeze, "4_of_16_bits", words_with_varying_bits(16, 3), 4);
    codecs.run(set, codec_number::squeeze, "8_noise", words_with_varying_bits(60, 0), 8);
    codecs.run(set, codec_number::delta, "8_ascending", ascending_keys(), 8);
  }
  codecs.run(instruction_set::portable, codec_number::zstd, "text", text(), 0);
  return all.status();
}

}  // namespace

int main(int argc, char** argv) {
  return run(argc, argv, [&](world& w) {
    const bench::options given = bench::parse_options(argc, argv);
    bench::refuse_others(given);
    return run_benchmark(w, given);
  });
}
