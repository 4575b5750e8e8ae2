/// What tests of graphs and matrices share: small inputs, files that all PEs see, whole matrices to look at.
#pragma once

#include <stdlib.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "shoal/actor/world.hpp"
#include "shoal/base/random.hpp"
#include "shoal/base/setup_error.hpp"
#include "shoal/graph/matrix_builder.hpp"
#include "shoal/graph/matrix_market.hpp"
#include "shoal/graph/sparse_matrix.hpp"

namespace shoal::test {

/// Collective. Every PE gets the entries of all PEs, by row and column (value 1 where there is none).
inline std::vector<weighted_entry> gather_entries(world& w, const sparse_matrix& m) {
  std::vector<weighted_entry> mine;
  for (std::int64_t r = 0; r < m.n_local_rows(); ++r) {
    for (std::size_t i = 0; i < m.row(r).size(); ++i) {
      mine.push_back({m.global_row(r), m.row(r)[i], m.has_values ? m.row_values(r)[i] : 1.0});
    }
  }
  std::vector<weighted_entry> all;
  for (pe_id pe = 0; pe < w.n_pes(); ++pe) {
    std::vector<weighted_entry> piece(w.broadcast(mine.size(), pe));
    if (w.my_pe() == pe) piece = mine;
    w.broadcast(std::span(piece), pe);
    all.insert(all.end(), piece.begin(), piece.end());
  }
  std::sort(all.begin(), all.end());
  return all;
}

/// The same entries for the same arguments, so that every PE can make them all and give in its share.
inline std::vector<weighted_entry> random_entries(std::uint64_t seed, std::size_t n_entries, std::int64_t n_rows,
                                                  std::int64_t n_columns) {
  random_engine random(seed);
  std::vector<weighted_entry> entries(n_entries);
  for (weighted_entry& e : entries) {
    e.row = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(n_rows)));
    e.column = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(n_columns)));
    e.value = static_cast<double>(random.below(1000)) / 8;
  }
  return entries;
}

/// Collective. The matrix of entries that every PE knows; each PE gives in its share.
template <matrix_entry E>
sparse_matrix matrix_of(world& w, layout kind, const std::vector<weighted_entry>& all, std::int64_t n_rows,
                        std::int64_t n_columns) {
  return assemble<E>(w, {kind, n_rows, w.n_pes()}, n_columns, [&](auto& builder) {
    for (auto i = static_cast<std::size_t>(w.my_pe()); i < all.size(); i += static_cast<std::size_t>(w.n_pes())) {
      if constexpr (std::is_same_v<E, entry>) {
        builder.add({all[i].row, all[i].column});
      } else {
        builder.add(all[i]);
      }
    }
  });
}

/// Collective. The text that `call` throws, one line, the same on all PEs; empty if it throws nothing.
template <class Call>
std::string setup_error_of(world& w, Call&& call) {
  std::string text;
  try {
    call();
  } catch (const setup_error& e) {
    text = e.what();
  }
  const std::size_t digest = std::hash<std::string>{}(text);
  if (w.min(digest) != w.max(digest)) text += " (PEs differ)";
  if (text.find('\n') != text.npos) text += " (several lines)";
  return text;
}

/// The text with some bytes changed, removed or doubled; the same for the same seed.
inline std::string mutated(std::string text, std::uint64_t seed) {
  random_engine random(seed);
  for (std::uint64_t n = 1 + random.below(3); n != 0 && !text.empty(); --n) {
    const auto at = static_cast<std::size_t>(random.below(text.size()));
    switch (random.below(4)) {
      case 0: text[at] = static_cast<char>(random.below(256)); break;
      case 1: text.erase(at, 1 + static_cast<std::size_t>(random.below(9))); break;
      case 2: text.insert(at, 1, text[static_cast<std::size_t>(random.below(text.size()))]); break;
      default: text[at] = "0123456789 -+.,e#\n"[random.below(18)];
    }
  }
  return text;
}

/// A folder that PE 0 makes and removes, and every PE knows. Collective.
class temp_folder {
public:
  explicit temp_folder(world& w) : world_(w) {
    std::array<char, 256> name{};
    if (w.my_pe() == 0) {
      const std::string pattern = (std::filesystem::temp_directory_path() / "shoal-test-XXXXXX").string();
      std::copy(pattern.begin(), pattern.end(), name.begin());
      if (::mkdtemp(name.data()) == nullptr) name = {};
    }
    name = w.broadcast(name);
    path_ = name.data();
  }
  ~temp_folder() {
    world_.barrier();
    if (world_.my_pe() == 0 && !path_.empty()) std::filesystem::remove_all(path_);
  }
  temp_folder(const temp_folder&) = delete;
  temp_folder& operator=(const temp_folder&) = delete;

  std::string path_of(const std::string& name) const { return path_ + "/" + name; }

  /// Collective. PE 0 writes a file; its path.
  std::string write(const std::string& name, std::string_view text) {
    world_.barrier();  // nobody still reads what may be overwritten
    if (world_.my_pe() == 0) {
      std::ofstream file(path_of(name), std::ios::binary);
      file << text;
    }
    world_.barrier();
    return path_of(name);
  }

  /// Collective. As write, compressed by gzip(1) and cut off after `n_bytes_max` bytes.
  std::string write_compressed(const std::string& name, std::string_view text, std::size_t n_bytes_max = SIZE_MAX) {
    const std::string path = write(name, text);
    if (world_.my_pe() == 0) {
      // No shell quoting needed: we chose the path.
      const std::string command = "gzip -n -c '" + path + "' > '" + path + ".gz'";
      if (std::system(command.c_str()) == 0 && std::filesystem::file_size(path + ".gz") > n_bytes_max) {
        std::filesystem::resize_file(path + ".gz", n_bytes_max);
      }
    }
    world_.barrier();
    return path + ".gz";
  }

private:
  world& world_;
  std::string path_;
};

/// Collective. Whether this Shoal was built to read gzip, as the least matrix in such a file tells.
inline bool reads_gzip(world& w) {
  temp_folder folder(w);
  try {
    read_matrix_market(
        w, folder.write_compressed("least.mtx", "%%MatrixMarket matrix coordinate pattern general\n1 1 1\n1 1\n"));
    return true;
  } catch (const setup_error& e) {
    if (std::string_view(e.what()).find("which this Shoal was built without") == std::string_view::npos) throw;
    return false;
  }
}

/// The folder of the project's data.
inline std::string data_path(const std::string& name) {
  const char* const source = std::getenv("SHOAL_SOURCE");
  return std::string(source == nullptr ? "." : source) + "/data/" + name;
}

}  // namespace shoal::test
