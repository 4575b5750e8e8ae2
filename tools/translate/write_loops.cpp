#include "tools/translate/write_loops.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

#include "tools/translate/loop_includes.hpp"
#include "tools/translate/loop_message.hpp"
#include "tools/translate/plan_loop.hpp"
#include "tools/translate/words.hpp"
#include "tools/translate/write_access.hpp"
#include "tools/translate/write_parts.hpp"

namespace shoal::translate {
namespace {

bool holds(const std::vector<std::size_t>& all, std::size_t v) { return std::ranges::find(all, v) != all.end(); }

// Where code stands: in the loop itself, or in a handler.
struct place {
  std::size_t step = none;
  bool is_remote = false;
  const loop_message* of = nullptr;
};

class loop_writer {
public:
  loop_writer(const program& from, const loop& l, std::set<std::string>& identifiers)
      : from_(from), loop_(l), plan_(l, identifiers) {
    message_ = free_name("m");
    sender_ = free_name("from");
    me_ = free_name("own_pe");
    index_ = free_name("index");
    owner_ = free_name("owner");
    at_ = free_name("at");
    filled_ = free_name("filled");
    check_ = free_name("check");
    turn_ = free_name("turn");
    name_ = unique_name(identifiers, (loop_.function.empty() ? "loop" : loop_.function) + "_selector");
    variable_ = unique_name(identifiers, "messages");
  }

  // Returns the lines of the report.
  std::string write(std::vector<edit>& edits) {
    const std::string loop_text = without_pragmas(text(loop_.text, {}));
    std::string before = class_text() + "\n";
    std::string body;
    if (loop_.is_outermost) {
      before += name_ + " " + variable_ + "{" + arguments() + "};\n";
    } else {
      before += "std::optional<" + name_ + "> " + variable_ + ";  // made in the superstep that ends it\n";
      body = variable_ + ".emplace(" + arguments() + ");\n";
    }
    const std::string statement =
        loop_.world + ".finish([&] {\n" + body + loop_text + "\n});" + (loop_.is_scope ? "\n}" : "");
    const range from = loop_.pragma.is_empty() ? loop_.statement : range{loop_.pragma.begin, loop_.statement.end};
    const std::size_t at = begin_of_comments(from_.source, from.begin);
    edits.push_back({{at, at}, (loop_.is_scope ? "\n{\n" : "\n") + before});
    if (!loop_.pragma.is_empty()) edits.push_back({whole_lines(from_.source, loop_.pragma), ""});
    edits.push_back({loop_.statement, statement});
    if (!loop_.barrier.is_empty()) edits.push_back({whole_lines(from_.source, loop_.barrier), ""});
    std::string report;
    for (std::size_t i = 0; i < loop_.steps.size(); ++i) {
      const step_plan& p = plan_.of(i);
      report += from_.file + ":" + std::to_string(loop_.steps[i].line) + ": " + size_of(p.query);
      if (!p.reply.name.empty()) report += ", " + size_of(p.reply);
      report += "\n";
    }
    return report;
  }

private:
  // Parameters and members of each selector may have the same name.
  std::string free_name(const std::string& wanted) const {
    std::set<std::string> taken = from_.identifiers;
    return unique_name(taken, wanted);
  }

  std::string text(const pieces& all, const place& here) const {
    std::string made;
    for (const piece& each : all) {
      switch (each.is) {
        case piece::kind::text: made += each.text; break;
        case piece::kind::variable: made += variable_text(each.index, here); break;
        case piece::kind::send: made += send(each.index, here); break;
        case piece::kind::own_pe: made += here.is_remote ? "static_cast<int>(" + origin(here) + ")" : each.text; break;
        case piece::kind::receive: made += receive(each.index, here); break;
        case piece::kind::turn: made += next_turn(turn_, selector() + check_); break;
      }
    }
    return made;
  }

  std::string variable_text(std::size_t v, const place& here) const {
    const std::string& name = loop_.variables[v].name;
    if (here.step == none) return name;
    const loop_step& s = loop_.steps[here.step];
    const bool is_local = holds(s.declares, v) || holds(s.changes, v) || (here.is_remote && v == s.result);
    if (is_local) return name;
    const message_field* const f = here.of->of(v);
    if (f == nullptr && here.is_remote && v == plan_.target_of(here.step) && plan_.is_settled(v, here.step)) {
      const std::string& type = loop_.variables[v].type;
      const bool is_wide = type == "shoal::pe_id" || type == "std::int64_t" || type == "int64_t";
      return is_wide ? me_ : "static_cast<" + type + ">(" + me_ + ")";
    }
    return f == nullptr ? name : field(*here.of, f->name);
  }

  // In a message's handler.
  std::string field(const loop_message& of, const std::string& name) const {
    return message_ + (of.is_list() ? ".header." : ".") + name;
  }
  std::string elements(const loop_message& of) const {
    return message_ + "." + (of.is_list() ? "elements" : of.elements);
  }

  // A message of these values, with its elements from `begin` on if it has some. `before`: statements that come first.
  std::string message(const loop_message& of, const std::string& values, const std::string& begin,
                      const std::string& count, std::string& before) const {
    const std::string made = of.name + "{" + values + "}";
    if (of.element.empty()) return made;
    if (of.is_list())
      return type_of(of) + "{" + made + ", std::span<const " + of.element + ">(" + begin + ", " + count + ")}";
    before += of.name + " " + filled_ + "{" + values + "};\nstd::copy_n(" + begin + ", " + count + ", " + filled_ +
              "." + of.elements + ".begin());\n";
    return filled_;
  }

  // How many elements are asked for, where they are.
  std::string count(std::size_t i) const {
    const step_elements& several = *loop_.steps[i].several;
    if (!plan_.of(i).count.empty()) return field(plan_.of(i).query, plan_.of(i).count);
    const bool has_names = std::ranges::any_of(several.count, [](const piece& p) { return p.is != piece::kind::text; });
    return has_names && several.n != none ? std::to_string(several.n) : text(several.count, {});
  }

  // The elements of step `i` have come.
  std::string receive(std::size_t i, const place& here) const {
    const std::string into = text(loop_.steps[i].several->address, here);
    if (here.is_remote) return "std::copy_n(" + address(i) + ", " + count(i) + ", " + into + ");";
    return "std::ranges::copy(" + elements(plan_.of(i).reply) + ", " + into + ");";
  }

  // Where members of the selector are named in the loop itself.
  std::string selector() const { return variable_ + (loop_.is_outermost ? "." : "->"); }

  // A statement that sends step `i`.
  std::string send(std::size_t i, const place& here) const {
    const loop_step& s = loop_.steps[i];
    const step_plan& p = plan_.of(i);
    std::string before;
    std::string index = text(s.index, here);
    std::string pe = text(s.pe, here);
    if (!s.pe.empty() && !s.is_pe_id) pe = "static_cast<shoal::pe_id>(" + pe + ")";
    if (s.family == access_family::getput && plan_.stays(i)) {
      index = place_nearby(i, here);
    } else if (s.family == access_family::getput) {
      const bool is_plain = s.index.size() == 1 && s.index[0].is == piece::kind::variable &&
                            (s.index_type == "int64_t" || s.index_type == "std::int64_t");
      pe = "static_cast<shoal::pe_id>(" + (is_plain ? index : index_) + " % THREADS)";
      if (!is_plain) {
        // Before there is a message in memory: then one division does for both.
        before = "const std::int64_t " + index_ + " = " + index + ";\nconst auto " + owner_ + " = " + pe + ";\n";
        index = index_;
        pe = owner_;
      }
      index += " / THREADS";
    } else if (s.family == access_family::array) {
      before = "const shoal::place " + at_ + " = " + s.object + ".indices().place_of(" + index + ");\n";
      pe = at_ + ".pe";
      index = at_ + ".local";
    }
    std::string values;
    for (const message_field& f : p.query.fields) {
      std::string value;
      if (f.name == p.index) {
        value = index;
      } else if (f.name == p.query.elements) {
        value = "{}";
      } else if (f.name == p.count) {
        const std::string n = text(s.several->count, here);
        value = s.several->is_count_size ? n : "static_cast<std::size_t>(" + n + ")";
      } else if (f.name == p.value) {
        value =
            s.is_value_element ? text(s.value, here) : "static_cast<" + s.element + ">(" + text(s.value, here) + ")";
      } else if (f.name == p.expected) {
        value = "static_cast<" + s.element + ">(" + text(s.expected, here) + ")";
      } else if (f.name == p.query.turn) {
        value = here.step == none ? turn_ : field(*here.of, here.of->turn);
      } else if (f.variable != none) {
        value = variable_text(f.variable, here);
      } else {
        value = origin(here);
      }
      values += (values.empty() ? "" : ", ") + value;
    }
    const std::string to = here.step == none ? selector() + "send" : p.is_passed_on ? "pass_on" : "send";
    std::string made;
    if (s.several.has_value()) {
      made = message(p.query, values, text(s.several->address, here), text(s.several->count, here), before);
    } else {
      made = p.query.name + "{" + values + "}";
    }
    const std::string statement = plan_.stays(i) ? "process(" + made + ");" : to + "(" + pe + ", " + made + ");";
    return before.empty() || s.is_last ? before + statement : "{\n" + before + statement + "\n}";
  }

  // The place of an element of a dealt array, on this PE.
  std::string place_nearby(std::size_t i, const place& here) const {
    const loop_step& s = loop_.steps[i];
    const place_base base = plan_.base_of(i);
    if (base == place_base::unknown)
      return (s.index.size() == 1 ? text(s.index, here) : "(" + text(s.index, here) + ")") + " / THREADS";
    std::string sum = base == place_base::parent ? message_ + "." + plan_.of(s.parent).index : "";
    for (const dealt_rounds& r : s.rounds) {
      if (r.is_subtracted || !sum.empty()) sum += r.is_subtracted ? " - " : " + ";
      sum += r.times.empty() ? "1" : text(r.times, here);
    }
    return sum.empty() ? "0" : sum;
  }

  // In the rest of a step that runs elsewhere: the PE whose loop it is.
  std::string origin(const place& here) const {
    return plan_.of(here.step).carries_origin ? message_ + ".origin" : sender_;
  }

  std::string element(std::size_t i) const {
    const loop_step& s = loop_.steps[i];
    if (s.is_one_element) return s.object;
    const std::string index = plan_.of(i).index.empty() ? "0" : field(plan_.of(i).query, plan_.of(i).index);
    switch (s.family) {
      case access_family::array: return s.object + ".local()[static_cast<std::size_t>(" + index + ")]";
      case access_family::world:
        return loop_.world + ".local(" + s.object + ")[static_cast<std::size_t>(" + index + ")]";
      default: return s.object + "[" + index + "]";
    }
  }

  // Of the first of several elements, where they are.
  std::string address(std::size_t i) const {
    const loop_step& s = loop_.steps[i];
    if (s.is_one_element) return "&" + s.object;
    const bool is_of_world = s.family == access_family::world;
    const std::string array = is_of_world ? loop_.world + ".local(" + s.object + ").data()" : s.object;
    return plan_.of(i).index.empty() ? array : array + " + " + field(plan_.of(i).query, plan_.of(i).index);
  }

  // What the message carries, or what is the same wherever it is.
  std::string given(const std::string& name, const pieces& known, bool is_element,
                    const std::string& element_type) const {
    if (!name.empty()) return message_ + "." + name;
    return is_element ? text(known, {}) : "static_cast<" + element_type + ">(" + text(known, {}) + ")";
  }

  access_text access(std::size_t i) const {
    const loop_step& s = loop_.steps[i];
    const step_plan& p = plan_.of(i);
    access_text made;
    if (!p.query.turn.empty()) made.turn = field(p.query, p.query.turn);
    if (s.several.has_value()) {
      made.address = address(i);
      if (s.has_rest) {
        made.count = count(i);
      } else {
        made.elements = elements(p.query);
      }
      return made;
    }
    made.element = element(i);
    made.value = given(p.value, s.value, s.is_value_element || s.is_known_int, s.element);
    made.expected = given(p.expected, s.expected, s.is_expected_element || s.is_known_int, s.element);
    return made;
  }

  std::string converted(std::size_t i) const {
    const loop_step& s = loop_.steps[i];
    const std::string& type = loop_.variables[s.result].type;
    return s.is_result_element ? element(i) : "static_cast<" + type + ">(" + element(i) + ")";
  }

  std::string query_handler(std::size_t i) {
    const loop_step& s = loop_.steps[i];
    const step_plan& p = plan_.of(i);
    const access_text its = access(i);
    std::string body = change_of(s, its);
    if (s.has_rest && s.rest_is_remote) {
      const place here{i, true, &p.query};
      body = answer(i) + body + locals(i, here) + rest(i, here);
    } else if (s.has_rest) {
      body = s.several.has_value() ? reply_with_elements(i) : reply(i, body);
    }
    return handler(p.query, (loop_.is_checked ? check_of(s, check_, its) : "") + body, !plan_.stays(i));
  }

  // Where the element is: a declaration of its old value, if the rest needs it.
  std::string answer(std::size_t i) const {
    const loop_step& s = loop_.steps[i];
    if (s.several.has_value() || !plan_.is_answer_used(i)) return {};
    const loop_variable& result = loop_.variables[s.result];
    const bool is_changed = holds(s.changes, s.result);
    return (is_changed ? "" : "const ") + result.type + " " + result.name + " = " + converted(i) + ";\n";
  }

  // `changed`: the statement that changes the element.
  std::string reply(std::size_t i, const std::string& changed) const {
    const loop_step& s = loop_.steps[i];
    const step_plan& p = plan_.of(i);
    const bool is_inline = changed.empty() || p.reply.of(s.result) == nullptr;
    std::string body;
    std::string value = converted(i);
    if (!is_inline) {
      const std::string before = free_name("before");
      body += "const " + loop_.variables[s.result].type + " " + before + " = " + value + ";\n";
      value = before;
    }
    return body + changed + send_back(p, p.reply.name + "{" + reply_values(i, value) + "}");
  }

  std::string reply_with_elements(std::size_t i) const {
    const step_plan& p = plan_.of(i);
    std::string body;
    const std::string made = message(p.reply, reply_values(i, "{}"), address(i), count(i), body);
    return body + send_back(p, made);
  }

  // `own`: what the answer has besides what the question carried.
  std::string reply_values(std::size_t i, const std::string& own) const {
    const step_plan& p = plan_.of(i);
    std::string values;
    for (const message_field& f : p.reply.fields) {
      std::string value = own;
      if (f.name == p.reply.turn) {
        value = field(p.query, p.query.turn);
      } else if (f.variable != none && f.variable != loop_.steps[i].result) {
        value = message_ + "." + p.query.of(f.variable)->name;
      }
      values += (values.empty() ? "" : ", ") + value;
    }
    return values;
  }

  std::string send_back(const step_plan& p, const std::string& made) const {
    const std::string back = p.carries_origin ? message_ + ".origin" : sender_;
    return std::string(p.carries_origin ? "pass_on" : "send") + "(" + back + ", " + made + ");\n";
  }

  std::string reply_handler(std::size_t i) {
    const place here{i, false, &plan_.of(i).reply};
    return handler(plan_.of(i).reply, locals(i, here) + rest(i, here), true);
  }

  std::string rest(std::size_t i, const place& here) const {
    const std::string all = text(loop_.steps[i].rest, here);
    return without_pragmas(all.substr(std::min(all.find_first_not_of(" \t\n"), all.size())));
  }

  // Variables that the rest changes.
  std::string locals(std::size_t i, const place& here) const {
    const loop_step& s = loop_.steps[i];
    std::string all;
    for (const std::size_t v : s.changes) {
      if (here.is_remote && v == s.result) continue;
      const loop_variable& its = loop_.variables[v];
      const message_field* const f = here.of->of(v);
      all += its.type + " " + its.name + (f == nullptr ? "{}" : " = " + field(*here.of, f->name)) + ";\n";
    }
    return all;
  }

  std::string handler(const loop_message& of, const std::string& body, bool is_sent) {
    const bool names_message = has_word(body, message_);
    const bool names_sender = is_sent && has_word(body, sender_);
    std::string parameters = "const " + type_of(of) + "&" + (names_message ? " " + message_ : "");
    if (names_sender) parameters += ", shoal::pe_id " + sender_;
    if (names_sender) with_sender_.insert(of.name);
    return "void process(" + parameters + ") {" + body + "}\n";
  }

  // What goes to this PE is handled at once.
  std::string pass_on(const loop_message& of) const {
    const std::string more = with_sender_.contains(of.name) ? ", " + me_ : "";
    const std::string to = free_name("to");
    return "void pass_on(shoal::pe_id " + to + ", const " + type_of(of) + "& " + message_ + ") {\nif (" + to +
           " == " + me_ + ") {\nprocess(" + message_ + more + ");\n} else {\nsend(" + to + ", " + message_ +
           ");\n}\n}\n";
  }

  // What each PE's selector has of its own: arrays, and variables of the function.
  std::vector<std::size_t> members(const std::string& handlers) const {
    std::vector<std::size_t> all;
    for (std::size_t v = 0; v < loop_.variables.size(); ++v) {
      const loop_variable& its = loop_.variables[v];
      const bool is_own = its.kind == variable_kind::fixed || its.kind == variable_kind::result;
      if (is_own && !its.is_in_types && its.name != loop_.world && has_word(handlers, its.name)) all.push_back(v);
    }
    return all;
  }
  std::string member_type(std::size_t v) const {
    const loop_variable& its = loop_.variables[v];
    const bool is_reference = its.is_object || its.kind == variable_kind::result;
    return (its.is_constant && its.is_object ? "const " : "") + its.type + (is_reference ? "&" : "");
  }

  std::string class_text() {
    std::string messages;
    std::string types;
    std::string handlers;
    std::string passes;
    for (std::size_t i = 0; i < loop_.steps.size(); ++i) {
      types += struct_of(plan_.of(i).query);
      if (!plan_.stays(i)) messages += ", " + type_of(plan_.of(i).query);
      handlers += query_handler(i);
      if (plan_.of(i).reply.name.empty()) continue;
      types += struct_of(plan_.of(i).reply);
      messages += ", " + type_of(plan_.of(i).reply);
      handlers += reply_handler(i);
    }
    for (std::size_t i = 0; i < loop_.steps.size(); ++i) {
      const step_plan& p = plan_.of(i);
      if (p.is_passed_on) passes += pass_on(p.query);
      if (p.carries_origin && !p.reply.name.empty()) passes += pass_on(p.reply);
    }
    members_ = members(handlers);
    const std::string home = free_name("home");
    std::string parameters = "shoal::world& " + home;
    std::string initialisers = "selector(" + home + ")";
    std::string declarations;
    const auto member = [&](const std::string& type, const std::string& name, const std::string& value) {
      initialisers += ", " + name + "(" + value + ")";
      declarations += type + " " + name + ";\n";
    };
    for (const std::size_t v : members_) {
      const std::string& name = loop_.variables[v].name;
      parameters += ", " + member_type(v) + " " + name + "_here";
      member(member_type(v), name, name + "_here");
    }
    if (has_word(handlers, loop_.world)) {
      member("shoal::world&", loop_.world, home);
    }
    if (!passes.empty() || has_word(handlers, me_)) member("shoal::pe_id", me_, home + ".my_pe()");
    if (loop_.is_checked) declarations += check_member(check_, from_, loop_);
    const bool is_single = members_.empty();
    std::string made = types + "\nstruct " + name_ + " : shoal::selector<" + name_ + messages + "> {\n";
    made += (is_single ? "explicit " : "") + name_ + "(" + parameters + ") : " + initialisers + " {}\n\n" + handlers;
    if (!passes.empty()) made += "\n// What goes to this PE needs no message.\n" + passes;
    if (!declarations.empty()) made += "\n" + declarations;
    return made + "};\n";
  }

  std::string arguments() const {
    std::string all = loop_.world;
    for (const std::size_t v : members_) all += ", " + loop_.variables[v].name;
    return all;
  }

  const program& from_;
  const loop& loop_;
  const loop_plan plan_;
  std::vector<std::size_t> members_;
  std::set<std::string> with_sender_;

  std::string name_;
  std::string variable_;
  std::string message_;
  std::string sender_;
  std::string me_;
  std::string index_;
  std::string owner_;
  std::string at_;
  std::string filled_;
  std::string check_;
  std::string turn_;
};

}  // namespace

std::string add_loops(const program& from, const source_loops& loops, std::vector<edit>& edits) {
  std::set<std::string> identifiers = from.identifiers;
  std::vector<edit> made;
  std::string report;
  for (const loop& l : loops.all) report += loop_writer(from, l, identifiers).write(made);
  for (const replaced_text& r : loops.declarations)
    made.push_back({r.text.empty() ? whole_lines(from.source, r.at) : r.at, r.text});
  add_includes(from, loops, made);
  if (edits.empty()) {
    edits = in_order(from, std::move(made), "its loops with one-sided access send messages of selectors");
  } else {
    edits.insert(edits.end(), made.begin(), made.end());
    std::ranges::stable_sort(edits, {}, [](const edit& e) { return std::pair(e.at.begin, e.at.end); });
  }
  return report;
}

}  // namespace shoal::translate
