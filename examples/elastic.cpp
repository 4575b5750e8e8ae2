// Items of any size, below the actors: an elastic conveyor brings lines of text to the PEs that keep them, and an elastic
// biconveyor looks words up there.
// pes: 1 2 3 4 7
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <shoal/conveyor/elastic_conveyor.hpp>
#include <shoal/conveyor/kinds/elastic_biconveyor.hpp>
#include <shoal/shoal.hpp>

namespace {

constexpr std::int64_t n_lines = 2000;  // that each PE pushes
constexpr std::size_t long_line = 200'000;  // larger than any buffer

std::span<const std::byte> bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }
std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Line i of a PE: "PE:i:" and i % 40 letters; the last line is long.
std::string line_of(shoal::pe_id pe, std::int64_t i) {
  const std::size_t n_letters = i == n_lines - 1 ? long_line : static_cast<std::size_t>(i % 40);
  return std::to_string(pe) + ':' + std::to_string(i) + ':' + std::string(n_letters, 'a' + char(i % 26));
}
shoal::pe_id home_of(std::int64_t i, const shoal::world& world) { return i % world.n_pes(); }

// Returns how many lines arrived wrong or not at all.
std::int64_t keep_lines(shoal::world& world) {
  std::vector<std::vector<std::string>> kept(world.n_pes());  // by sender

  // [elastic]
  shoal::elastic_conveyor lines{world};
  lines.begin();
  std::int64_t i = 0;
  while (lines.advance(i == n_lines) != shoal::progress::complete) {
    for (; i < n_lines; ++i) {
      if (!lines.push(bytes_of(line_of(world.my_pe(), i)), home_of(i, world))) break;
    }
    while (const auto* line = lines.pull()) kept[line->from].emplace_back(text_of(line->bytes));
  }
  lines.reset();
  // [/elastic]

  std::int64_t n_wrong = 0;
  for (shoal::pe_id from = 0; from < world.n_pes(); ++from) {
    std::size_t place = 0;  // lines of one sender arrive in the order in which it pushed them
    for (std::int64_t k = 0; k < n_lines; ++k) {
      if (home_of(k, world) != world.my_pe()) continue;
      n_wrong += place >= kept[from].size() || kept[from][place] != line_of(from, k);
      ++place;
    }
    n_wrong += kept[from].size() != place;
  }
  return n_wrong;
}

// Word k is "w" and k times "x"; its home is PE k % P, where it means k times "y".
std::string word(std::size_t k) { return "w" + std::string(k, 'x'); }

// Returns how many words were given another meaning than theirs.
std::int64_t look_up(shoal::world& world) {
  constexpr std::size_t n_words = 300;
  const auto n_pes = static_cast<std::size_t>(world.n_pes());
  std::map<std::string, std::string, std::less<>> meanings;
  for (std::size_t k = world.my_pe(); k < n_words; k += n_pes) meanings[word(k)] = std::string(k, 'y');
  std::int64_t n_wrong = 0;

  // [elastic_biconveyor]
  shoal::elastic_biconveyor dictionary{world};
  dictionary.begin([&](std::span<const std::byte> query, shoal::pe_id, std::vector<std::byte>& reply) {
    const auto meaning = bytes_of(meanings.find(text_of(query))->second);
    reply.assign(meaning.begin(), meaning.end());
  });
  std::size_t n_asked = 0;
  std::size_t n_answered = 0;
  while (dictionary.advance(n_asked == n_words) != shoal::progress::complete) {
    while (n_asked < n_words && dictionary.push(bytes_of(word(n_asked)), n_asked % n_pes)) ++n_asked;
    while (const auto* reply = dictionary.pull()) n_wrong += text_of(*reply) != std::string(n_answered++, 'y');
  }
  dictionary.reset();
  // [/elastic_biconveyor]

  return n_wrong + (n_answered != n_words);
}

}  // namespace

int main(int argc, char** argv) {
  return shoal::run(argc, argv, [](shoal::world& world) {
    const std::int64_t n_wrong = world.sum(keep_lines(world)) + world.sum(look_up(world));
    if (world.my_pe() == 0) {
      std::printf("%lld lines kept, words looked up: %s\n", static_cast<long long>(n_lines * world.n_pes()),
                  n_wrong == 0 ? "right" : "wrong");
    }
    return n_wrong == 0 ? 0 : 1;
  });
}
