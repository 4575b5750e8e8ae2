#include "shoal/actor/internal/closure_types.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>
#include <string_view>
#include <utility>
#include <vector>

#include "shoal/actor/internal/single_copy.hpp"
#include "shoal/base/internal/loaded_object.hpp"
#include "shoal/base/internal/type_name.hpp"
#include "shoal/substrate/internal/run.hpp"

namespace shoal::internal {

// Lives until the process ends, so that a buffer may name a closure of an object that was closed.
struct closure_table {
  std::uint32_t first = 0;
  loaded_object of;
  std::atomic<bool> is_open{true};
  std::vector<closure_table_entry> types = {};
  std::atomic<closure_table*> next{nullptr};
};

namespace {

constexpr unsigned index_bits = 16;

// Constant while nothing is opened, like the virtual function tables of the program. The compiler initialises them,
// because initialisers of other static variables fill them. A PE reads the list while another thread opens a plugin: a
// table is complete before the list has it, but for its types, which nobody can have been sent yet.
constinit std::atomic<closure_table*> tables{nullptr};  // the program's first, since most closures are its own
constinit std::mutex changes;
constinit std::atomic<std::uint32_t> n_types{0};

std::uint32_t first_number(std::uint64_t identity) noexcept {
  const std::uint64_t folded = (identity ^ identity >> 16 ^ identity >> 32 ^ identity >> 48) & 0xffff;
  return static_cast<std::uint32_t>(std::max<std::uint64_t>(folded, 1) << index_bits);
}

closure_table* table_with(std::uint32_t number) noexcept {
  closure_table* at = tables.load(std::memory_order_acquire);
  while (at != nullptr && (at->first ^ number) >> index_bits != 0) at = at->next.load(std::memory_order_acquire);
  return at;
}

closure_range types_of(const closure_table* table) noexcept {
  if (table == nullptr || !table->is_open.load(std::memory_order_relaxed)) return {};
  return {table->first, static_cast<std::uint32_t>(table->types.size()), table->types.data()};
}

void enter(closure_table& table) {
  std::atomic<closure_table*>* at = &tables;
  if (table.of.is_program) {
    table.next = at->load();
  } else {
    while (closure_table* const other = at->load()) at = &other->next;
  }
  at->store(&table, std::memory_order_release);
}

closure_table& open_table(const closure_object& here) {
  loaded_object opened = object_with(&here);
  const std::lock_guard one(changes);
  closure_table* known = table_with(first_number(opened.identity));
  if (known == nullptr) {
    known = new closure_table{.first = first_number(opened.identity), .of = std::move(opened)};
    enter(*known);
    return *known;
  }
  if (known->is_open) {
    const std::string both = opened.path + " and " + known->of.path;
    end_for_fault(
        opened.identity == known->of.identity
            ? both + " are copies of one library, so closures of one would run in the other; open it once"
            : both +
                  " would name their closures alike, since their build ids have the same digest of 16 bits; link "
                  "one of them again with another id, for instance -Wl,--build-id=uuid");
  }
  known->of = std::move(opened);
  known->types.clear();
  known->is_open = true;
  return *known;
}

}  // namespace

closure_object::~closure_object() {
  // The program's closures run until the process ends, which may be after its static variables are gone.
  if (table_ != nullptr && !table_->of.is_program) table_->is_open = false;
}

std::uint32_t closure_object::add(const closure_table_entry& type) {
  if (table_ == nullptr) {
    refuse_second_copy();
    table_ = &open_table(*this);
  }
  if (table_->types.size() >> index_bits != 0) {
    end_for_fault(table_->of.path + " has more than " + std::to_string(1U << index_bits) +
                  " types of closures, of which one is " + type.name + "; move some of them to a shared library");
  }
  table_->types.push_back(type);
  return table_->first + static_cast<std::uint32_t>(table_->types.size()) - 1;
}

closure_type::closure_type(closure_object& here, run_closures_function run, const item_kind& size_and_alignment,
                           bool asks_sender, const char* name, const void* padding)
    : item_kind(size_and_alignment), place(n_types++) {
  const std::size_t n_words = padding == nullptr ? 0 : std::min<std::size_t>(64, bytes / sizeof(std::uint64_t));
  for (std::size_t i = 0; i < n_words; ++i) {
    std::uint64_t word = 0;
    std::memcpy(&word, static_cast<const std::byte*>(padding) + i * sizeof word, sizeof word);
    if (word == ~std::uint64_t{0}) captured_words |= std::uint64_t{1} << i;
  }
  number =
      here.add({.run = run, .bytes = bytes, .asks_sender = asks_sender, .name = lasting_type_name(name), .kind = this});
}

closure_range closures_with(std::uint32_t number) noexcept { return types_of(table_with(number)); }

const item_kind* kind_of_closures(std::uint32_t number) noexcept {
  const closure_range known = closures_with(number);
  return known.has(number) ? known[number].kind : nullptr;
}

closure_range closures_of_program() noexcept {
  const closure_table* const first = tables.load(std::memory_order_acquire);
  return types_of(first != nullptr && first->of.is_program ? first : nullptr);
}

std::string unknown_closure(std::uint32_t number) {
  const closure_table* const table = table_with(number);
  if (table == nullptr) {
    return "a closure of a library that is not open here; let all PEs run the same binary, and open a plugin before "
           "any PE sends its closures";
  }
  if (!table->is_open)
    return "a closure of " + table->of.path + ", which was closed here; close a plugin after the superstep";
  return "a closure that " + table->of.path + " does not have; let all PEs run the same binary";
}

}  // namespace shoal::internal
