// Files of MatrixMarket (Boisvert, Pozo and Remington, "The Matrix Market exchange formats", NISTIR 5935, 1996). PE 0
// reads and writes. Numbers do not depend on the locale, which lgp_init sets.
#include <locale.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shoal/actor/world.hpp"
#include "shoal/compat/include/spmat.h"
#include "shoal/compat/internal/bale_files.hpp"
#include "shoal/compat/internal/dealt_matrix.hpp"
#include "shoal/compat/internal/lanes.hpp"
#include "shoal/compat/internal/row_entries.hpp"

namespace compat = shoal::internal::compat;

namespace {

constexpr const char* read_call = "read_matrix_mm_to_dist";
constexpr const char* write_call = "write_matrix_mm";

// Lines of a file, word by word.
class line_reader {
public:
  explicit line_reader(const char* name) : name_(name), file_(compat::open_file(read_call, name, "r")) {}
  ~line_reader() {
    std::fclose(file_);
    std::free(line_);
  }
  line_reader(const line_reader&) = delete;
  line_reader& operator=(const line_reader&) = delete;

  // The next line; false at the end of the file.
  bool next_line() {
    const ssize_t length = getline(&line_, &room_, file_);
    ++number_;
    if (length < 0 && std::ferror(file_) != 0) compat::refuse_access(read_call, name_, "read it");
    rest_ = length < 0 ? std::string_view() : std::string_view(line_, static_cast<std::size_t>(length));
    return length >= 0;
  }

  // The next line with a word that begins no comment.
  bool next_line_of_data() {
    while (next_line()) {
      skip_blanks();
      if (!rest_.empty() && rest_[0] != '%') return true;
    }
    return false;
  }

  // The next word of the line; empty after the last.
  std::string_view word() {
    skip_blanks();
    const std::string_view found = rest_.substr(0, rest_.find_first_of(blanks));
    rest_.remove_prefix(found.size());
    return found;
  }

  std::int64_t whole_number(const char* what, std::int64_t min, std::int64_t max) {
    const std::string_view text = word();
    std::int64_t value = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty()) refuse(std::string("there is no ") + what);
    if (fault != std::errc() || end != text.data() + text.size() || value < min || value > max) {
      refuse('"' + std::string(text) + "\" is no " + what + "; it must be a number from " + std::to_string(min) +
             " to " + std::to_string(max));
    }
    return value;
  }

  double real_number() {
    std::string_view text = word();
    if (text.empty()) refuse("there is no value");
    const std::string_view whole = text;
    if (text[0] == '+' && !text.starts_with("+-")) text.remove_prefix(1);
    double value = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (fault == std::errc::invalid_argument || end != text.data() + text.size()) {
      refuse('"' + std::string(whole) + "\" is no value; it must be a number");
    }
    if (fault == std::errc::result_out_of_range) value = beyond_range(std::string(text));
    return value;
  }

  void end_of_line() {
    const std::string_view more = word();
    if (!more.empty()) refuse('"' + std::string(more) + "\" is one word too many");
  }

  [[noreturn]] void refuse(const std::string& what) {
    compat::refuse_file(read_call, name_, "line %" PRId64 ": %s", number_, what.c_str());
  }

private:
  static constexpr const char* blanks = " \t\r\n";

  // The nearest number there is.
  static double beyond_range(const std::string& text) {
    static const locale_t with_point = newlocale(LC_NUMERIC_MASK, "C", nullptr);
    return strtod_l(text.c_str(), nullptr, with_point);
  }

  void skip_blanks() { rest_.remove_prefix(std::min(rest_.find_first_not_of(blanks), rest_.size())); }

  std::string name_;
  std::FILE* file_;
  char* line_ = nullptr;
  std::size_t room_ = 0;
  std::string_view rest_;
  std::int64_t number_ = 0;
};

struct heading {
  std::int64_t numrows;
  std::int64_t numcols;
  std::int64_t nnz;
  bool has_values;
};

heading read_heading(line_reader& lines) {
  if (!lines.next_line()) lines.refuse("the file is empty");
  for (const char* const expected : {"%%MatrixMarket", "matrix", "coordinate"}) {
    const std::string word(lines.word());
    if (strcasecmp(word.c_str(), expected) != 0) {
      lines.refuse('"' + word + "\" where \"" + expected +
                   "\" belongs; the line must begin \"%%MatrixMarket matrix coordinate\"");
    }
  }
  const std::string field(lines.word());
  const bool has_values = strcasecmp(field.c_str(), "real") == 0 || strcasecmp(field.c_str(), "integer") == 0;
  if (!has_values && strcasecmp(field.c_str(), "pattern") != 0) {
    lines.refuse("entries are \"" + field + "\"; they must be \"pattern\", \"real\" or \"integer\"");
  }
  constexpr std::int64_t max = std::int64_t{1} << 48;
  if (!lines.next_line_of_data()) lines.refuse("the line of sizes is missing");
  heading its{};
  its.has_values = has_values;
  its.numrows = lines.whole_number("number of rows", 0, max);
  its.numcols = lines.whole_number("number of columns", 0, max);
  its.nnz = lines.whole_number("number of entries", 0, max);
  lines.end_of_line();
  return its;
}

// `lines`: of PE 0, null elsewhere.
template <class Entry>
sparsemat_t* read_entries(line_reader* lines, const heading& its) {
  if (!compat::has_room_for_rows(its.numrows)) return nullptr;
  const compat::dealing deal;
  compat::row_entries<Entry> arrived(deal.n_here(its.numrows));
  {
    compat::conveyor_lane<Entry> lane(0);
    if (!lane.is_open()) return nullptr;
    std::int64_t n = 0;
    const auto next = [&](Entry& e, std::int64_t& pe) {
      if (lines == nullptr) return false;
      if (n == its.nnz) {
        if (lines->next_line_of_data()) {
          lines->refuse("there are more than the " + std::to_string(n) + " entries that the line of sizes announces");
        }
        return false;
      }
      if (!lines->next_line_of_data()) {
        lines->refuse("the file ends after " + std::to_string(n) + " entries; the line of sizes announces " +
                      std::to_string(its.nnz));
      }
      const std::int64_t row = lines->whole_number("row", 1, its.numrows) - 1;
      const std::int64_t column = lines->whole_number("column", 1, its.numcols) - 1;
      double value = 0;
      if constexpr (Entry::is_weighted) value = lines->real_number();
      lines->end_of_line();
      const auto [target, index] = deal.of(row);
      e = compat::make_entry<Entry>(index, column, &value, 0);
      pe = target;
      ++n;
      return true;
    };
    compat::carry(lane, next, [&](const Entry& e) { arrived.add(e); });
  }
  sparsemat_t* const made = arrived.to_matrix(its.numrows, its.numcols, read_call);
  if (made == nullptr) return nullptr;
  compat::sort_rows(*made);
  shmem_barrier_all();
  return made;
}

// "%lf" with a point in each locale.
void append_value(std::string& text, double value) {
  char digits[400];
  const auto [end, fault] = std::to_chars(digits, digits + sizeof digits, value, std::chars_format::fixed, 6);
  text.append(digits, end);
}

// Row by row, as much at once as fits into buffers of this many nonzeros.
constexpr std::int64_t n_in_buffer = 8192;

void write_part(const sparsemat_t& a, std::int64_t pe, const char* name, std::FILE* file) {
  const compat::dealing deal;
  const int source = static_cast<int>(pe);
  std::vector<std::int64_t> columns(n_in_buffer);
  std::vector<double> values(a.value != nullptr ? n_in_buffer : 0);
  std::string text;
  std::int64_t end = (shmem_int64_g)(a.offset, source);
  for (std::int64_t row = pe; row < a.numrows; row += deal.n_pes()) {
    std::int64_t k = end;
    end = (shmem_int64_g)(a.offset + row / deal.n_pes() + 1, source);
    while (k < end) {
      const auto n = static_cast<std::size_t>(std::min(end - k, n_in_buffer));
      shmem_int64_get(columns.data(), a.nonzero + k, n, source);
      if (a.value != nullptr) shmem_double_get(values.data(), a.value + k, n, source);
      text.clear();
      for (std::size_t i = 0; i < n; ++i) {
        text += std::to_string(row + 1) + ' ' + std::to_string(columns[i] + 1);
        if (a.value != nullptr) append_value(text += ' ', values[i]);
        text += '\n';
      }
      compat::write_items(write_call, name, text.data(), 1, text.size(), file);
      k += static_cast<std::int64_t>(n);
    }
  }
}

}  // namespace

namespace shoal::internal::compat {

sparsemat_t* read_matrix_market(const char* name) {
  std::optional<line_reader> lines;
  heading its{};
  if (compat::my_pe() == 0) {
    lines.emplace(name);
    its = read_heading(*lines);
  }
  its = compat::world_for(read_call).broadcast(its);
  return compat::with_entries(std::max(its.numrows, its.numcols), its.has_values,
                              [&]<class Entry>() { return read_entries<Entry>(lines ? &*lines : nullptr, its); });
}

}  // namespace shoal::internal::compat

#define WEAK __attribute__((weak))

extern "C" {

WEAK sparsemat_t* read_matrix_mm_to_dist(char* name) { return compat::read_matrix_market(name); }

WEAK int write_matrix_mm(sparsemat_t* a, char* name) {
  shmem_barrier_all();  // others have filled their parts
  if (compat::my_pe() == 0) {
    std::FILE* const file = compat::open_file(write_call, name, "w");
    const std::string heading = std::string("%%MatrixMarket matrix coordinate ") +
                                (a->value != nullptr ? "real" : "pattern") + '\n' + std::to_string(a->numrows) + ' ' +
                                std::to_string(a->numcols) + ' ' + std::to_string(a->nnz) + '\n';
    compat::write_items(write_call, name, heading.data(), 1, heading.size(), file);
    for (std::int64_t pe = 0; pe < compat::n_pes(); ++pe) write_part(*a, pe, name, file);
    compat::close_written(write_call, name, file);
  }
  shmem_barrier_all();
  return 0;
}

}  // extern "C"
