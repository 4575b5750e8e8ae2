#include "tools/translate/plan.hpp"

#include <algorithm>
#include <map>

namespace shoal::translate {
namespace {

// Names for what is local to one function, or to one class in it.
class names {
public:
  explicit names(const std::set<std::string>& taken) : taken_(taken) {}

  std::string fresh(const std::string& wish) {
    std::string name = wish;
    for (int i = 2; taken_.contains(name); ++i) name = wish + "_" + std::to_string(i);
    taken_.insert(name);
    return name;
  }

  /// The first wish that is free, or one like the last.
  std::string fresh_of(const std::vector<std::string>& wishes) {
    for (const std::string& wish : wishes) {
      if (taken_.insert(wish).second) return wish;
    }
    return fresh(wishes.back());
  }

private:
  std::set<std::string> taken_;
};

std::string cast_to(const capture& c, const std::string& pe) {
  return c.is_pe_id ? pe : "static_cast<" + c.type + ">(" + pe + ")";
}

bool uses(const closure& c, use_kind kind) { return std::ranges::find(c.uses, kind, &use::kind) != c.uses.end(); }

// Whether something in the handler still names the capture.
bool is_used(const superstep& s, std::size_t i, std::size_t k) {
  const closure& c = s.closures[i];
  const bool is_named = std::ranges::any_of(c.uses, [&](const use& u) {
    return (u.kind == use_kind::captured || u.kind == use_kind::kept_capture) && u.index == k;
  });
  return is_named || std::ranges::any_of(s.closures, [&](const closure& child) {
           return child.parent == i && std::ranges::any_of(child.captures, [&](const capture& its) {
                    return its.value.is_empty() && its.of_parent == k && its.known == knowledge::sent;
                  });
         });
}

class planner {
public:
  planner(const superstep& s, const program& of, names& free) : s_(s), free_(free), in_class_(of.identifiers) {
    plan_.of = &s;
  }

  selector_plan make(bool is_first_of_actor) {
    std::string base = !s_.actor.empty() ? s_.actor : !s_.function.empty() ? s_.function : "superstep";
    while (base.ends_with('_')) base.pop_back();
    plan_.name = free_.fresh(base + "_selector");
    plan_.variable =
        !s_.actor.empty() && is_first_of_actor ? s_.actor : free_.fresh(s_.actor.empty() ? "messages" : s_.actor);
    plan_.message = in_class_.fresh("m");
    plan_.is_late = !s_.is_outermost;
    if (!s_.place.type.is_empty()) plan_.variable = s_.actor;
    make_contexts();
    for (std::size_t i = 0; i < s_.closures.size(); ++i)
      plan_.messages.push_back(s_.owns(s_.closures[i]) ? make_message(i) : message_plan());
    return std::move(plan_);
  }

private:
  void make_contexts() {
    plan_.contexts.resize(std::max<std::size_t>(1, s_.objects.size()));
    for (const closure& c : s_.closures) {
      std::string& context = plan_.contexts[c.object_index];
      const bool is_used = uses(c, use_kind::context) || !c.object.type.empty();
      if (!s_.owns(c) || !context.empty() || !is_used) continue;
      context = is_member(c.context_name) ? in_class_.fresh(c.context_name) : c.context_name;
      if (s_.objects.empty()) {
        plan_.members.push_back({context, "shoal::world&", in_class_.fresh("home"), s_.world});
        world_ = context;
      } else {
        const handled_object& its = s_.objects[c.object_index];
        plan_.members.push_back({context, its.type + "&", in_class_.fresh_of({"of", "object"}), its.text});
      }
    }
  }

  bool is_member(const std::string& name) const {
    return std::ranges::find(plan_.members, name, &member_plan::name) != plan_.members.end();
  }

  // The member through which handlers ask for numbers of PEs.
  const std::string& world() {
    if (!world_.empty()) return world_;
    world_ = in_class_.fresh("own_world");
    plan_.members.push_back({world_, "shoal::world&", in_class_.fresh("home"), s_.world});
    if (s_.objects.empty()) plan_.contexts[0] = world_;
    return world_;
  }

  std::string member_for(const capture& c) {
    for (const member_plan& m : plan_.members) {
      if (m.value == c.text && m.type == c.type) return m.name;
    }
    const std::string name = is_member(c.name) ? in_class_.fresh(c.name) : c.name;
    plan_.members.push_back({name, c.type, in_class_.fresh(c.name + "_of_all"), c.text});
    return name;
  }

  message_plan make_message(std::size_t i) {
    const closure& c = s_.closures[i];
    message_plan m;
    m.sender = c.sender_name;
    if (!c.object.type.empty()) {
      m.name = c.object.type;
      m.bytes = c.bytes;
      return m;
    }
    m.name = free_.fresh(c.target_name.empty() ? "message" : "to_" + c.target_name);
    for (std::size_t k = 0; k < c.captures.size(); ++k) {
      const capture& its = c.captures[k];
      m.texts.push_back(text_of(its, is_used(s_, i, k), m));
      if (its.known == knowledge::sent) m.fields.push_back(k);
    }
    order(c, m);
    return m;
  }

  std::string text_of(const capture& c, bool is_used, message_plan& m) {
    if (c.known == knowledge::sent) return plan_.message + "." + c.name;
    if (c.known == knowledge::constant || !is_used) return c.name;
    if (c.known == knowledge::member) return member_for(c);
    if (c.known == knowledge::own_pe) return cast_to(c, world() + ".my_pe()");
    if (c.known == knowledge::n_pes) return cast_to(c, world() + ".n_pes()");
    if (m.sender.empty()) m.sender = c.is_pe_id ? c.name : in_class_.fresh("from");
    return cast_to(c, m.sender);
  }

  // The largest first, so that nothing lies between, unless evaluation has an order.
  static void order(const closure& c, message_plan& m) {
    const auto at = [&](std::size_t k) -> const capture& { return c.captures[k]; };
    if (std::ranges::any_of(m.fields, [&](std::size_t k) { return at(k).bytes == 0; })) return;
    if (std::ranges::none_of(m.fields, [&](std::size_t k) { return at(k).has_effects; }))
      std::ranges::stable_sort(m.fields, std::ranges::greater{}, [&](std::size_t k) { return at(k).alignment; });
    std::size_t alignment = 1;
    for (const std::size_t k : m.fields) {
      const std::size_t a = at(k).alignment;
      alignment = std::max(alignment, a);
      m.bytes = (m.bytes + a - 1) / a * a + at(k).bytes;
    }
    m.bytes = std::max<std::size_t>(1, (m.bytes + alignment - 1) / alignment * alignment);
  }

  const superstep& s_;
  names& free_;
  names in_class_;
  selector_plan plan_;
  std::string world_;
};

}  // namespace

std::vector<selector_plan> plan(const program& of) {
  std::map<std::size_t, names> free;  // by function
  std::set<std::string> begun;
  std::vector<selector_plan> plans;
  for (const superstep& s : of.supersteps) {
    const std::size_t declared = s.objects.empty() ? 0 : s.objects[0].declaration.begin;
    const std::string actor = s.actor + "@" + std::to_string(declared);
    names& of_function = free.try_emplace(s.function_begin, of.identifiers).first->second;
    plans.push_back(planner(s, of, of_function).make(begun.insert(actor).second));
  }
  // Handlers of one actor may send what is another's.
  for (selector_plan& p : plans) {
    for (const selector_plan& other : plans) {
      if (p.of->place.type.is_empty() || other.of->place.type.is_empty()) continue;
      for (std::size_t i = 0; i < p.messages.size(); ++i) {
        if (other.of->owns(p.of->closures[i])) p.messages[i] = other.messages[i];
      }
    }
  }
  return plans;
}

}  // namespace shoal::translate
