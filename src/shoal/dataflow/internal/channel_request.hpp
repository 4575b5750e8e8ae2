/// A channel that a program has asked for, on its way to the two actors.
#pragma once

#include <cstdint>
#include <string>

#include "shoal/base/types.hpp"

namespace shoal::internal {

struct channel_request {
  std::string from;
  std::string out;
  std::string to;
  std::string in;
  std::uint32_t capacity = 0;
  std::uint64_t length = 0;  // how many elements each place keeps room for
  std::string place;  // of the program, where it asked
  // Once the reader has opened its end:
  pe_id reader_pe = -1;
  std::uint32_t reader_number = 0;
  std::string token_type;  // the compiler's name

  /// "connect stove.orders to waiter.orders (kitchen.cpp:7)".
  std::string describe() const { return "connect " + from + "." + out + " to " + to + "." + in + " (" + place + ")"; }

  void serialize(auto& archive) {
    archive(from, out, to, in, capacity, length, place, reader_pe, reader_number, token_type);
  }
};

}  // namespace shoal::internal
