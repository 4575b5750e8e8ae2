#include "shoal/actor/loop_check.hpp"

#if SHOAL_CHECKED

#include <cstring>
#include <string>
#include <unordered_map>

#include "shoal/base/internal/ambient.hpp"

namespace shoal::internal {
namespace {

// Ways to touch an element, as a set.
enum touch_kind : std::uint8_t {
  touch_read = 1,
  touch_kept = 2,  // written, with the value that it had
  touch_written = 4,
  touch_added = 8,
  touch_and = 16,
  touch_or = 32,
  touch_xor = 64
};

touch_kind kind_of_update(char operation) {
  switch (operation) {
    case '&': return touch_and;
    case '|': return touch_or;
    case '^': return touch_xor;
    default: return touch_added;
  }
}

// How other turns may have touched an element before one does `now`.
unsigned kinds_allowed_before(touch_kind now) {
  switch (now) {
    case touch_read: return touch_read | touch_kept;
    case touch_kept: return touch_read | touch_kept | touch_written;
    case touch_written: return 0;
    default: return now;
  }
}

const char* verb_of(unsigned kinds) {
  if ((kinds & (touch_kept | touch_written)) != 0) return "writes";
  return (kinds & touch_read) != 0 ? "reads" : "updates";
}

std::string named(const loop_turn& t) { return "turn " + std::to_string(t.number) + " of PE " + std::to_string(t.pe); }

}  // namespace

struct touched_elements::table {
  // The first two turns stand for all. All others fit the first one. So they only read and kept the element, or all turns
  // update it by one operation. What fits the first turn then fits the others, and what fits one of the others fits all.
  struct touched {
    loop_turn first;
    loop_turn other;
    unsigned first_kinds = 0;
    unsigned other_kinds = 0;  // 0: there is no other turn
  };

  const char* loop;
  loop_turn last;
  std::unordered_map<const void*, touched> all = {};

  void touch(const void* element, touch_kind now, const loop_turn& turn) {
    touched& its = all[element];
    if (its.first_kinds == 0) its.first = turn;
    const bool is_first = its.first == turn;
    const unsigned wrong = (is_first ? its.other_kinds : its.first_kinds) & ~kinds_allowed_before(now);
    if (wrong != 0) refuse(turn, now, is_first ? its.other : its.first, wrong);
    if (is_first) its.first_kinds |= now;
    if (!is_first && its.other_kinds == 0) its.other = turn;
    if (!is_first && its.other == turn) its.other_kinds |= now;
  }

  // `before`: ways of `other` that `now` does not allow.
  [[noreturn]] void refuse(const loop_turn& turn, touch_kind now, const loop_turn& other, unsigned before) const {
    const std::string does = verb_of(now);
    const std::string did = verb_of(before);
    const char* const how = does != did ? "" : does == "writes" ? " with another value" : " by another operation";
    end_job(status_usage,
            std::string(loop) + ": " + named(turn) + " " + does + " an element that " + named(other) + " " + did + how +
                ", so turns of this loop depend on each other; remove `#pragma shoal independent`, or write "
                "`#pragma shoal independent unchecked` if the result is right in any order of the turns");
  }
};

touched_elements::touched_elements(const char* loop) noexcept
    : table_(new table{loop, {0, current_pe == nullptr ? 0 : current_pe->context_pe()}}) {}

touched_elements::~touched_elements() = default;

loop_turn touched_elements::next() noexcept {
  ++table_->last.number;
  return table_->last;
}

void touched_elements::read(const void* element, loop_turn turn) { table_->touch(element, touch_read, turn); }

void touched_elements::write(const void* element, const void* value, std::size_t bytes, loop_turn turn) {
  table_->touch(element, std::memcmp(element, value, bytes) == 0 ? touch_kept : touch_written, turn);
}

void touched_elements::update(const void* element, char operation, loop_turn turn) {
  table_->touch(element, kind_of_update(operation), turn);
}

}  // namespace shoal::internal

#endif
