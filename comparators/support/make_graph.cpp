// Writes a random graph as a MatrixMarket file: make_graph rmat FILE --scale=18 --factor=16, or make_graph er FILE.
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

#include "comparators/support/matrix.hpp"
#include "comparators/support/options.hpp"
#include "comparators/support/random.hpp"

using namespace comparators;

namespace {

// Of the probabilities that Graph500 uses; vertices are numbered at random.
void make_rmat(int scale, std::int64_t n_edges, std::uint64_t seed, std::vector<std::int64_t>& from,
               std::vector<std::int64_t>& to) {
  random_sequence random(seed, 0);
  const random_permutation number_of(std::int64_t{1} << scale, seed + 1);
  for (std::int64_t e = 0; e < n_edges; ++e) {
    std::int64_t u = 0;
    std::int64_t v = 0;
    for (int bit = 0; bit < scale; ++bit) {
      const double x = random.uniform();
      u = 2 * u + (x > 0.76);
      v = 2 * v + ((x > 0.57 && x <= 0.76) || x > 0.95);
    }
    from.push_back(number_of(u));
    to.push_back(number_of(v));
  }
}

}  // namespace

int main(int argc, char** argv) {
  const options given(argc, argv, {{"scale", 16, 1, 30}, {"factor", 16, 1, 1000}}, {"KIND", "FILE"});
  const std::int64_t n = std::int64_t{1} << given["scale"];
  const auto seed = static_cast<std::uint64_t>(given["seed"]);
  std::vector<std::int64_t> from;
  std::vector<std::int64_t> to;
  if (given.words()[0] == "rmat") {
    make_rmat(static_cast<int>(given["scale"]), n * given["factor"], seed, from, to);
  } else if (given.words()[0] == "er") {
    const double p = static_cast<double>(given["factor"]) / static_cast<double>(n);
    for (std::int64_t r = 0; r < n; ++r) {
      for_each_random_column(seed, r, n, p, [&](std::int64_t c) {
        from.push_back(r);
        to.push_back(c);
      });
    }
  } else {
    std::fprintf(stderr, "%s is no kind of graph; there are rmat and er\n", given.words()[0].c_str());
    return 2;
  }
  const auto refuse = [&] {
    std::fprintf(stderr, "%s cannot be written (%s)\n", given.words()[1].c_str(), std::strerror(errno));
    return 2;
  };
  std::FILE* const out = std::fopen(given.words()[1].c_str(), "w");
  if (out == nullptr) return refuse();
  std::fprintf(out, "%%%%MatrixMarket matrix coordinate pattern general\n%lld %lld %zu\n", static_cast<long long>(n),
               static_cast<long long>(n), from.size());
  for (std::size_t e = 0; e < from.size(); ++e) {
    std::fprintf(out, "%lld %lld\n", static_cast<long long>(from[e] + 1), static_cast<long long>(to[e] + 1));
  }
  const bool is_written = std::fflush(out) == 0 && std::ferror(out) == 0;
  if (!is_written) return refuse();
  return std::fclose(out) == 0 ? 0 : refuse();
}
