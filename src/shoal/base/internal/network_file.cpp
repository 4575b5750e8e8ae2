#include "shoal/base/internal/network_file.hpp"

#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>

#include "shoal/base/internal/named.hpp"
#include "shoal/base/internal/quoting.hpp"
#include "shoal/base/parse.hpp"
#include "shoal/base/setup_error.hpp"

namespace shoal::internal {
namespace {

constexpr double ns_max = 1e12;
constexpr double ns_per_byte_max = 1e6;
constexpr std::size_t file_bytes_max = 1 << 20;

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r";
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

// The part before `mark`, which is cut off together with it.
std::string_view take_until(std::string_view& text, std::string_view mark) {
  const std::size_t end = text.find(mark);
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(end == text.npos ? text.size() : end + mark.size());
  return part;
}

enum class key : std::uint8_t { latency, overhead, gap, byte, jitter };
struct key_entry {
  key id;
  std::string_view name;
};
constexpr std::array<key_entry, 5> keys = {{{key::latency, "latency_ns"},
                                            {key::overhead, "overhead_ns"},
                                            {key::gap, "gap_ns"},
                                            {key::byte, "ns_per_byte"},
                                            {key::jitter, "jitter_ns"}}};
constexpr std::size_t n_required = 4;

class file_parser {
public:
  explicit file_parser(const std::string& what) : what_(what) {}

  network_figures parse(std::string_view text) {
    while (!text.empty()) {
      ++line_;
      std::string_view line = take_until(text, "\n");
      parse_line(trimmed(take_until(line, "#")));
    }
    end_section();
    if (!figures_.node && !figures_.network) {
      throw setup_error(what_ +
                        ": has neither a section [node] nor [network]; `shoal network-bench` writes such a file");
    }
    if (figures_.network && figures_.jitter_ns > figures_.network->latency_ns) {
      throw setup_error(what_ + ": jitter_ns is more than latency_ns in [network]");
    }
    return figures_;
  }

private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw setup_error(what_ + ", line " + std::to_string(line_) + ": " + why);
  }

  void parse_line(std::string_view line) {
    if (line.empty()) return;
    if (line.front() == '[') return begin_section(line);
    const std::string_view name = trimmed(take_until(line, "="));
    const std::string_view value = trimmed(line);
    if (open_ == nullptr && name == "name") {
      figures_.name = printable(value);
      return;
    }
    const key_entry* const known = find_named(keys, name);
    if (known == nullptr)
      refuse("'" + printable(name) + "' is unknown; choose " + choice_of(keys) + " or, at the top, name");
    if (open_ == nullptr) refuse(std::string(name) + " belongs into a section, [node] or [network]");
    bool& is_set = is_set_[static_cast<std::size_t>(known->id)];
    if (is_set) refuse(std::string(name) + " is there twice in this section");
    is_set = true;
    set(known->id, value, what_ + ", line " + std::to_string(line_) + ": " + std::string(name));
  }

  void begin_section(std::string_view line) {
    end_section();
    std::optional<link_figures>* const section =
        line == "[node]" ? &figures_.node : (line == "[network]" ? &figures_.network : nullptr);
    if (section == nullptr) refuse("'" + printable(line) + "' is no section; choose [node] or [network]");
    if (section->has_value()) refuse(std::string(line) + " is there twice");
    open_ = &section->emplace();
    is_set_ = {};
  }

  void end_section() const {
    for (std::size_t i = 0; open_ != nullptr && i < n_required; ++i) {
      if (!is_set_[i]) refuse("the section that ends here lacks " + std::string(keys[i].name));
    }
  }

  // "250 +- 10": the error is checked and not kept.
  static double number(std::string_view text, const std::string& of, double most) {
    const std::string_view value = trimmed(take_until(text, "+-"));
    const double result = parse_real(value, of, 0, most);
    if (!trimmed(text).empty()) parse_real(trimmed(text), of + ", its error", 0, most);
    return result;
  }

  void set(key which, std::string_view text, const std::string& of) {
    if (which == key::byte) {
      open_->gap_per_byte_ns = number(text, of, ns_per_byte_max);
      return;
    }
    const auto ns = static_cast<std::uint64_t>(std::llround(number(text, of, ns_max)));
    switch (which) {
      case key::latency: open_->latency_ns = ns; break;
      case key::overhead: open_->overhead_ns = ns; break;
      case key::gap: open_->gap_ns = ns; break;
      case key::jitter:
        if (open_ != (figures_.network ? &*figures_.network : nullptr)) refuse("jitter_ns belongs into [network]");
        figures_.jitter_ns = ns;
        break;
      case key::byte: break;
    }
  }

  std::string what_;
  int line_ = 0;
  network_figures figures_;
  link_figures* open_ = nullptr;  // the section that lines belong to
  std::array<bool, keys.size()> is_set_{};
};

}  // namespace

network_figures parse_network_figures(std::string_view text, const std::string& what) {
  return file_parser(what).parse(text);
}

network_figures read_network_file(const std::string& path, const std::string& what) {
  const std::string name = what + "=" + printable(path);
  errno = 0;
  std::ifstream file(path);
  std::string text(file_bytes_max + 1, '\0');
  if (file) file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.size() > file_bytes_max) throw setup_error(name + ": is too long for a file of a network's figures");
  if (!file.eof()) {
    throw setup_error(name + ": cannot be read (" + std::strerror(errno) +
                      "); `shoal network-bench` writes such a file");
  }
  network_figures figures = parse_network_figures(text, name);
  if (figures.name.empty()) figures.name = printable(path);
  return figures;
}

}  // namespace shoal::internal
