/// What a program asks of actors by their names, on its way to them.
#pragma once

#include <cstdint>
#include <string>

#include "shoal/dataflow/internal/end_table.hpp"

namespace shoal::internal {

/// A channel between two actors.
struct channel_request {
  std::string from;
  std::string out;
  std::string to;
  std::string in;
  std::uint32_t capacity = 0;
  std::uint64_t length = 0;  // how many elements each place keeps room for
  double weight = 1;  // of its tokens between PEs
  std::string place;  // of the program, where it asked
  // Once the reader has opened its end:
  end_place reader;
  std::string token_type;  // the compiler's name

  /// "connect stove.orders to waiter.orders (kitchen.cpp:7)".
  std::string describe() const { return "connect " + from + "." + out + " to " + to + "." + in + " (" + place + ")"; }

  void serialize(auto& archive) { archive(from, out, to, in, capacity, length, weight, place, reader, token_type); }
};

/// What an actor is asked for. It travels by way of the PE that looks after the actor's name.
struct actor_request {
  enum class kind : std::uint8_t { open_reader, connect_writer, move, leave };

  kind what = kind::open_reader;
  std::string name;
  channel_request channel;  // of the first two kinds
  pe_id to = -1;  // where it is to move
  std::string place;  // of the program, of the others
  std::uint32_t n_moves = 0;  // of the actor, when the request was sent to where it was

  /// "move of stove (kitchen.cpp:9)", or the channel.
  std::string describe() const {
    if (what == kind::move) return "move of " + name + " (" + place + ")";
    if (what == kind::leave) return "remove of " + name + " (" + place + ")";
    return channel.describe();
  }

  void serialize(auto& archive) { archive(what, name, channel, to, place, n_moves); }
};

}  // namespace shoal::internal
