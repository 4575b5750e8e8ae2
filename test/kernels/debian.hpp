/// What is known of the Debian dependency graph (data/README.md says how it was computed), and asking for it.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>

#include "kernels/kernel.hpp"
#include "shoal/actor/world.hpp"
#include "test/kernels/variants.hpp"
#include "test/support/graph.hpp"

namespace shoal::test {

inline constexpr std::uint64_t n_debian_triangles = 418'906;

struct known_rank {
  const char* name;
  double rank;
};

inline constexpr std::array<known_rank, 10> debian_top = {{{"libc6", 0.153594026},
                                                           {"libgcc-s1", 0.140059165},
                                                           {"gcc-12-base", 0.062501862},
                                                           {"python3", 0.014088045},
                                                           {"perl", 0.012821406},
                                                           {"dpkg", 0.009920000},
                                                           {"libstdc++6", 0.008064439},
                                                           {"zlib1g", 0.006327372},
                                                           {"perl-base", 0.005404361},
                                                           {"ghc", 0.005198982}}};

/// Computed with SciPy 1.17.1 from the same file: the formula in kernels/pagerank/problem.hpp, iterated on
/// the pattern of A + A^T without its diagonal until the ranks changed by less than 1e-14 in all.
inline constexpr std::array<known_rank, 5> debian_top_undirected = {{{"libc6", 0.035884241654},
                                                                     {"python3", 0.011969247945},
                                                                     {"perl", 0.010816618448},
                                                                     {"libstdc++6", 0.009960026355},
                                                                     {"libgcc-s1", 0.009049506235}}};

/// Collective. Makes the kernel with the Debian graph, runs `variants`, and expects each to be verified
/// and to answer what `is_known` accepts on PE 0.
template <class IsKnown>
void expect_of_debian(world& w, const kernels::kernel_description& described, kernels::option_list options,
                      const std::vector<std::string>& variants, IsKnown is_known) {
  options.emplace_back("input", data_path("debian-depends.mtx.gz"));
  const auto kernel = described.make(w, options);
  for (const std::string& variant : variants) {
    std::string why;
    EXPECT_TRUE(is_right(w, *kernel, variant, why)) << variant << ": " << why;
    const std::string answer = kernel->answer_json(w);
    if (w.my_pe() == 0) {
      EXPECT_TRUE(is_known(answer)) << variant << ": " << answer;
    }
  }
}

/// Whether the top of an answer begins with the known vertices, and what it calls `what` is right to `error`.
template <std::size_t N>
bool has_top(const std::string& answer, const std::array<known_rank, N>& known, const std::string& what, double error) {
  std::size_t at = 0;
  for (const auto& [name, rank] : known) {
    const std::string key = "\"name\": \"" + std::string(name) + "\", \"" + what + "\": ";
    const std::size_t next = answer.find("\"name\": ", at);
    if (next == std::string::npos || answer.compare(next, key.size(), key) != 0) return false;
    if (std::abs(std::stod(answer.substr(next + key.size())) - rank) > error) return false;
    at = next + key.size();
  }
  return true;
}

inline auto has_debian_top(const std::string& answer) { return has_top(answer, debian_top, "rank", 1e-8); }

inline auto has_debian_triangles(const std::string& answer) {
  return answer == "\"triangles\": " + std::to_string(n_debian_triangles);
}

}  // namespace shoal::test
