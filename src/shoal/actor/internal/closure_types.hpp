/// Types of closures, and the numbers that name them on the wire.
///
/// Types are numbered object by object: the program, each shared library, each plugin. The upper half of a number is the
/// object's tag, drawn from the linker's build id, so processes that open the same plugins in different orders agree.
/// The lower half counts the types of that object. No number is 0, which means padding.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "shoal/base/types.hpp"
#include "shoal/conveyor/internal/item_kind.hpp"

namespace shoal::internal {

class delivery;
struct closure_table;

/// Runs closures of one type, from `first` to where `now` says (delivery.hpp); returns where it stopped.
using run_closures_function = const std::byte* (*)(void* context, delivery& now, const std::byte* first, pe_id from);

/// What the receiver of a run needs to know of its type.
struct closure_table_entry {
  run_closures_function run = nullptr;
  std::uint32_t bytes = 0;
  bool asks_sender = false;  // the closure takes the sender
  const char* name = nullptr;  // as programmers write it
  const item_kind* kind = nullptr;
};
static_assert(sizeof(closure_table_entry) == 32);

/// What an object knows of its own closures. Static variables of the object fill it, in an order that the object fixes.
class closure_object {
public:
  constexpr closure_object() noexcept = default;
  closure_object(const closure_object&) = delete;
  closure_object& operator=(const closure_object&) = delete;
  /// The object is closed, or the process ends. From now on its closures are unknown.
  ~closure_object();

  /// Numbers a type. Ends the job if the object's tag is that of another one that is open, or with type 65,537. Local.
  [[gnu::cold]] std::uint32_t add(const closure_table_entry& type);

private:
  closure_table* table_ = nullptr;
};

// Hidden: each object has its own, whatever the dynamic linker shares between objects.
[[gnu::visibility("hidden")]] inline constinit closure_object closures_here;

/// A type of closures. Construction numbers it; that happens while the static variables of its object are initialised.
struct closure_type : item_kind {
  /// `padding` is a closure of this type whose padding is zero and whose other bits are one; null if the compiler
  /// cannot tell them apart.
  closure_type(closure_object& here, run_closures_function run, const item_kind& size_and_alignment, bool asks_sender,
               const char* name, const void* padding);

  std::uint32_t place = 0;  // among the types of this process
  /// Which of the first 64 words consist of captures, without a byte of padding: bit i for bytes [8i, 8i + 8).
  std::uint64_t captured_words = 0;
};

/// The types of one object.
struct closure_range {
  std::uint32_t first = 0;  // number of types[0]
  std::uint32_t n = 0;
  const closure_table_entry* types = nullptr;

  bool has(std::uint32_t number) const noexcept { return number - first < n; }
  /// `number` must be one that the range has.
  const closure_table_entry& operator[](std::uint32_t number) const noexcept { return types[number - first]; }
};

/// The types of the open object that has this number; none if there is no such object. Local, and safe in a signal
/// handler.
closure_range closures_with(std::uint32_t number) noexcept;

/// The kind of a number; a kind_lookup for relays.
const item_kind* kind_of_closures(std::uint32_t number) noexcept;

/// The types of the program itself, without those of libraries. They stay until the process ends. Local.
closure_range closures_of_program() noexcept;

/// Why closures_with does not know a number that another PE knows, as a clause: "a closure of …".
[[gnu::cold]] std::string unknown_closure(std::uint32_t number);

}  // namespace shoal::internal
