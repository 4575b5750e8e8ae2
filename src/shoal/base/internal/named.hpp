/// Tables of things that users choose by name: substrates, codecs, libraries.
///
/// A table is an array with one entry per enumerator. An entry has at least the members `id`, the enumerator, and
/// `name`, what users write. Names are compared only here.
#pragma once

#include <string>
#include <string_view>

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

/// "a, b or c", for messages: joins what `text_of` returns for each entry, and leaves out empty texts.
template <class Table, class TextOf>
std::string choice_of(const Table& table, TextOf text_of) {
  std::string before;
  std::string last;
  for (const auto& entry : table) {
    std::string text(text_of(entry));
    if (text.empty()) continue;
    if (!last.empty()) before += (before.empty() ? "" : ", ") + last;
    last = std::move(text);
  }
  return before.empty() ? last : before + " or " + last;
}

template <class Table>
std::string choice_of(const Table& table) {
  return choice_of(table, [](const auto& entry) { return entry.name; });
}

}  // namespace shoal::internal
