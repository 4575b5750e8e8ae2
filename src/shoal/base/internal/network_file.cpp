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

// A section, and what belongs there. Sections of links have all keys of links.
struct section {
  std::string_view name;
  std::optional<link_figures> network_figures::* links;  // null: items
};
constexpr std::array<section, 3> sections = {
    {{"[node]", &network_figures::node}, {"[network]", &network_figures::network}, {"[item]", nullptr}}};

struct key {
  std::string_view name;
  bool (*belongs)(const section&);
  std::string_view home;  // the same, for people
  bool is_required;
  double most;
  void (*set)(network_figures& into, const section& of, double value);
};

constexpr bool is_of_links(const section& s) { return s.links != nullptr; }
constexpr bool is_of_network(const section& s) { return s.links == &network_figures::network; }
constexpr bool is_of_items(const section& s) { return s.links == nullptr; }

template <std::uint64_t link_figures::* Member>
void set_link_ns(network_figures& into, const section& of, double value) {
  *(into.*of.links).*Member = static_cast<std::uint64_t>(std::llround(value));
}

template <double item_figures::* Member>
void set_item_ns(network_figures& into, const section&, double value) {
  *into.item.*Member = value;
}

constexpr std::string_view links_home = "a section, [node] or [network]";
constexpr std::array<key, 11> keys = {{
    {"latency_ns", is_of_links, links_home, true, ns_max, set_link_ns<&link_figures::latency_ns>},
    {"overhead_ns", is_of_links, links_home, true, ns_max, set_link_ns<&link_figures::overhead_ns>},
    {"gap_ns", is_of_links, links_home, true, ns_max, set_link_ns<&link_figures::gap_ns>},
    {"ns_per_byte", is_of_links, links_home, true, ns_per_byte_max,
     [](network_figures& into, const section& of, double value) { (into.*of.links)->gap_per_byte_ns = value; }},
    {"overhead_ns_per_byte", is_of_links, links_home, false, ns_per_byte_max,
     [](network_figures& into, const section& of, double value) { (into.*of.links)->overhead_per_byte_ns = value; }},
    {"jitter_ns", is_of_network, "[network]", false, ns_max,
     [](network_figures& into, const section&, double value) {
       into.jitter_ns = static_cast<std::uint64_t>(std::llround(value));
     }},
    {"carrier_ns", is_of_network, "[network]", false, ns_max,
     [](network_figures& into, const section&, double value) { into.carrier.ns = value; }},
    {"carrier_ns_per_byte", is_of_network, "[network]", false, ns_per_byte_max,
     [](network_figures& into, const section&, double value) { into.carrier.ns_per_byte = value; }},
    {"push_ns", is_of_items, "[item]", true, ns_max, set_item_ns<&item_figures::push_ns>},
    {"relay_ns", is_of_items, "[item]", true, ns_max, set_item_ns<&item_figures::relay_ns>},
    {"handling_ns", is_of_items, "[item]", true, ns_max, set_item_ns<&item_figures::handling_ns>},
}};

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
    const key* const known = find_named(keys, name);
    if (known == nullptr)
      refuse("'" + printable(name) + "' is unknown; choose " + choice_of(keys) + " or, at the top, name");
    if (open_ == nullptr || !known->belongs(*open_))
      refuse(std::string(name) + " belongs into " + std::string(known->home));
    bool& is_set = is_set_[static_cast<std::size_t>(known - keys.data())];
    if (is_set) refuse(std::string(name) + " is there twice in this section");
    is_set = true;
    known->set(figures_, *open_,
               number(value, what_ + ", line " + std::to_string(line_) + ": " + std::string(name), known->most));
  }

  void begin_section(std::string_view line) {
    end_section();
    open_ = find_named(sections, line);
    if (open_ == nullptr) refuse("'" + printable(line) + "' is no section; choose " + choice_of(sections));
    bool& is_there = is_there_[static_cast<std::size_t>(open_ - sections.data())];
    if (is_there) refuse(std::string(line) + " is there twice");
    is_there = true;
    if (open_->links != nullptr) {
      (figures_.*open_->links).emplace();
    } else {
      figures_.item.emplace();
    }
    is_set_ = {};
  }

  void end_section() const {
    for (std::size_t i = 0; open_ != nullptr && i < keys.size(); ++i) {
      const key& each = keys[i];
      if (each.is_required && each.belongs(*open_) && !is_set_[i])
        refuse("the section that ends here lacks " + std::string(each.name));
    }
  }

  // "250 +- 10": the error is checked and not kept.
  static double number(std::string_view text, const std::string& of, double most) {
    const std::string_view value = trimmed(take_until(text, "+-"));
    const double result = parse_real(value, of, 0, most);
    if (!trimmed(text).empty()) parse_real(trimmed(text), of + ", its error", 0, most);
    return result;
  }

  std::string what_;
  int line_ = 0;
  network_figures figures_;
  const section* open_ = nullptr;  // that lines belong to
  std::array<bool, keys.size()> is_set_{};  // in that section
  std::array<bool, sections.size()> is_there_{};
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
