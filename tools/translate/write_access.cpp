#include "tools/translate/write_access.hpp"

#include <algorithm>
#include <regex>

namespace shoal::translate {

std::string change_of(const loop_step& s, const access_text& its) {
  using enum remote_operation;
  if (s.several.has_value()) return s.has_rest ? "" : "std::ranges::copy(" + its.elements + ", " + its.address + ");\n";
  switch (s.operation) {
    case get: return {};
    case put:
    case swap: return its.element + " = " + its.value + ";\n";
    case add: return its.element + " += " + its.value + ";\n";
    case increment: return "++" + its.element + ";\n";
    case bit_and: return its.element + " &= " + its.value + ";\n";
    case bit_or: return its.element + " |= " + its.value + ";\n";
    case bit_xor: return its.element + " ^= " + its.value + ";\n";
    case compare_swap:
      return "if (" + its.element + " == " + its.expected + ") " + its.element + " = " + its.value + ";\n";
  }
  return {};
}

std::string check_of(const loop_step& s, const std::string& check, const access_text& its) {
  using enum remote_operation;
  const auto call = [&](const std::string& verb, const std::string& arguments) {
    return check + "." + verb + "(" + arguments + ", " + its.turn + ");\n";
  };
  if (s.several.has_value())
    return s.has_rest ? call("reads_all", its.address + ", " + its.count)
                      : call("writes_all", its.address + ", " + its.elements);
  const auto update = [&](const std::string& operation) { return call("updates", its.element + ", " + operation); };
  switch (s.operation) {
    case get: return call("reads", its.element);
    case put: return call("writes", its.element + ", " + its.value);
    case swap: return (s.has_rest ? call("reads", its.element) : "") + call("writes", its.element + ", " + its.value);
    case add:
    case increment: return update("'+'");
    case bit_and: return update("'&'");
    case bit_or: return update("'|'");
    case bit_xor: return update("'^'");
    case compare_swap: return call("compare_swaps", its.element + ", " + its.expected + ", " + its.value);
  }
  return {};
}

std::string check_member(const std::string& check, const program& from, const loop& l) {
  const std::string name = from.file.substr(from.file.find_last_of('/') + 1);
  const auto end = from.source.begin() + static_cast<std::ptrdiff_t>(l.statement.begin);
  const std::ptrdiff_t line = std::count(from.source.begin(), end, '\n') + 1;
  return "[[no_unique_address]] shoal::loop_check " + check + "{\"" + name + ":" + std::to_string(line) + "\"};\n";
}

std::string next_turn(const std::string& turn, const std::string& check) {
  return "\nconst shoal::loop_turn " + turn + " = " + check + ".next();";
}

std::string without_pragmas(const std::string& text) {
  static const std::regex pragma("(^|\\n)[ \\t]*#[ \\t]*pragma[ \\t]+shoal[ \\t]+independent[^\\n]*(?=\\n)");
  return std::regex_replace(text, pragma, "");
}

}  // namespace shoal::translate
