#include "tools/translate/write.hpp"

#include <algorithm>
#include <set>

#include "tools/translate/words.hpp"
#include "tools/translate/write_parts.hpp"

namespace shoal::translate {
namespace {

constexpr const char* world_type = "shoal::world&";
constexpr const char* unused_mark = "[[maybe_unused]] ";

class writer {
public:
  writer(const program& from, const selector_plan& p) : from_(from), plan_(p), s_(*p.of) {}

  void write(std::vector<edit>& edits) const {
    is_placed() ? write_in_place(edits) : write_before_superstep(edits);
    for (std::size_t i = 0; i < s_.closures.size(); ++i) {
      const closure& c = s_.closures[i];
      if (s_.owns(c) && c.parent == none && c.object.type.empty()) edits.push_back({c.send, send(i)});
    }
  }

private:
  bool is_placed() const { return !s_.place.type.is_empty(); }

  // The constructor takes what that of the actor takes, so what gives it that stays.
  void write_in_place(std::vector<edit>& edits) const {
    const std::size_t at = begin_of_comments(from_.source, s_.statement.begin);
    edits.push_back({{at, at}, "\n" + class_text() + "\n"});
    edits.push_back({s_.place.type, plan_.name});
    std::string more;
    for (const member_plan& m : plan_.members) {
      if (is_more(m)) more += ", " + m.value;
    }
    if (!more.empty()) edits.push_back({{s_.place.arguments_end, s_.place.arguments_end}, more});
    const std::string mailbox = std::string(s_.is_dependent ? "template " : "") + "mailbox_at<0>().";
    for (const std::size_t each : s_.place.of_mailbox) edits.push_back({{each, each}, mailbox});
  }

  void write_before_superstep(std::vector<edit>& edits) const {
    std::string before = "\n" + class_text() + "\n";
    if (plan_.is_late) {
      before += "std::optional<" + plan_.name + "> " + plan_.variable + ";  // made in the superstep that ends it\n";
      edits.push_back({{s_.body_begin, s_.body_begin}, "\n" + plan_.variable + ".emplace(" + arguments() + ");"});
    } else {
      before += plan_.name + " " + plan_.variable + "{" + arguments() + "};\n";
    }
    if (s_.needs_braces) {
      edits.push_back({{s_.statement.begin, s_.statement.begin}, "{\n" + before});
      edits.push_back({{s_.statement.end, s_.statement.end}, "\n}"});
    } else {
      const std::size_t at = begin_of_comments(from_.source, s_.statement.begin);
      edits.push_back({{at, at}, before});
    }
  }

  std::string source(range r) const { return from_.source.substr(r.begin, r.end - r.begin); }

  std::string arguments() const {
    std::string all = s_.world;
    for (const member_plan& m : plan_.members) {
      if (m.type != world_type) all += ", " + m.value;
    }
    return all;
  }

  std::string class_text() const {
    std::string text;
    std::string messages;
    for (std::size_t i = 0; i < s_.closures.size(); ++i) {
      if (!s_.owns(s_.closures[i])) continue;
      messages += ", " + plan_.messages[i].name;
      if (s_.closures[i].object.type.empty()) text += message_text(i);
    }
    text += "\n";
    const std::string base = "shoal::selector<" + plan_.name + messages + ">";
    text += "struct " + plan_.name + " : " + base + " {\n" +
            (is_placed() ? constructor_in_place(base) : constructor(base)) + "\n";
    for (std::size_t i = 0; i < s_.closures.size(); ++i) {
      if (s_.owns(s_.closures[i])) text += s_.closures[i].object.type.empty() ? handler(i) : object_handlers(i);
    }
    if (!plan_.members.empty()) text += "\n";
    for (const member_plan& m : plan_.members) text += m.type + " " + m.name + ";\n";
    return text + "};\n";
  }

  std::string constructor(const std::string& base) const {
    const auto world = std::ranges::find(plan_.members, world_type, &member_plan::type);
    const bool has_world = world != plan_.members.end();
    const std::string home = has_world ? world->parameter : "home";
    std::string parameters = "shoal::world& " + home;
    std::string initialisers = (s_.is_dependent ? base : "selector") + "(" + home + ")";
    for (const member_plan& m : plan_.members) {
      if (m.parameter != home) parameters += ", " + m.type + " " + m.parameter;
      initialisers += ", " + m.name + "(" + m.parameter + ")";
    }
    const bool is_single = plan_.members.size() - (has_world ? 1 : 0) == 0;
    return (is_single ? "explicit " : "") + plan_.name + "(" + parameters + ") : " + initialisers + " {}\n";
  }

  // What the actor's constructor does not take.
  bool is_more(const member_plan& m) const { return m.type != world_type && m.name != plan_.contexts[0]; }

  std::string constructor_in_place(const std::string& base) const {
    std::string parameters = "shoal::world& home, " + s_.objects[0].type + "&";
    std::string initialisers = std::string(s_.is_dependent ? base : "selector") + "(home";
    std::string members;
    std::string more;
    for (const member_plan& m : plan_.members) {
      const bool is_context = m.name == plan_.contexts[0];
      if (is_context) parameters += " " + m.parameter;
      if (is_more(m)) more += ", " + m.type + " " + m.parameter;
      members += ", " + m.name + "(" + (m.type == world_type && !is_context ? "home" : m.parameter) + ")";
    }
    if (s_.place.has_name) {
      parameters +=
          std::string(", const std::string& name") + (s_.place.arguments_end == 0 ? " = \"lambda_actor\"" : "");
      initialisers += ", name";
    }
    return plan_.name + "(" + parameters + more + ") : " + initialisers + ")" + members + " {}\n" + destructor();
  }

  // An actor may die in its superstep: it waits then, unless an exception unwinds the stack. A selector has to be told.
  std::string destructor() const {
    return "~" + plan_.name + "() {\nif (std::uncaught_exceptions() == 0) " + (s_.is_dependent ? "this->" : "") +
           "close();\n}\n";
  }

  // What the closure's own functions do stays in them.
  std::string object_handlers(std::size_t i) const {
    const closure_object& its = s_.closures[i].object;
    const message_plan& m = plan_.messages[i];
    const std::string message = "(const " + m.name + "& " + plan_.message;
    std::string given = its.takes_context ? plan_.contexts[0] : "";
    if (its.takes_sender) given += ", " + m.sender;
    std::string text = "void process" + message + (its.takes_sender ? ", shoal::pe_id " + m.sender : "") + ") { " +
                       plan_.message + "(" + given + "); }\n";
    if (its.has_prefetch)
      text += "const void* prefetch" + message + ") { return " + plan_.message + ".prefetch(" +
              (its.prefetch_takes_context ? plan_.contexts[0] : "") + "); }\n";
    return text;
  }

  std::string message_text(std::size_t i) const {
    const closure& c = s_.closures[i];
    const message_plan& m = plan_.messages[i];
    std::string text;
    for (const std::string& comment : c.comments) text += comment + "\n";
    text += "struct " + m.name + " {\n";
    for (const std::size_t k : m.fields) text += c.captures[k].type + " " + c.captures[k].name + ";\n";
    return text + "};\n";
  }

  std::string handler(std::size_t i) const {
    const closure& c = s_.closures[i];
    const message_plan& m = plan_.messages[i];
    const std::string body = body_of(i);
    const bool is_named = has_word(body, plan_.message);
    std::string parameters = c.is_mutable ? m.name : "const " + m.name + "&";
    if (is_named) parameters += " " + plan_.message;
    if (!m.sender.empty()) parameters += ", shoal::pe_id " + m.sender;
    return "void process(" + parameters + ") " + body + "\n";
  }

  std::string body_of(std::size_t i) const {
    const std::string text = body_part(i, s_.closures[i].body);
    return text.substr(0, 1) + constants_of(s_.closures[i]) + text.substr(1);
  }

  // A part of the closure's text, as its handler says it.
  std::string body_part(std::size_t i, range part) const {
    return with_uses(from_, s_.closures[i], part, [&](const use& u) { return text_of(i, u); });
  }

  std::string text_of(std::size_t i, const use& u) const {
    const closure& c = s_.closures[i];
    switch (u.kind) {
      case use_kind::captured: return plan_.messages[i].texts[u.index];
      case use_kind::kept_capture: {
        const std::string name = source(u.at);
        const std::string text = u.index == none ? plan_.contexts[c.object_index] : plan_.messages[i].texts[u.index];
        return u.index != none && c.captures[u.index].known == knowledge::constant ? name : name + " = " + text;
      }
      case use_kind::context: return plan_.contexts[c.object_index];
      case use_kind::send: return send(u.index);
      case use_kind::unused: return unused_mark;
    }
    return {};
  }

  // What sends closure `i`, in its parent's handler or in the main program.
  std::string send(std::size_t i) const {
    const closure& c = s_.closures[i];
    const message_plan& m = plan_.messages[i];
    const auto part = [&](range r) { return c.parent == none ? source(r) : body_part(c.parent, r); };
    std::string values;
    for (const std::size_t k : m.fields) {
      const capture& its = c.captures[k];
      std::string value = its.name;
      if (!its.value.is_empty()) {
        value = part(its.value);
      } else if (its.of_parent != none) {
        value = plan_.messages[c.parent].texts[its.of_parent];
      }
      values += (values.empty() ? "" : ", ") + value;
    }
    if (!c.receiver.is_empty()) {
      const std::string name = c.scope + m.name;
      const std::string of = std::string(s_.is_dependent ? "template " : "") + "mailbox_of<" + name + ">().try_";
      return part(c.receiver) + "." + (c.is_tried ? of : "") + "send(" + part(c.target) + ", " + name + "{" + values +
             "})";
    }
    const std::string to = c.parent == none  ? plan_.variable + (plan_.is_late ? "->" : ".")
                           : s_.is_dependent ? "this->"
                                             : "";
    return to + "send(" + part(c.target) + ", " + m.name + "{" + values + "})";
  }

  const program& from_;
  const selector_plan& plan_;
  const superstep& s_;
};

std::string size_text(std::size_t bytes) {
  return bytes == 0 ? "depends on template arguments" : std::to_string(bytes);
}

}  // namespace

std::vector<edit> edits_of(const program& from, const std::vector<selector_plan>& plans) {
  std::vector<edit> edits;
  if (plans.empty()) return edits;
  std::set<std::size_t> dropped;
  for (const selector_plan& p : plans) {
    writer(from, p).write(edits);
    std::vector<range> gone = p.of->dropped;
    for (const handled_object& each : p.of->objects) gone.push_back(each.declaration);
    for (const range& r : gone) {
      if (!r.is_empty() && dropped.insert(r.begin).second) edits.push_back({whole_lines(from.source, r), ""});
    }
  }
  std::vector<const closure*> closures;
  for (const selector_plan& p : plans) {
    for (const closure& c : p.of->closures) {
      if (p.of->owns(c)) closures.push_back(&c);
    }
  }
  drop_variables(from, closures, unused_mark, dropped, edits);
  if (std::ranges::any_of(plans, [](const selector_plan& p) { return !p.of->place.type.is_empty(); }))
    add_include(from, "#include <exception>", edits);
  if (std::ranges::any_of(plans, &selector_plan::is_late)) add_include(from, "#include <optional>", edits);
  if (!from.sees_selector) add_include(from, "#include \"shoal/actor/selector.hpp\"", edits);
  return in_order(from, std::move(edits), "its closures are messages of selectors");
}

bool overlap(const std::vector<edit>& edits) {
  const auto goes_back = [](const edit& a, const edit& b) { return b.at.begin < a.at.end; };
  return std::ranges::adjacent_find(edits, goes_back) != edits.end();
}

std::string report_of(const program& from, const std::vector<selector_plan>& plans) {
  std::string text;
  for (const selector_plan& p : plans) {
    for (std::size_t i = 0; i < p.messages.size(); ++i) {
      const closure& c = p.of->closures[i];
      if (!p.of->owns(c)) continue;
      text += from.file + ":" + std::to_string(c.line) + ": " + p.messages[i].name + ": closure " + size_text(c.bytes) +
              ", message " + size_text(p.messages[i].bytes) + "\n";
    }
  }
  return text;
}

}  // namespace shoal::translate
