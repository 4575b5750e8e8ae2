#include "shoal/base/internal/quoting.hpp"

#include <cstddef>
#include <cstdint>

namespace shoal::internal {
namespace {

constexpr std::string_view hex = "0123456789abcdef";

struct character {
  std::size_t n_bytes = 1;
  bool is_valid = false;
  std::uint32_t code = 0;  // if it is valid
};

// The first character of `text`, which is not empty. Overlong forms, surrogates and codes beyond U+10FFFF are not valid.
character first_of(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80) return {1, true, lead};
  const std::size_t n = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < n) return {};
  std::uint32_t code = lead & (0x7fU >> n);
  for (std::size_t i = 1; i < n; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte & 0xc0) != 0x80) return {};
    code = code << 6 | (byte & 0x3f);
  }
  constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  if (code < least[n] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return {};
  return {n, true, code};
}

// C0, DEL and C1. The last are control characters of terminals as well: U+009B begins a sequence as ESC [ does.
bool is_control(std::uint32_t code) { return code < 0x20 || (code >= 0x7f && code < 0xa0); }

void add_printable(std::string& shown, std::string_view text) {
  while (!text.empty()) {
    const character first = first_of(text);
    const std::string_view bytes = text.substr(0, first.n_bytes);
    if (first.is_valid && !is_control(first.code)) {
      shown += bytes;
    } else if (first.code == '\n' || first.code == '\t') {
      shown += first.code == '\n' ? "\\n" : "\\t";
    } else {
      for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        shown += {'\\', 'x', hex[byte >> 4], hex[byte & 15]};
      }
    }
    text.remove_prefix(first.n_bytes);
  }
}

}  // namespace

std::string printable(std::string_view text) {
  std::string shown;
  add_printable(shown, text);
  return shown;
}

std::string printable_lines(std::string_view text) {
  std::string shown;
  for (std::size_t end = 0; (end = text.find('\n')) != std::string_view::npos; text.remove_prefix(end + 1)) {
    add_printable(shown, text.substr(0, end));
    shown += '\n';
  }
  add_printable(shown, text);
  return shown;
}

std::string as_utf8(std::string_view text) {
  std::string valid;
  while (!text.empty()) {
    const character first = first_of(text);
    valid += first.is_valid ? text.substr(0, first.n_bytes) : "\ufffd";
    text.remove_prefix(first.n_bytes);
  }
  return valid;
}

std::string json_string(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : as_utf8(text)) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (code < 0x20) {
      quoted += "\\u00";
      quoted += hex[code >> 4];
      quoted += hex[code & 15];
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

}  // namespace shoal::internal
