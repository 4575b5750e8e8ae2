#include "tools/translate/plan_hclib.hpp"

#include <algorithm>
#include <cctype>
#include <map>

namespace shoal::translate {
namespace {

bool is_identifier(const std::string& s) {
  return !s.empty() && std::ranges::all_of(s, [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

std::string lower(std::string s) {
  std::ranges::transform(s, s.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return s;
}

std::string fresh(std::set<std::string>& taken, const std::string& wish) {
  std::string name = wish;
  for (int i = 2; !taken.insert(name).second; ++i) name = wish + "_" + std::to_string(i);
  return name;
}

std::string as_type(const capture& c, const std::string& pe) {
  return c.type == "int" ? pe : "static_cast<" + c.type + ">(" + pe + ")";
}

// Values that share a slot give it their names, if they are few.
void name_slots(const std::vector<closure>& closures, const std::vector<std::vector<std::size_t>>& assigned,
                std::vector<slot>& slots) {
  std::vector<std::vector<std::string>> names(slots.size());
  for (std::size_t i = 0; i < closures.size(); ++i) {
    for (std::size_t k = 0; k < assigned[i].size(); ++k) {
      if (assigned[i][k] == none) continue;
      std::vector<std::string>& its = names[assigned[i][k]];
      if (std::ranges::find(its, closures[i].captures[k].name) == its.end())
        its.push_back(closures[i].captures[k].name);
    }
  }
  std::set<std::string> used;
  for (std::size_t j = 0; j < slots.size(); ++j) {
    std::string name = "slot" + std::to_string(j);
    if (names[j].size() == 1) name = names[j][0];
    if (names[j].size() == 2) name = names[j][0] + "_or_" + names[j][1];
    slots[j].name = fresh(used, name);
  }
}

std::size_t packet_bytes(const std::vector<slot>& slots, bool has_kind) {
  std::size_t bytes = 0, alignment = 1;
  for (const slot& s : slots) {
    bytes = (bytes + s.alignment - 1) / s.alignment * s.alignment + s.bytes;
    alignment = std::max(alignment, s.alignment);
  }
  bytes += has_kind ? 1 : 0;
  return std::max<std::size_t>(1, (bytes + alignment - 1) / alignment * alignment);
}

hclib_plan make_plan(const program& of, const hclib_selector& s, std::set<std::string>& in_function) {
  hclib_plan p;
  p.of = &s;
  const std::string base = s.function.empty() ? s.variable : s.function;
  p.name = fresh(in_function, base + "_selector");
  p.packet = fresh(in_function, base + "_packet");
  std::set<std::string> in_class = of.identifiers;
  p.packet_name = fresh(in_class, "pkt");
  p.sender_name = fresh(in_class, "sender_rank");
  const std::vector<std::vector<std::size_t>> assigned = assign_slots(s.closures, p.slots);
  name_slots(s.closures, assigned, p.slots);
  std::map<unsigned, int> n_kinds;
  for (const closure& c : s.closures) ++n_kinds[c.mailbox_number];
  const bool has_kinds = std::ranges::any_of(n_kinds, [](const auto& each) { return each.second > 1; });
  if (has_kinds) p.kind_name = fresh(in_class, "kind");
  p.bytes = packet_bytes(p.slots, has_kinds);
  std::map<unsigned, int> next_kind;
  for (std::size_t i = 0; i < s.closures.size(); ++i) {
    const closure& c = s.closures[i];
    handler_plan h;
    const std::string mailbox = of.source.substr(c.mailbox.begin, c.mailbox.end - c.mailbox.begin);
    h.name = fresh(in_class, "on_" + (is_identifier(mailbox) ? lower(mailbox) : "message"));
    h.slots = assigned[i];
    if (n_kinds[c.mailbox_number] > 1) h.kind = next_kind[c.mailbox_number]++;
    for (std::size_t k = 0; k < c.captures.size(); ++k) {
      const capture& its = c.captures[k];
      std::string text = its.name;
      if (its.known == knowledge::sent) text = p.packet_name + "." + p.slots[h.slots[k]].name;
      if (its.known == knowledge::own_pe) text = as_type(its, "shmem_my_pe()");
      if (its.known == knowledge::n_pes) text = as_type(its, "shmem_n_pes()");
      if (its.known == knowledge::sender) text = as_type(its, p.sender_name);
      if (its.known == knowledge::member) {
        text = its.text;
        if (std::ranges::find(p.members, text, &hclib_member::name) == p.members.end())
          p.members.push_back({text, its.type});
      }
      h.texts.push_back(text);
    }
    p.handlers.push_back(std::move(h));
  }
  return p;
}

}  // namespace

std::vector<std::vector<std::size_t>> assign_slots(const std::vector<closure>& closures, std::vector<slot>& slots) {
  // How many slots of each type: as many as one closure has captures of it.
  std::map<std::string, std::pair<std::size_t, const capture*>> n_of_type;
  for (const closure& c : closures) {
    std::map<std::string, std::size_t> n;
    for (const capture& its : c.captures) {
      if (its.known != knowledge::sent) continue;
      auto& [most, example] = n_of_type[its.type];
      most = std::max(most, ++n[its.type]);
      example = &its;
    }
  }
  for (const auto& [type, most] : n_of_type) {
    for (std::size_t j = 0; j < most.first; ++j)
      slots.push_back({"", type, most.second->bytes, most.second->alignment});
  }
  std::ranges::stable_sort(slots, std::ranges::greater{}, &slot::alignment);

  std::vector<std::vector<std::size_t>> assigned;
  for (const closure& c : closures) {
    std::vector<std::size_t> its(c.captures.size(), none);
    std::vector<bool> is_taken(slots.size());
    const auto take = [&](std::size_t k, std::size_t j) {
      its[k] = j;
      is_taken[j] = true;
    };
    for (std::size_t k = 0; c.parent != none && k < its.size(); ++k) {
      const closure& parent = closures[c.parent];
      for (std::size_t m = 0; m < parent.captures.size(); ++m) {
        const std::size_t j = assigned[c.parent][m];
        const bool is_same = parent.captures[m].variable == c.captures[k].variable &&
                             parent.captures[m].type == c.captures[k].type && c.captures[k].known == knowledge::sent;
        if (is_same && j != none && !is_taken[j] && its[k] == none) take(k, j);
      }
    }
    for (std::size_t k = 0; k < its.size(); ++k) {
      for (std::size_t j = 0; j < slots.size() && its[k] == none && c.captures[k].known == knowledge::sent; ++j) {
        if (!is_taken[j] && slots[j].type == c.captures[k].type) take(k, j);
      }
    }
    assigned.push_back(std::move(its));
  }
  return assigned;
}

std::vector<hclib_plan> plan_hclib(program& of) {
  std::map<std::size_t, std::set<std::string>> in_function;
  std::vector<hclib_plan> plans;
  for (const hclib_selector& s : of.hclib_selectors) {
    plans.push_back(make_plan(of, s, in_function.try_emplace(s.function_begin, of.identifiers).first->second));
    std::size_t most = 0;
    for (const closure& c : s.closures) most = std::max(most, c.bytes);
    if (plans.back().bytes <= most) continue;
    of.refusals.push_back({s.closures.front().line, 1, s.variable,
                           "its packets would have " + std::to_string(plans.back().bytes) +
                               " bytes, and its lambdas have " + std::to_string(most) +
                               "; so all selectors of the file keep their lambdas"});
    return {};
  }
  return plans;
}

}  // namespace shoal::translate
