/// What a program sends by closures, in plain words: read from its syntax tree (read.hpp), planned (plan.hpp), and
/// written as classes (write.hpp). Nothing here knows Clang.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

namespace shoal::translate {

inline constexpr std::size_t none = static_cast<std::size_t>(-1);

/// Offsets in the source.
struct range {
  std::size_t begin = 0;
  std::size_t end = 0;
  bool is_empty() const { return begin == end; }
  bool operator==(const range&) const = default;
};

/// How a handler comes by a value that the closure captured.
enum class knowledge {
  sent,  // in the message
  constant,  // the same number wherever it is
  own_pe,  // the number of the PE that runs the handler
  sender,  // that of the PE that sent the message
  n_pes,  // how many PEs there are
  member  // the receiving PE's own selector has it
};

struct capture {
  std::string name;  // in the closure
  std::string type;
  std::size_t bytes = 0;  // 0: depends on template arguments
  std::size_t alignment = 0;
  range value;  // of the initialiser; empty: the variable of that name
  bool has_effects = false;  // its evaluation
  knowledge known = knowledge::sent;
  std::string text;  // of a constant its value, of a member what initialises it
  std::size_t of_parent = none;  // the capture of the sending closure that it copies
  std::string variable;  // the same for captures of one value along a chain of closures
  bool is_pe_id = false;  // of type shoal::pe_id
  std::size_t declared = none;  // where the declaration of the main program's variable begins; none: it has to stay
  range declaration;  // of that variable, if it may go
  std::vector<std::size_t> references;  // to that variable
};

enum class use_kind {
  captured,  // names capture `index`
  kept_capture,  // the same in the capture list of a lambda that stays
  context,  // names the parameter for the world or the object
  unused,  // begins a declaration of what nothing will name
  send  // sends closure `index`
};

struct use {
  range at;
  use_kind kind = use_kind::captured;
  std::size_t index = 0;
};

/// What a closure's body does to objects other than its own.
struct effects {
  std::set<std::string> reads;  // objects, or members of objects
  std::set<std::string> writes;
  std::string unknown;  // why anything may be touched; empty: the sets tell all
};

/// A closure that is an object with a type of its own, which becomes the message as it is.
struct closure_object {
  std::string type;  // empty: the closure is a lambda
  bool takes_context = false;
  bool takes_sender = false;
  bool has_prefetch = false;
  bool prefetch_takes_context = false;
};

/// What closures of a superstep run on: the world, or the object of an actor.
struct handled_object {
  std::string text;  // what initialises it
  std::string type;
  range declaration;  // of the lambda_actor; empty if the world sends, or if it stays
};

struct closure {
  std::size_t object_index = 0;  // of the superstep's objects
  std::size_t actor = 0;  // the number of the superstep or actor whose selector gets it
  closure_object object;
  range send;  // the call; empty: its text stays
  range receiver;  // the object of the call, if it is named in what is written; empty: it is not
  std::string scope;  // before the message's name where it is sent: a class with ::
  bool is_tried = false;  // by try_send
  range target;
  range body;  // with its braces
  unsigned line = 0;
  std::size_t parent = none;  // the closure that sends this one
  std::size_t depth = 0;
  std::string target_name;  // of the first variable in the target
  std::string context_name;  // parameters; empty: it has none
  std::string sender_name;
  bool is_mutable = false;
  std::size_t bytes = 0;  // of the captures; 0: depends on template arguments
  std::vector<capture> captures;
  std::vector<use> uses;  // in the body, by position
  std::vector<std::string> comments;  // in the capture list and the parameters
  range mailbox;  // of HClib: the argument; empty: the only one
  unsigned mailbox_number = 0;
  effects does;
};

/// Whether the main program, or the closure around, needs the value.
inline bool is_needed(const capture& c) { return c.known == knowledge::sent || c.known == knowledge::member; }

/// Where a selector takes the place of a lambda_actor.
struct actor_place {
  range type;  // what the class's name replaces; empty: the class stands before a superstep
  std::size_t arguments_end = 0;  // of what the variable is made from; 0: a member of a class
  bool has_name = false;  // some constructor gives it a name
  std::vector<std::size_t> of_mailbox;  // where a function is called that a mailbox has and a selector lacks
};

/// The closures that one superstep sends by one world or actor, or that an actor gets wherever it is named.
struct superstep {
  std::size_t number = 0;  // of an actor; closures of others are those that send its own, or that its own send
  actor_place place;
  range statement;  // the finish; of an actor that is replaced, what the class stands before
  std::size_t body_begin = 0;  // after the opening brace of what finish runs
  bool needs_braces = false;  // where a class cannot stand before the statement
  bool is_outermost = false;  // proven: no other superstep is open around it
  bool is_dependent = false;  // in a template
  std::string function;  // in which it stands; empty: a lambda
  std::size_t function_begin = 0;
  std::string world;  // the variable
  std::string actor;  // the lambda_actor; empty: the world itself
  std::vector<handled_object> objects;  // the first is that of the actor; none: the world
  std::vector<range> dropped;  // members that name actors, and what initialises them
  std::vector<closure> closures;  // parents before their children

  bool owns(const closure& c) const { return c.actor == number; }
};

/// A selector of HClib that gets lambdas.
struct hclib_selector {
  range declaration;  // of the variable
  std::string variable;
  bool is_pointer = false;  // to what new makes
  std::string n_mailboxes;
  std::string arguments;  // of its constructor
  std::string function;
  std::size_t function_begin = 0;
  std::vector<closure> closures;  // parents before their children
};

struct refusal {
  unsigned line = 0;
  unsigned column = 0;
  std::string thing;
  std::string reason;
};

struct program {
  std::string file;
  bool any_order = false;  // the user vouches that closures may overtake each other
  std::string source;
  std::vector<superstep> supersteps;
  std::vector<hclib_selector> hclib_selectors;
  std::vector<range> dropped;  // with them
  std::vector<refusal> refusals;
  std::set<std::string> identifiers;  // all in the source, so that new names differ
  bool sees_selector = false;  // its includes bring shoal::selector
  bool sees_world_of_program = false;  // and shoal::world_of_program
};

/// Whether effects `a` and `b` in the other order might end otherwise; names the reason, or is empty.
std::string conflict(const effects& a, const effects& b);
/// The reason why a closure and `other` stay.
std::string order_matters(const closure& other, const std::string& conflict);

}  // namespace shoal::translate
