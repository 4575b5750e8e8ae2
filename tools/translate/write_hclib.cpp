#include "tools/translate/write_hclib.hpp"

#include <algorithm>
#include <map>

#include "tools/translate/words.hpp"
#include "tools/translate/write_parts.hpp"

namespace shoal::translate {
namespace {

class hclib_writer {
public:
  hclib_writer(const program& from, const hclib_plan& p) : from_(from), plan_(p), s_(*p.of) {}

  void write(std::vector<edit>& edits) const {
    const std::string made = plan_.name + (arguments().empty() ? "" : "{" + arguments() + "}");
    const std::string declaration = s_.is_pointer         ? plan_.name + "* " + s_.variable + " = new " + made + ";"
                                    : arguments().empty() ? plan_.name + " " + s_.variable + ";"
                                                          : plan_.name + " " + s_.variable + "{" + arguments() + "};";
    edits.push_back({s_.declaration, "\n" + packet() + "\n" + class_text() + "\n" + declaration});
    for (std::size_t i = 0; i < s_.closures.size(); ++i) {
      if (s_.closures[i].parent == none) edits.push_back({s_.closures[i].send, send(i)});
    }
  }

private:
  std::string source(range r) const { return from_.source.substr(r.begin, r.end - r.begin); }

  std::string arguments() const {
    std::string all;
    for (const hclib_member& m : plan_.members) all += (all.empty() ? "" : ", ") + m.name;
    return all;
  }

  std::string packet() const {
    std::string text = "struct " + plan_.packet + " {\n";
    for (const slot& s : plan_.slots) text += s.type + " " + s.name + ";\n";
    if (!plan_.kind_name.empty()) text += "unsigned char " + plan_.kind_name + ";  // which handler of the mailbox\n";
    return text + "};\n";
  }

  std::string class_text() const {
    const std::string base = "hclib::Selector<" + s_.n_mailboxes + ", " + plan_.packet + ">";
    std::string parameters;
    std::string initialisers = s_.arguments.empty() ? "" : base + "(" + s_.arguments + ")";
    for (const hclib_member& m : plan_.members) {
      parameters += (parameters.empty() ? "" : ", ") + m.type + " " + m.name + "_of_all";
      initialisers += (initialisers.empty() ? "" : ", ") + m.name + "(" + m.name + "_of_all)";
    }
    std::string text = "class " + plan_.name + " : public " + base + " {\npublic:\n";
    text += (plan_.members.size() == 1 ? "explicit " : "") + plan_.name + "(" + parameters + ")";
    text += (initialisers.empty() ? "" : " : " + initialisers) + " {\n" + processes() + "}\n\nprivate:\n";
    for (std::size_t i = 0; i < s_.closures.size(); ++i) text += handler(i);
    if (!plan_.members.empty()) text += "\n";
    for (const hclib_member& m : plan_.members) text += m.type + " " + m.name + ";\n";
    return text + "};\n";
  }

  bool names_packet(std::size_t i) const { return has_word(body(i), plan_.packet_name); }
  bool names_sender(std::size_t i) const { return has_word(body(i), plan_.sender_name); }

  std::string processes() const {
    std::map<unsigned, std::vector<std::size_t>> by_mailbox;
    for (std::size_t i = 0; i < s_.closures.size(); ++i) by_mailbox[s_.closures[i].mailbox_number].push_back(i);
    std::string text;
    for (const auto& [number, its] : by_mailbox) {
      const closure& first = s_.closures[its[0]];
      const bool has_kinds = its.size() > 1;
      const bool has_packet = has_kinds || std::ranges::any_of(its, [&](std::size_t i) { return names_packet(i); });
      const bool has_sender = std::ranges::any_of(its, [&](std::size_t i) { return names_sender(i); });
      text += "mb[" + (first.mailbox.is_empty() ? "0" : source(first.mailbox)) + "].process = [this](const " +
              plan_.packet + "&" + (has_packet ? " " + plan_.packet_name : "") + ", int" +
              (has_sender ? " " + plan_.sender_name : "") + ") {";
      for (const std::size_t i : its) {
        if (has_kinds)
          text += "\nif (" + plan_.packet_name + "." + plan_.kind_name +
                  " == " + std::to_string(plan_.handlers[i].kind) + ") ";
        text += call(i);
      }
      text += "};\n";
    }
    return text;
  }

  std::string call(std::size_t i) const {
    std::string given = names_packet(i) ? plan_.packet_name : "";
    if (names_sender(i)) given += (given.empty() ? "" : ", ") + plan_.sender_name;
    return plan_.handlers[i].name + "(" + given + ");";
  }

  std::string handler(std::size_t i) const {
    std::string parameters = names_packet(i) ? "const " + plan_.packet + "& " + plan_.packet_name : "";
    if (s_.closures[i].is_mutable && !parameters.empty()) parameters = plan_.packet + " " + plan_.packet_name;
    if (names_sender(i)) parameters += (parameters.empty() ? "" : ", ") + ("int " + plan_.sender_name);
    std::string text;
    for (const std::string& comment : s_.closures[i].comments) text += comment + "\n";
    return text + "void " + plan_.handlers[i].name + "(" + parameters + ") " + body(i) + "\n";
  }

  std::string body(std::size_t i) const {
    const std::string text = body_part(i, s_.closures[i].body);
    return text.substr(0, 1) + constants_of(s_.closures[i]) + text.substr(1);
  }

  std::string body_part(std::size_t i, range part) const {
    return with_uses(from_, s_.closures[i], part, [&](const use& u) { return text_of(i, u); });
  }

  std::string text_of(std::size_t i, const use& u) const {
    if (u.kind == use_kind::send) return send(u.index);
    const std::string& text = plan_.handlers[i].texts[u.index];
    if (u.kind == use_kind::captured) return text;
    const std::string name = source(u.at);
    return s_.closures[i].captures[u.index].known == knowledge::constant ? name : name + " = " + text;
  }

  std::string value(const closure& c, const capture& its) const {
    if (!its.value.is_empty()) return c.parent == none ? source(its.value) : body_part(c.parent, its.value);
    return its.of_parent == none ? its.name : plan_.handlers[c.parent].texts[its.of_parent];
  }

  // What sends closure `i`, in its parent's handler or in the main program.
  std::string send(std::size_t i) const {
    const closure& c = s_.closures[i];
    const handler_plan& h = plan_.handlers[i];
    const auto part = [&](range r) { return c.parent == none ? source(r) : body_part(c.parent, r); };
    std::string values;
    for (std::size_t j = 0; j < plan_.slots.size(); ++j) {
      const std::string& type = plan_.slots[j].type;
      std::string text = type.find(' ') == std::string::npos ? type + "()" : "{}";  // unsigned int() is none
      if (type.find('*') != std::string::npos) text = "nullptr";
      for (std::size_t k = 0; k < h.slots.size(); ++k) {
        if (h.slots[k] == j) text = value(c, c.captures[k]);
      }
      values += (values.empty() ? "" : ", ") + text;
    }
    if (!plan_.kind_name.empty()) values += (values.empty() ? "" : ", ") + std::to_string(std::max(0, h.kind));
    const std::string to = c.parent != none ? "" : s_.variable + (s_.is_pointer ? "->" : ".");
    const std::string mailbox = c.mailbox.is_empty() ? "" : part(c.mailbox) + ", ";
    return to + "send(" + mailbox + plan_.packet + "{" + values + "}, " + part(c.target) + ")";
  }

  const program& from_;
  const hclib_plan& plan_;
  const hclib_selector& s_;
};

}  // namespace

std::vector<edit> hclib_edits_of(const program& from, const std::vector<hclib_plan>& plans) {
  std::vector<edit> edits;
  if (plans.empty()) return edits;
  std::vector<const closure*> closures;
  std::set<std::size_t> dropped;
  for (const hclib_plan& p : plans) {
    hclib_writer(from, p).write(edits);
    for (const closure& c : p.of->closures) closures.push_back(&c);
  }
  for (const range& r : from.dropped) {
    if (dropped.insert(r.begin).second) edits.push_back({whole_lines(from.source, r), ""});
  }
  drop_variables(from, closures, "", dropped, edits);
  return in_order(from, std::move(edits), "its closures are messages of selectors");
}

std::string hclib_report_of(const program& from, const std::vector<hclib_plan>& plans) {
  std::string text;
  for (const hclib_plan& p : plans) {
    for (const closure& c : p.of->closures) {
      text += from.file + ":" + std::to_string(c.line) + ": " + p.packet + ": lambda " + std::to_string(c.bytes) +
              ", packet " + std::to_string(p.bytes) + "\n";
    }
  }
  return text;
}

}  // namespace shoal::translate
