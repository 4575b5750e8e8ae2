#include "tools/translate/loop_message.hpp"

#include <algorithm>

namespace shoal::translate {

const message_field* loop_message::of(std::size_t variable) const {
  const auto found = std::ranges::find(fields, variable, &message_field::variable);
  return found == fields.end() ? nullptr : &*found;
}

std::size_t loop_message::bytes() const {
  std::size_t n = 0;
  std::size_t most = 1;
  for (const message_field& f : fields) {
    n = (n + f.alignment - 1) / f.alignment * f.alignment + f.bytes;
    most = std::max(most, f.alignment);
  }
  return std::max<std::size_t>((n + most - 1) / most * most, 1);
}

std::string type_of(const loop_message& m) {
  return m.is_list() ? "shoal::list<" + m.name + ", " + m.element + ">" : m.name;
}

std::string struct_of(const loop_message& m) {
  std::string made = "struct " + m.name + " {\n";
  for (const message_field& f : m.fields) made += f.type + " " + f.name + ";\n";
  return made + "};\n";
}

std::string size_of(const loop_message& m) {
  return m.name + ": message " + std::to_string(m.bytes()) + (m.is_list() ? " and elements" : "");
}

}  // namespace shoal::translate
