/// What handlers of a translated loop do to an element, and how they check it.
#pragma once

#include <string>

#include "tools/translate/loop.hpp"

namespace shoal::translate {

/// What an access is made of, as its handler names it.
struct access_text {
  std::string element;
  std::string value;
  std::string expected;
  std::string address;  // of the first of several elements
  std::string elements;  // that a put brings
  std::string count;  // how many elements a get asks for
  std::string turn;  // of a checked loop, of which the message is a part
};

/// The statement that changes the element; empty: none does.
std::string change_of(const loop_step& s, const access_text& its);

/// The call that reports the access to `check`, a shoal::loop_check.
std::string check_of(const loop_step& s, const std::string& check, const access_text& its);

/// The selector's member `check`, which knows where the loop is.
std::string check_member(const std::string& check, const program& from, const loop& l);

/// The statement that begins a turn.
std::string next_turn(const std::string& turn, const std::string& check);

/// Pragmas before loops within have done their work.
std::string without_pragmas(const std::string& text);

}  // namespace shoal::translate
