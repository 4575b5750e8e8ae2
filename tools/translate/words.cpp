#include "tools/translate/words.hpp"

#include <cctype>

namespace shoal::translate {
namespace {

bool is_letter_at(const std::string& text, std::size_t at) {
  return at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_');
}

}  // namespace

bool has_word(const std::string& text, const std::string& word) {
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    if ((at == 0 || !is_letter_at(text, at - 1)) && !is_letter_at(text, at + word.size())) return true;
  }
  return false;
}

}  // namespace shoal::translate
