/// Tables of things that users choose by name: substrates, codecs, libraries.
///
/// A table is an array with one entry per enumerator. An entry has at least the members `id`, the enumerator, and
/// `name`, what users write. Names are compared only here.
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace shoal::internal {

/// The entry with that name; null if there is none.
template <class Table>
constexpr auto find_named(const Table& table, std::string_view name) noexcept -> decltype(&*table.begin()) {
  for (const auto& entry : table) {
    if (entry.name == name) return &entry;
  }
  return nullptr;
}

/// The entry of an enumerator, which the table must have.
template <class Table, class Enum>
constexpr const auto& entry_of(const Table& table, Enum id) noexcept {
  const auto* entry = &*table.begin();
  while (entry->id != id) ++entry;
  return *entry;
}

/// "a, b or c", for messages: joins texts, and leaves out empty ones.
class joined_choice {
public:
  void add(std::string text) {
    if (text.empty()) return;
    if (!last_.empty()) before_ += (before_.empty() ? "" : ", ") + last_;
    last_ = std::move(text);
  }
  std::string text() const { return before_.empty() ? last_ : before_ + " or " + last_; }

private:
  std::string before_;
  std::string last_;
};

/// The same of what `text_of` returns for each entry.
template <class Table, class TextOf>
std::string choice_of(const Table& table, TextOf text_of) {
  joined_choice all;
  for (const auto& entry : table) all.add(std::string(text_of(entry)));
  return all.text();
}

template <class Table>
std::string choice_of(const Table& table) {
  return choice_of(table, [](const auto& entry) { return entry.name; });
}

}  // namespace shoal::internal
