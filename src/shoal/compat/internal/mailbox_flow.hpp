/// The packets of one mailbox of a selector, from its start to its end: a session of a stream with handlers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "shoal/base/types.hpp"
#include "shoal/compat/include/shoal_compat/selector_open.h"
#include "shoal/compat/internal/finish_scope.hpp"
#include "shoal/conveyor/internal/item_kind.hpp"
#include "shoal/conveyor/internal/record_sender.hpp"
#include "shoal/conveyor/internal/sink.hpp"
#include "shoal/conveyor/internal/stream.hpp"

namespace shoal {
class world;
}

namespace shoal::internal::compat {

/// What a mailbox takes, and who takes it.
struct mailbox_form {
  std::size_t bytes = 0;  // of each packet; 0: lambdas of any size
  std::size_t align = 1;
  shoal_run_packets run = nullptr;  // for packets
  void* mailbox = nullptr;
};

/// Handlers run where dispatch runs sinks, so only where they are not held.
class mailbox_flow : protected sink {
public:
  /// Collective: on all PEs in the same order. Does not wait. Throws setup_error if the job has no buffer slot for it.
  static std::unique_ptr<mailbox_flow> make(world& in, const mailbox_form& form, std::string name);
  /// Identifies its stream; the same on all PEs.
  std::uint64_t serial() const noexcept { return stream_.serial(); }
  /// In the statistics it has a row with those that give the same name and number; otherwise one of its own.
  void share_row(std::string name, std::uint64_t number) {
    row_name_ = std::move(name);
    row_number_ = number;
  }
  virtual ~mailbox_flow();
  mailbox_flow(const mailbox_flow&) = delete;
  mailbox_flow& operator=(const mailbox_flow&) = delete;

  /// What its handlers make belongs to `scope`, the finish in which it was started.
  void belong_to(finish_scope* scope) noexcept { scope_ = scope; }

  /// Shows inlined sends where the open buffers are. Before `close`.
  void show(shoal_mailbox_open& to) noexcept;

  /// `is_early`: false where it would wait. Otherwise the main program waits and handlers run; a handler never waits.
  /// Before `close`.
  virtual bool send(const void* packet, const shoal_lambda_kind* kind, pe_id target, bool is_early) = 0;

  /// This PE sends no more. Local, does not wait.
  void close() noexcept { is_closed_ = true; }
  /// Tells the other PEs of that, if they do not know it. True: all have closed, and everything is handled here. Not in a
  /// handler. Local, does not wait.
  bool try_end() noexcept;

protected:
  /// `kind`, if all packets are of one.
  mailbox_flow(world& in, const item_kind& kind, std::string name);

  bool consume(const buffer& b, position& from, std::uint64_t& n_items) final;
  bool has_sessions() const noexcept final { return true; }
  std::string describe() const final { return name_; }
  std::string how_to_send_less() const final {
    return "let handlers note what they would send, and the main program or tasks send it";
  }

  /// As sink::consume; may throw what a handler throws.
  virtual void handle(const buffer& b, position& from, std::uint64_t& n_items) = 0;
  bool is_routed() const noexcept { return stream_.current_route() != nullptr; }
  delivery& now() noexcept { return stream_.now(); }
  when_full policy(bool is_early) const noexcept { return is_early ? when_full::give_up : stream_.now().policy_now(); }

  world& in_;
  stream stream_;
  const std::string name_;

private:
  void keep_counts();

  std::string row_name_;
  std::uint64_t row_number_;
  finish_scope* scope_ = nullptr;
  bool is_closed_ = false;
};

}  // namespace shoal::internal::compat
