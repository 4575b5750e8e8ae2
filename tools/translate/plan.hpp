/// Decides what becomes of a program's closures: names, messages, members of the selectors.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tools/translate/program.hpp"

namespace shoal::translate {

/// How one closure travels, and what its handler writes for what it captured.
struct message_plan {
  std::string name;
  std::vector<std::size_t> fields;  // captures, in the order of the message
  std::vector<std::string> texts;  // by capture
  std::string sender;  // parameter of the handler; empty: it has none
  std::size_t bytes = 0;  // 0: depends on template arguments
};

struct member_plan {
  std::string name;
  std::string type;
  std::string parameter;  // of the constructor
  std::string value;
};

struct selector_plan {
  const superstep* of = nullptr;
  std::string name;
  std::string variable;
  std::string message;  // parameter of each handler
  bool is_late = false;  // constructed in the superstep
  std::vector<std::string> contexts;  // by object: the member for it, or for the world; empty: none
  std::vector<member_plan> members;
  std::vector<message_plan> messages;  // by closure
};

std::vector<selector_plan> plan(const program& of);

}  // namespace shoal::translate
