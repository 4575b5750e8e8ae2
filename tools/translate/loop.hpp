/// A loop with one-sided access, in plain words: read from the syntax tree (read_loops.hpp), checked (dependences.hpp),
/// planned and written as a selector (write_loops.hpp). Nothing here knows Clang.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tools/translate/program.hpp"

namespace shoal::translate {

enum class access_family {
  shmem,  // OpenSHMEM: an address and a PE
  getput,  // libgetput: index i is element i / P of PE i % P
  world,  // shoal::world: a symmetric array, an index and a PE
  array  // shoal::distributed_array: an index
};

enum class remote_operation { get, put, add, increment, bit_and, bit_or, bit_xor, swap, compare_swap };

/// What a variable is to the loop that names it.
enum class variable_kind {
  iteration,  // each iteration has its own
  counter,  // declared outside; only code that waits for nothing changes it
  fixed,  // declared outside, and not changed
  result  // declared outside; code that waits for answers changes it
};

struct loop_variable {
  std::string name;
  std::string type;
  std::size_t bytes = 0;
  std::size_t alignment = 0;
  variable_kind kind = variable_kind::fixed;
  bool is_object = false;  // of a class, or an array: members refer to it
  bool is_constant = false;  // declared const, so that a handler need not copy it
  bool is_same = false;  // on all PEs
  bool is_in_types = false;  // a constant that types in handlers name, so that no member may have its name
  std::size_t n_writes = 0;  // in the text of the loop
  std::size_t settled_at = none;  // where the only one of these is
  bool is_written_late = false;  // some of them are in code that waits for answers
};

/// Text of the source, in which names change their meaning.
struct piece {
  enum class kind { text, variable, send, receive, own_pe, turn };  // turn: one of a checked loop begins
  kind is = kind::text;
  std::string text;  // of own_pe: a call that tells the number of the PE whose loop it is
  std::size_t index = none;  // of the variable or step
};
using pieces = std::vector<piece>;

/// What an access of several elements has besides: they begin at the index.
struct step_elements {
  pieces count;
  bool is_count_known = false;  // handlers name it, too
  bool is_count_size = false;  // of type std::size_t
  std::size_t n = none;  // how many, if it is a constant
  pieces address;  // on the PE whose loop it is: the source of a put, or the destination of a get
};

/// What an index adds to a variable's value: so many times the number of PEs.
struct dealt_rounds {
  bool is_subtracted = false;
  pieces times;  // empty: once
};

/// A call of one-sided access, and what waits for its answer.
struct loop_step {
  unsigned line = 0;
  std::size_t position = 0;
  access_family family = access_family::shmem;
  remote_operation operation = remote_operation::get;
  std::string object;  // what it names on each PE
  std::size_t object_variable = none;  // none: all of `object` has namespace scope
  bool is_one_element = false;  // `object` is no array
  std::string element;  // type
  std::size_t element_bytes = 0;
  std::size_t element_alignment = 0;
  pieces index;  // empty: element 0
  std::string index_type;
  std::size_t index_bytes = 8;
  std::size_t dealt_as = none;  // of libgetput: the index is this variable and `rounds`; none: unknown
  bool is_remainder = false;  // the index has the remainder of `dealt_as` by the number of PEs, not its value
  std::vector<dealt_rounds> rounds;
  pieces pe;  // empty: the index tells it
  bool is_pe_id = false;  // pe, without a cast
  pieces value;
  bool is_known_int = false;  // value and expected are of type int, and the element is a wider integer
  bool is_value_known = false;  // a constant, the same on each PE
  bool is_value_element = false;  // without a cast
  std::optional<step_elements> several;  // nothing: it is one element
  pieces expected;
  bool is_expected_known = false;
  bool is_expected_element = false;
  std::size_t result = none;  // variable; none: nothing waits
  pieces rest;  // runs when the answer is there
  bool has_rest = false;
  bool is_last = false;  // of the statements in its block
  bool is_result_element = false;  // the result has the element's type
  std::size_t parent = none;  // the step in whose rest this one is
  bool rest_is_remote = false;  // the rest runs where the element is
  bool names_own_pe = false;  // `rest` does
  std::vector<std::size_t> uses;  // variables named in `rest`
  std::vector<std::size_t> declares;  // variables declared in `rest`
  std::vector<std::size_t> changes;  // variables of the iteration that `rest` changes and does not declare
  std::vector<std::size_t> written_first;  // those of them that it does not read before
};

struct loop {
  range statement;
  range pragma;  // the line that vouches for it; empty: none
  bool is_checked = false;  // it says so without `unchecked`, so that checked builds compare what turns touch
  range barrier;  // right behind it, which the end of the superstep replaces; empty: it stays
  access_family family = access_family::shmem;
  std::string world;  // an expression
  std::string function;
  bool is_outermost = false;  // no superstep can be open
  bool is_scope = false;  // the function may end the job, which the selector must not outlive
  pieces text;
  std::vector<loop_variable> variables;
  std::vector<loop_step> steps;  // parents before their children
};

/// In the source, what becomes of it.
struct replaced_text {
  range at;
  std::string text;
};

struct source_loops {
  std::vector<loop> all;
  std::vector<replaced_text> declarations;  // of variables, some of which their handlers declare
};

/// What code of a loop does to memory that outlives the iteration, or to a variable.
struct touch {
  enum class kind { read, write, update };
  kind is = kind::read;
  std::string name;  // as the source names it
  std::size_t memory = none;  // of a variable that is captured: the variable
  std::string operation;  // of an update: "+", "|", ...; updates of one kind commute
  bool is_real = false;  // floating-point, whose sums depend on their order
  bool is_remote = false;
  bool gives_value = false;  // of an update: what it was before is used
  bool draws = false;  // a random number
  bool is_certain = false;  // no condition in the rest, or in the loop, decides whether it comes to that
  std::size_t step = none;  // of a remote touch
  std::size_t argument_of = none;  // the step for which it is made
  std::size_t segment = none;  // the step in whose rest it is; none: the loop's own code
  std::string distinct;  // a subscript that differs in each turn of a loop; empty: nothing is known
  std::size_t counter = none;  // of which loop
  bool is_range = false;  // several elements on the PE whose loop it is
  bool is_captured = false;  // a variable whose value travels with the message
  access_family family = access_family::shmem;
  std::size_t position = 0;
  unsigned line = 0;
};

/// Memory that touches name.
struct memory {
  enum class kind { object, parameter, unknown };
  kind is = kind::unknown;
  std::string identity;  // of an object or a parameter
  std::string element;  // type; empty: any
  bool is_restrict = false;
  bool is_from_here = false;  // the function itself makes it
  bool is_symmetric = false;
  bool is_unshared = false;  // of a container, of malloc or of a local variable: it cannot be symmetric
};

}  // namespace shoal::translate
