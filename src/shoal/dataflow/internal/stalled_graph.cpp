#include "shoal/dataflow/internal/stalled_graph.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string_view>

#include "shoal/dataflow/internal/channel_end.hpp"
#include "shoal/dataflow/internal/graph_part.hpp"

namespace shoal::internal {
namespace {

constexpr std::size_t n_named_most = 8;  // actors, or channels of a cycle

std::string describe(const blocked_channel& c) {
  return c.from + "." + c.out + " -> " + c.to + "." + c.in + " has " + std::to_string(c.n_tokens) + " of " +
         std::to_string(c.capacity) + (c.capacity == 1 ? " token" : " tokens");
}

// One actor waits for another.
struct actor_wait {
  std::string_view whom;
  const blocked_channel* why;
};
using waits_by_actor = std::map<std::string_view, std::vector<actor_wait>>;

// A walk along the waits, which returns to an actor of its own way if there is a cycle.
class cycle_search {
public:
  explicit cycle_search(const waits_by_actor& waits) : waits_(waits) {}

  // Empty: there is none.
  std::vector<const blocked_channel*> find() {
    for (const auto& [who, its] : waits_) {
      if (visit(who)) return cycle_;
    }
    return {};
  }

private:
  enum class mark : std::uint8_t { on_way, done };
  struct step {
    std::string_view who;
    std::size_t next = 0;  // of its waits
  };

  // With a way of its own instead of recursion: a chain may have as many actors as the graph.
  bool visit(std::string_view first) {
    if (marks_.contains(first)) return false;
    std::vector<step> way{{first}};
    marks_[first] = mark::on_way;
    while (!way.empty()) {
      step& last = way.back();
      const auto its = waits_.find(last.who);
      if (its == waits_.end() || last.next == its->second.size()) {
        marks_[last.who] = mark::done;
        way.pop_back();
        continue;
      }
      const std::string_view whom = its->second[last.next++].whom;
      const auto seen = marks_.find(whom);
      if (seen == marks_.end()) {
        marks_[whom] = mark::on_way;
        way.push_back({whom});
      } else if (seen->second == mark::on_way) {
        note_cycle(way, whom);
        return true;
      }
    }
    return false;
  }

  void note_cycle(const std::vector<step>& way, std::string_view begin) {
    bool is_in = false;
    for (const step& each : way) {
      is_in |= each.who == begin;
      if (is_in) cycle_.push_back(waits_.at(each.who)[each.next - 1].why);
    }
  }

  const waits_by_actor& waits_;
  std::map<std::string_view, mark> marks_;
  std::vector<const blocked_channel*> cycle_;
};

std::string list_of(const std::vector<std::string>& parts, std::size_t n_all) {
  std::string text;
  for (const std::string& each : parts) text += (text.empty() ? "" : "; ") + each;
  if (n_all > parts.size()) text += "; and " + std::to_string(n_all - parts.size()) + " more";
  return text;
}

waits_by_actor waits_of(const std::vector<blocked_channel>& channels) {
  waits_by_actor waits;
  for (const blocked_channel& each : channels) {
    if (each.has_reader_finished) continue;
    if (each.n_tokens == each.capacity) waits[each.from].push_back({each.to, &each});
    if (each.n_tokens == 0) waits[each.to].push_back({each.from, &each});
  }
  return waits;
}

// A name between quotes, as Graphviz reads it.
std::string quoted_for_graphviz(std::string_view name) {
  std::string text = "\"";
  for (const char c : name) {
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return text + '"';
}

}  // namespace

std::vector<blocked_channel> channels_of(const graph_part& part, std::size_t n_most) {
  std::vector<blocked_channel> found;
  for (const auto& actor : part.actors()) {
    const actor_node& node = actor->node();
    for (const input_end* each : node.inputs()) {
      if (!each->is_connected() || found.size() == n_most) continue;
      found.push_back({each->other_actor(), each->other_port(), node.name(), each->port_name(), each->capacity(),
                       each->available(), node.has_finished()});
    }
  }
  return found;
}

std::string describe_stall(const std::vector<blocked_channel>& channels, const std::vector<std::string>& live) {
  const waits_by_actor waits = waits_of(channels);
  std::vector<std::string> parts;
  if (const auto cycle = cycle_search(waits).find(); !cycle.empty()) {
    for (const blocked_channel* each : cycle) {
      if (parts.size() < n_named_most) parts.push_back(describe(*each));
    }
    return "they wait in a cycle: " + list_of(parts, cycle.size());
  }
  for (const std::string& who : live) {
    if (parts.size() == n_named_most) break;
    std::string its = who;
    for (const blocked_channel& each : channels) {
      if (each.to == who || each.from == who) its += (its == who ? ": " : ", ") + describe(each);
    }
    parts.push_back(its);
  }
  return list_of(parts, live.size());
}

std::string stall_for_graphviz(const std::vector<blocked_channel>& channels) {
  const waits_by_actor waits = waits_of(channels);
  const auto cycle = cycle_search(waits).find();
  std::vector<std::string> lines;  // in an order that does not depend on who told first
  for (const blocked_channel& each : channels) {
    if (each.has_reader_finished) continue;
    const std::string label =
        each.out + " to " + each.in + ": " + std::to_string(each.n_tokens) + " of " + std::to_string(each.capacity);
    std::string line = "  " + quoted_for_graphviz(each.from) + " -> " + quoted_for_graphviz(each.to) +
                       " [label=" + quoted_for_graphviz(label);
    if (each.n_tokens == each.capacity) line += ", color=red";
    if (each.n_tokens == 0) line += ", color=blue";
    if (std::ranges::find(cycle, &each) != cycle.end()) line += ", style=bold";
    lines.push_back(line + "];\n");
  }
  std::ranges::sort(lines);
  std::string text = "digraph stall {\n";
  for (const std::string& each : lines) text += each;
  return text + "}\n";
}

}  // namespace shoal::internal
