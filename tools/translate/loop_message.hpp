/// The messages of a translated loop, as C++ says them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tools/translate/loop.hpp"

namespace shoal::translate {

struct message_field {
  std::string name;
  std::string type;
  std::size_t bytes = 0;
  std::size_t alignment = 0;
  std::size_t variable = none;
};

struct loop_message {
  std::string name;
  std::vector<message_field> fields;
  std::string element;  // type of the elements that it carries; empty: none
  std::string elements;  // field with all of them; empty: they follow the message, which is a list
  std::string turn;  // field for the turn of a checked loop; empty: none

  bool is_list() const { return !element.empty() && elements.empty(); }

  /// The field for a variable; null: there is none.
  const message_field* of(std::size_t variable) const;
  std::size_t bytes() const;
};

/// The type that a handler takes.
std::string type_of(const loop_message& m);
/// The struct's definition.
std::string struct_of(const loop_message& m);
/// Name and bytes, for a report.
std::string size_of(const loop_message& m);

}  // namespace shoal::translate
