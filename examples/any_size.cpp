// Messages of any size. Rows of a graph go to other PEs as lists; words go to where they are counted, as arguments of a
// call; a record of a program's own travels by one function.
// pes: 1 2 3 4 7
#include <cstdint>
#include <cstdio>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <shoal/shoal.hpp>

namespace {

// --- Lists

// [list]
struct row_head {
  std::int64_t row;
  double weight;
};
// [/list]

// Sends row r of a graph to PE r % n_pes, which keeps its length. Row r has r % 50 neighbours r + 1, r + 2, …
int send_rows(shoal::world& world) {
  const std::int64_t n_pes = world.n_pes();
  constexpr std::int64_t n_rows = 3000;
  std::vector<std::int64_t> lengths(n_rows / n_pes + 1);
  double weight = 0;
  std::int64_t n_wrong = 0;
  // [list_send]
  shoal::actor take_row{world, [&](shoal::list<row_head, std::int64_t> m) {
                          lengths[m.header.row / n_pes] = static_cast<std::int64_t>(m.size());
                          weight += m.header.weight;
                          for (const std::int64_t neighbour : m) n_wrong += neighbour <= m.header.row;
                        }};
  world.finish([&] {
    std::vector<std::int64_t> neighbours;
    for (std::int64_t r = world.my_pe(); r < n_rows; r += n_pes) {
      neighbours.clear();
      for (std::int64_t k = 1; k <= r % 50; ++k) neighbours.push_back(r + k);
      take_row.send((r + 1) % n_pes, {{r, 0.5}, neighbours});
    }
  });
  // [/list_send]
  std::int64_t total = 0;
  for (const std::int64_t length : lengths) total += length;
  const bool is_right = world.sum(total) == n_rows / 50 * (49 * 50 / 2) && world.sum(n_wrong) == 0 &&
                        world.sum(weight) == 0.5 * static_cast<double>(n_rows);
  if (world.my_pe() == 0)
    std::printf("%lld rows sent: %s\n", static_cast<long long>(n_rows), is_right ? "right" : "wrong");
  return is_right ? 0 : 1;
}

// --- Calls with arguments

std::vector<std::string> words_of(shoal::pe_id pe) {
  std::vector<std::string> words;
  shoal::random_engine random(7, pe);
  for (int i = 0; i < 2000; ++i) words.push_back("word" + std::string(static_cast<std::size_t>(random.below(5)), 's'));
  return words;
}

std::int64_t home_of(std::string_view word, std::int64_t n_pes) {
  std::uint64_t hash = 0;
  for (const char c : word) hash = hash * 31 + static_cast<unsigned char>(c);
  return static_cast<std::int64_t>(hash % static_cast<std::uint64_t>(n_pes));
}

int count_words(shoal::world& world) {
  const std::vector<std::string> words = words_of(world.my_pe());
  // [call]
  shoal::per_pe<std::map<std::string, std::int64_t, std::less<>>> table{world};
  world.finish([&, counts = table.handle()] {
    for (const std::string& word : words) {
      const auto count = [counts](std::string_view arrived) {  // shows the text where it arrived
        if (const auto known = counts->find(arrived); known != counts->end()) {
          ++known->second;
        } else {
          counts->emplace(arrived, 1);
        }
      };
      world.send(home_of(word, world.n_pes()), count, word);
    }
  });
  // [/call]
  std::int64_t n = 0;
  for (const auto& [word, times] : *table) n += times;
  const bool is_right = world.sum(n) == 2000 * world.n_pes() && world.sum<std::int64_t>(table->size()) == 5;
  if (world.my_pe() == 0) std::printf("words counted: %s\n", is_right ? "right" : "wrong");
  return is_right ? 0 : 1;
}

// --- Types of the program's own

// [serialize]
struct sighting {
  std::string species;
  std::vector<double> depths;
  std::map<std::string, int> tags;
};
void serialize(auto& archive, sighting& s) { archive(s.species, s.depths, s.tags); }
// [/serialize]

int send_sightings(shoal::world& world) {
  std::vector<std::string> log;
  // [serialize_send]
  shoal::actor report{world, [&](const sighting& s, shoal::pe_id from) {
                        log.push_back(s.species + " at " + std::to_string(s.depths.size()) + " depths, says PE " +
                                      std::to_string(from));
                      }};
  world.finish([&] { report.send(0, {"herring", {10.5, 20, 40}, {{"school", 1200}}}); });
  // [/serialize_send]
  const bool is_right = world.my_pe() != 0 || (log.size() == static_cast<std::size_t>(world.n_pes()) &&
                                               log[0].starts_with("herring at 3 depths"));
  if (world.my_pe() == 0) std::printf("sightings: %s\n", is_right ? "right" : "wrong");
  return world.min(is_right ? 1 : 0) == 1 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  return shoal::run(argc, argv,
                    [](shoal::world& world) { return send_rows(world) + count_words(world) + send_sightings(world); });
}
