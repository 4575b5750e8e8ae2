// A handle to an object that every PE has: where the handle is used, it gives the object of that PE. Together the
// objects are one hash map that is spread over all PEs.
// pes: 1 2 3 4 7
#include <cstdint>
#include <unordered_map>

#include <shoal/shoal.hpp>

namespace {

using map = std::unordered_map<std::uint64_t, std::int64_t>;

constexpr std::uint64_t n_keys = 3000;

int count_keys_and_check(shoal::world& world) {
  // [per_pe]
  shoal::per_pe<map> part{world};
  const auto owner = [&](std::uint64_t key) {
    return static_cast<shoal::pe_id>(shoal::mixed_bits(key) % static_cast<std::uint64_t>(world.n_pes()));
  };
  const auto counts = part.handle();
  world.finish([&] {
    for (std::uint64_t key = 0; key < n_keys; ++key) {
      for (std::uint64_t times = 0; times <= key % 3; ++times) {
        world.send(owner(key), [counts, key] { ++(*counts)[key]; });
      }
    }
  });
  // [/per_pe]

  // Each PE sent each key 1 + key % 3 times, and every key is on one PE.
  std::int64_t n_wrong = 0;
  for (const auto& [key, count] : *part) {
    n_wrong += owner(key) != world.my_pe() || count != (1 + std::int64_t(key % 3)) * world.n_pes();
  }
  const bool has_all = world.sum(part->size()) == n_keys;
  return has_all && world.sum(n_wrong) == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return shoal::run(argc, argv, count_keys_and_check); }
