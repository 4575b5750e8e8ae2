/// Decides how the steps of a loop travel: what their messages carry, who answers, and who handles them at once.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "tools/translate/loop.hpp"
#include "tools/translate/loop_message.hpp"

namespace shoal::translate {

/// What the place of an element is, in the handler that names it.
enum class place_base {
  unknown,  // the index, divided by the number of PEs
  zero,  // `rounds` alone
  parent  // `rounds` and the place of the step that waited
};

/// How a step travels.
struct step_plan {
  loop_message query;
  loop_message reply;  // no name: nothing waits, or it waits where the element is
  std::vector<std::size_t> carried;  // variables
  bool carries_origin = false;  // the number of the PE whose loop it is, since another one sends
  std::string index;  // field; empty: element 0
  std::string value;
  std::string expected;
  std::string count;  // of several elements that are asked for; empty: it is known
  bool is_passed_on = false;  // sent by a handler that may be on the PE to which it goes
};

class loop_plan {
public:
  /// New names are none of `identifiers`, and become some.
  loop_plan(const loop& l, std::set<std::string>& identifiers);

  const step_plan& of(std::size_t step) const { return plans_[step]; }

  /// The variable whose value is the PE that handles a step; none if there is no such.
  std::size_t target_of(std::size_t step) const;
  /// Whether a variable has one value from before the step on, for all that waits for the step.
  bool is_settled(std::size_t v, std::size_t step) const;
  /// Whether the step goes to the PE whose handler makes it.
  bool stays(std::size_t step) const;
  /// What `rounds` counts from, for a step that stays with an index of a dealt array.
  place_base base_of(std::size_t step) const;
  /// Whether code that waits for the step names its answer.
  bool is_answer_used(std::size_t step) const;

private:
  std::size_t told_by(std::size_t i) const;
  bool is_dealt_by_value(std::size_t i) const;
  std::vector<std::size_t> named_in(const pieces& code) const;
  bool is_needed(std::size_t v, bool is_remote) const;
  bool is_object(std::size_t v) const;
  bool goes_back(std::size_t i) const;
  bool is_carried_on(std::size_t i, std::size_t v) const;
  void plan_carried(std::size_t i);
  void plan_origin(std::size_t i);
  void plan_messages(std::size_t i, std::set<std::string>& identifiers);
  std::string add_variable(loop_message& to, std::size_t v) const;
  void add_elements(loop_message& to, const loop_step& s) const;

  const loop& loop_;
  std::vector<step_plan> plans_;
};

/// `wanted`, or that with a number, so that it is none of `taken`; it becomes one.
std::string unique_name(std::set<std::string>& taken, const std::string& wanted);

}  // namespace shoal::translate
