/// The part of a graph on one PE: its actors, the ends of channels to other PEs, and their messages.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <source_location>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "shoal/actor/actor.hpp"
#include "shoal/actor/per_pe.hpp"
#include "shoal/actor/record_mailbox.hpp"
#include "shoal/actor/world.hpp"
#include "shoal/dataflow/actor.hpp"
#include "shoal/dataflow/internal/actor_names.hpp"
#include "shoal/dataflow/internal/channel_request.hpp"
#include "shoal/dataflow/internal/ready_actors.hpp"
#include "shoal/dataflow/internal/token_coding.hpp"

namespace shoal::internal {

class channel_end;
class input_end;
class output_end;

class graph_part {
public:
  using handle = pe_handle<graph_part>;

  /// Collective: the channels of all actors share two mailboxes, of tokens and of what was read.
  graph_part(world& home, std::string name);
  ~graph_part();

  world& home() const noexcept { return home_; }
  bool is_shared() const noexcept { return is_shared_; }
  void set_handle(handle its) noexcept { handle_ = its; }

  // --- Making the graph; each of these may send messages that do the rest

  /// An actor that lives here from now on.
  void adopt(std::string name, std::unique_ptr<dataflow::actor> its, const std::string& added_at);
  void connect(channel_request asked);
  dataflow::actor* find(std::string_view name) const;
  const std::vector<std::unique_ptr<dataflow::actor>>& actors() const noexcept { return actors_; }

  // --- Running it

  /// From now on actors act; those that live here begin. In the finish whose end is that of the graph.
  void begin(const std::source_location& where);
  void end() noexcept { is_running_ = false; }
  bool is_running() const noexcept { return is_running_; }
  std::uint64_t n_live() const noexcept { return n_live_.load(std::memory_order_acquire); }

  void become_ready(actor_node& due) noexcept;
  void note_finished() noexcept { n_live_.fetch_sub(1, std::memory_order_acq_rel); }

  // --- Messages of channels between PEs

  void send(pe_id reader_pe, const token_to_send& token) { tokens_.send(reader_pe, token); }
  /// Tells a writer that `n` tokens have been read in all.
  void tell_read(pe_id writer_pe, std::uint32_t number, std::uint32_t n) { reads_.send(writer_pe, {number, n}); }
  void tell_end_of_reader(pe_id writer_pe, std::uint32_t number);

  // --- For reports

  /// A request that waits for an actor which nobody has added; empty: none does.
  std::string unknown_actor() const;
  /// An actor that cannot begin, since ports of it have no channel; empty: there is none.
  std::string missing_port() const;

private:
  // What a reader has read of a channel.
  struct read_count {
    std::uint32_t number;  // of the writer's end
    std::uint32_t n;
  };
  struct token_handler {
    graph_part& part;
    void operator()(token_message m) const { part.take(m); }
  };
  struct read_handler {
    graph_part& part;
    void operator()(const read_count& m) const { part.take(m); }
  };

  static void on_added(handle part, const std::string& name, pe_id pe, const std::string& added_at);
  static void on_request(handle part, const channel_request& asked, bool is_for_writer);
  static void on_reader(handle part, const channel_request& asked);
  static void on_writer(handle part, const channel_request& asked);
  static void on_connected(handle part, std::uint32_t reader_number, pe_id writer_pe, std::uint32_t writer_number);
  static void on_end_of_reader(handle part, std::uint32_t writer_number);

  void take(const token_message& m);
  void take(const read_count& m);
  void pass_on(const actor_names::waiting_request& request, pe_id pe);
  actor_node& node_of(const std::string& name) const;
  void begin_if_connected(actor_node& its);
  void run_next();

  world& home_;
  const bool is_shared_;
  std::optional<handle> handle_;
  actor_names names_;
  std::vector<std::unique_ptr<dataflow::actor>> actors_;
  std::unordered_map<std::string_view, dataflow::actor*> by_name_;
  // By number: ends of channels whose other end is, or may be, on another PE.
  std::vector<input_end*> inputs_;
  std::vector<output_end*> outputs_;
  ready_actors ready_;
  std::source_location where_;  // of run
  bool is_running_ = false;
  std::atomic<std::uint64_t> n_live_{0};  // actors that have not finished
  record_mailbox<token_message, token_handler> tokens_;
  typed_mailbox<read_count, read_handler> reads_;
};

}  // namespace shoal::internal
