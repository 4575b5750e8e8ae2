#include "tools/translate/plan_loop.hpp"

#include <algorithm>
#include <functional>

namespace shoal::translate {
namespace {

bool holds(const std::vector<std::size_t>& all, std::size_t v) { return std::ranges::find(all, v) != all.end(); }

// A name for what a path leads to: "nonzero" for "A->nonzero".
std::string last_name(const std::string& path) {
  const std::size_t at = path.find_last_of(".>:");
  return at == std::string::npos ? path : path.substr(at + 1);
}

std::string verb(remote_operation o) {
  using enum remote_operation;
  switch (o) {
    case get: return "get";
    case put: return "put";
    case add: return "add";
    case increment: return "increment";
    case bit_and: return "and";
    case bit_or: return "or";
    case bit_xor: return "xor";
    case swap: return "swap";
    case compare_swap: return "compare_swap";
  }
  return {};
}

std::string add_field(loop_message& to, const std::string& wanted, const std::string& type, std::size_t bytes,
                      std::size_t alignment, std::size_t variable = none) {
  std::string name = wanted;
  const auto is_taken = [&] { return std::ranges::find(to.fields, name, &message_field::name) != to.fields.end(); };
  for (int n = 2; is_taken(); ++n) name = wanted + std::to_string(n);
  to.fields.push_back({name, type, bytes, alignment, variable});
  return name;
}

// It takes no room in builds that do not check.
void add_turn(loop_message& to) { to.turn = add_field(to, "turn", "[[no_unique_address]] shoal::loop_turn", 0, 1); }

}  // namespace

std::string unique_name(std::set<std::string>& taken, const std::string& wanted) {
  std::string name = wanted;
  for (int i = 2; !taken.insert(name).second; ++i) name = wanted + std::to_string(i);
  return name;
}

loop_plan::loop_plan(const loop& l, std::set<std::string>& identifiers) : loop_(l), plans_(l.steps.size()) {
  for (std::size_t i = plans_.size(); i-- > 0;) plan_carried(i);  // children first
  for (std::size_t i = 0; i < plans_.size(); ++i) plan_origin(i);
  for (std::size_t i = 0; i < plans_.size(); ++i) plan_messages(i, identifiers);
}

std::size_t loop_plan::target_of(std::size_t i) const {
  const loop_step& s = loop_.steps[i];
  return s.is_pe_id && s.pe.size() == 1 && s.pe[0].is == piece::kind::variable ? s.pe[0].index : none;
}

bool loop_plan::is_settled(std::size_t v, std::size_t i) const {
  const loop_variable& its = loop_.variables[v];
  return !its.is_written_late || (its.settled_at != none && its.settled_at < loop_.steps[i].position);
}

bool loop_plan::stays(std::size_t i) const {
  const std::size_t parent = loop_.steps[i].parent;
  const std::size_t told = told_by(i);
  return parent != none && loop_.steps[parent].rest_is_remote && told != none && told == told_by(parent) &&
         is_settled(told, parent);
}

// The variable that tells the PE of a step: its number, or an index of an element there.
std::size_t loop_plan::told_by(std::size_t i) const {
  return loop_.steps[i].dealt_as != none ? loop_.steps[i].dealt_as : target_of(i);
}

// Whether the index is the variable's value, which is not negative then.
bool loop_plan::is_dealt_by_value(std::size_t i) const {
  const loop_step& s = loop_.steps[i];
  return s.dealt_as != none && !s.is_remainder && s.rounds.empty();
}

place_base loop_plan::base_of(std::size_t i) const {
  const loop_step& s = loop_.steps[i];
  if (s.dealt_as == none || !stays(i)) return place_base::unknown;
  if (!s.is_remainder) return is_dealt_by_value(s.parent) ? place_base::parent : place_base::unknown;
  // A sum of several terms may be too much for their type.
  if (s.rounds.size() > 1) return place_base::unknown;
  for (std::size_t k = s.parent;; k = loop_.steps[k].parent) {
    if (is_dealt_by_value(k)) return place_base::zero;
    if (!stays(k)) return place_base::unknown;
  }
}

bool loop_plan::is_answer_used(std::size_t step) const {
  const std::size_t answer = loop_.steps[step].result;
  return holds(loop_.steps[step].uses, answer) || is_carried_on(step, answer);
}

bool loop_plan::is_needed(std::size_t v, bool is_remote) const {
  const variable_kind kind = loop_.variables[v].kind;
  return kind == variable_kind::iteration || kind == variable_kind::counter ||
         (kind == variable_kind::fixed && is_remote && !is_object(v) && !loop_.variables[v].is_same);
}

// Each PE has its own, in the selector.
bool loop_plan::is_object(std::size_t v) const {
  return std::ranges::any_of(loop_.steps, [&](const loop_step& s) { return s.object_variable == v; });
}

// Variables that code names, also where it sends.
std::vector<std::size_t> loop_plan::named_in(const pieces& code) const {
  std::vector<std::size_t> all;
  for (const piece& each : code) {
    if (each.is == piece::kind::variable) all.push_back(each.index);
    if (each.is != piece::kind::send && each.is != piece::kind::receive) continue;
    const loop_step& s = loop_.steps[each.index];
    const auto look = [&](const pieces& part) {
      const std::vector<std::size_t> more = named_in(part);
      all.insert(all.end(), more.begin(), more.end());
    };
    if (s.several.has_value()) look(s.several->address);
    if (each.is == piece::kind::receive) continue;
    if (s.several.has_value()) look(s.several->count);
    if (base_of(each.index) == place_base::unknown) look(s.index);
    for (const dealt_rounds& r : s.rounds) look(r.times);
    look(s.pe);
    look(s.value);
    look(s.expected);
  }
  return all;
}

void loop_plan::plan_carried(std::size_t i) {
  const loop_step& s = loop_.steps[i];
  if (!s.has_rest) return;
  std::vector<std::size_t>& all = plans_[i].carried;
  const auto need = [&](std::size_t v) {
    if (!is_needed(v, s.rest_is_remote) || v == s.result || holds(s.declares, v) || holds(s.written_first, v)) return;
    if (s.rest_is_remote && v == target_of(i) && is_settled(v, i)) return;
    if (!holds(all, v)) all.push_back(v);
  };
  const std::vector<std::size_t> named = named_in(s.rest);
  for (const std::size_t v : s.uses) {
    if (holds(named, v)) need(v);
  }
  for (std::size_t k = i + 1; k < loop_.steps.size(); ++k) {
    if (loop_.steps[k].parent != i) continue;
    for (const std::size_t v : plans_[k].carried) need(v);
  }
  // What the first answer tells is known where it is read.
  std::erase(all, s.result);
}

// Whether what waits for the step, now or later, goes back to the PE whose loop it is, or tells its number.
bool loop_plan::goes_back(std::size_t i) const {
  if (!loop_.steps[i].has_rest) return false;
  if (!loop_.steps[i].rest_is_remote || loop_.steps[i].names_own_pe) return true;
  for (std::size_t k = i + 1; k < loop_.steps.size(); ++k) {
    if (loop_.steps[k].parent == i && goes_back(k)) return true;
  }
  return false;
}

void loop_plan::plan_origin(std::size_t i) {
  const std::size_t parent = loop_.steps[i].parent;
  const bool is_sent_from_elsewhere = parent != none && loop_.steps[parent].rest_is_remote;
  plans_[i].is_passed_on = is_sent_from_elsewhere && !stays(i);
  plans_[i].carries_origin = is_sent_from_elsewhere && goes_back(i);
}

void loop_plan::plan_messages(std::size_t i, std::set<std::string>& identifiers) {
  const loop_step& s = loop_.steps[i];
  step_plan& p = plans_[i];
  const std::string base = last_name(s.object) + "_" + verb(s.operation);
  p.query.name = unique_name(identifiers, base);
  if (p.carries_origin) add_field(p.query, "origin", "shoal::pe_id", 8, 8);  // first, for its name
  if (!s.index.empty()) {
    const bool is_direct = s.family == access_family::shmem || s.family == access_family::world;
    const bool is_variable = is_direct && s.index.size() == 1 && s.index[0].is == piece::kind::variable;
    if (is_variable && is_needed(s.index[0].index, true)) {
      p.index = add_variable(p.query, s.index[0].index);
    } else {
      const bool is_own_type = is_direct && !s.index_type.empty();
      p.index = add_field(p.query, "index", is_own_type ? s.index_type : "std::int64_t",
                          is_own_type ? s.index_bytes : 8, is_own_type ? s.index_bytes : 8);
    }
  }
  if (s.several.has_value() && s.operation == remote_operation::put) add_elements(p.query, s);
  if (s.several.has_value() && s.has_rest && !s.several->is_count_known) {
    const pieces& count = s.several->count;
    const bool is_variable = count.size() == 1 && count[0].is == piece::kind::variable;
    const bool is_same =
        is_variable && loop_.variables[count[0].index].kind == variable_kind::fixed && !is_needed(count[0].index, true);
    if (!is_same && is_variable && s.several->is_count_size) {
      p.count = add_variable(p.query, count[0].index);
    } else if (!is_same) {
      p.count = add_field(p.query, "count", "std::size_t", 8, 8);
    }
  }
  if (!s.value.empty() && !s.is_value_known) {
    const bool is_variable = s.is_value_element && s.value.size() == 1 && s.value[0].is == piece::kind::variable &&
                             is_needed(s.value[0].index, true);
    p.value = is_variable ? add_variable(p.query, s.value[0].index)
                          : add_field(p.query, "value", s.element, s.element_bytes, s.element_alignment);
  }
  if (!s.expected.empty() && !s.is_expected_known)
    p.expected = add_field(p.query, "expected", s.element, s.element_bytes, s.element_alignment);
  for (const std::size_t v : p.carried) add_variable(p.query, v);
  if (p.carries_origin) std::ranges::rotate(p.query.fields, p.query.fields.begin() + 1);
  if (loop_.is_checked) add_turn(p.query);
  if (s.has_rest && !s.rest_is_remote) {
    p.reply.name = unique_name(identifiers, base + "_reply");
    if (s.several.has_value()) add_elements(p.reply, s);
    if (is_answer_used(i)) add_variable(p.reply, s.result);
    for (const std::size_t v : p.carried) add_variable(p.reply, v);
    // What waits for it sends in its turn.
    if (loop_.is_checked && std::ranges::find(loop_.steps, i, &loop_step::parent) != loop_.steps.end())
      add_turn(p.reply);
  }
  for (loop_message* m : {&p.query, &p.reply})
    std::ranges::stable_sort(m->fields, std::ranges::greater{}, &message_field::alignment);
}

// Few elements travel in the message, which is faster than a list.
void loop_plan::add_elements(loop_message& to, const loop_step& s) const {
  constexpr std::size_t bytes_max = 128;
  to.element = s.element;
  const std::size_t n = s.several->n;
  if (n == 0 || n > bytes_max / s.element_bytes) return;
  to.elements = add_field(to, "elements", "std::array<" + s.element + ", " + std::to_string(n) + ">",
                          n * s.element_bytes, s.element_alignment);
}

bool loop_plan::is_carried_on(std::size_t i, std::size_t v) const {
  for (std::size_t k = i + 1; k < loop_.steps.size(); ++k) {
    if (loop_.steps[k].parent == i && holds(plans_[k].carried, v)) return true;
  }
  return false;
}

std::string loop_plan::add_variable(loop_message& to, std::size_t v) const {
  if (const message_field* const there = to.of(v)) return there->name;
  const loop_variable& its = loop_.variables[v];
  return add_field(to, its.name, its.type, its.bytes, std::max<std::size_t>(its.alignment, 1), v);
}

}  // namespace shoal::translate
