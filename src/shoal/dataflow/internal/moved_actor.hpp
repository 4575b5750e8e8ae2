/// An actor on its way to another PE.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "shoal/base/serialize.hpp"
#include "shoal/dataflow/internal/end_table.hpp"

namespace shoal::internal {

/// An end of a channel, as it was where it came from.
struct moved_end {
  std::string port;
  std::string other_actor;
  std::string other_port;
  std::uint32_t number = 0;
  std::uint32_t n_moves = 0;
  bool is_connected = false;
  bool is_closing = false;
  std::uint32_t capacity = 0;
  end_place other;

  void serialize(auto& archive) {
    archive(port, other_actor, other_port, number, n_moves, is_connected, is_closing, capacity, other);
  }
};

struct moved_token {
  std::uint32_t number = 0;
  std::vector<std::byte> bytes;

  void serialize(auto& archive) { archive(number, bytes); }
};

/// The reader's end, with the tokens that lie there.
struct moved_input {
  moved_end its;
  std::uint64_t length = 0;
  bool is_writer_known = false;
  std::uint32_t n_read = 0;
  std::uint32_t n_told = 0;
  std::uint32_t n_arrived = 0;
  std::uint64_t n_in_all = 0;
  std::vector<moved_token> tokens;

  void serialize(auto& archive) { archive(its, length, is_writer_known, n_read, n_told, n_arrived, n_in_all, tokens); }
};

struct moved_output {
  moved_end its;
  std::uint32_t n_written = 0;
  std::uint32_t n_read = 0;
  bool has_reader_finished = false;
  double weight = 1;

  void serialize(auto& archive) { archive(its, n_written, n_read, has_reader_finished, weight); }
};

struct moved_actor {
  std::string name;
  std::string added_at;  // in the program
  pe_id from = -1;
  std::uint32_t n_moves = 0;
  bool has_begun = false;
  double share = 0;  // of the time there
  std::vector<std::byte> state;  // as its `serialize` writes it
  std::vector<moved_input> inputs;
  std::vector<moved_output> outputs;

  void serialize(auto& archive) { archive(name, added_at, from, n_moves, has_begun, share, state, inputs, outputs); }
};

}  // namespace shoal::internal
