/// What the two ends of a channel tell each other between PEs.
#pragma once

#include <cstdint>
#include <string>

#include "shoal/actor/actor.hpp"
#include "shoal/actor/per_pe.hpp"
#include "shoal/actor/record_mailbox.hpp"
#include "shoal/actor/world.hpp"
#include "shoal/dataflow/internal/end_table.hpp"
#include "shoal/dataflow/internal/token_coding.hpp"

namespace shoal::internal {

class graph_part;
class input_end;
class output_end;

/// The messages of all channels of a graph on one PE: tokens and counts of what was read in one mailbox, so that they share buffers,
/// and rare ones as closures. A message finds an end by its number; if the end has moved, it follows; if its channel has ended,
/// nobody misses it.
class channel_messages {
public:
  /// Collective.
  channel_messages(world& home, const std::string& name, const graph_part& part);

  // --- On any worker

  void send(pe_id reader_pe, const token_to_send& token) { tokens_.send(reader_pe, token); }
  /// Tells a writer that `n` tokens have been read in all.
  void tell_read(pe_id writer_pe, std::uint32_t number, std::uint32_t n);
  /// Tells a writer that its reader reads no more.
  void tell_end_of_reader(pe_id writer_pe, std::uint32_t number) const;
  /// Tells a reader that its writer has written `n` tokens in all, and writes no more.
  void tell_end_of_writer(pe_id reader_pe, std::uint32_t number, std::uint32_t n) const;

  // --- On the PE's own thread

  /// Tells the other end of a channel, on whatever PE, where this one is.
  void tell_place_of(const input_end& its) const;
  void tell_place_of(const output_end& its) const;

  end_table<input_end>& inputs() noexcept { return inputs_; }
  end_table<output_end>& outputs() noexcept { return outputs_; }

private:
  struct token_handler {
    channel_messages& all;
    void operator()(token_message m) const { all.take(m); }
  };

  using handle = pe_handle<graph_part>;
  static void on_end_of_reader(handle part, std::uint32_t writer_number);
  static void on_end_of_writer(handle part, std::uint32_t reader_number, std::uint32_t n);
  static void on_place_of_writer(handle part, std::uint32_t reader_number, const end_place& writer);
  static void on_place_of_reader(handle part, std::uint32_t writer_number, const end_place& reader);

  void take(const token_message& m);
  void take_read(std::uint32_t number, std::uint32_t n);
  void follow_token(const token_message& m);

  world& home_;
  const graph_part& part_;
  end_table<input_end> inputs_;
  end_table<output_end> outputs_;
  record_mailbox<token_message, token_handler> tokens_;
};

}  // namespace shoal::internal
