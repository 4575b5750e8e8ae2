#include "shoal/actor/record_mailbox.hpp"

#include "shoal/actor/world.hpp"
#include "shoal/base/internal/ambient.hpp"
#include "shoal/conveyor/internal/exchange.hpp"
#include "shoal/conveyor/internal/record_reader.hpp"
#include "shoal/conveyor/internal/relay.hpp"

namespace shoal {

using namespace internal;

record_mailbox_base::record_mailbox_base(world& home, std::string actor_name, const char* message_type,
                                         std::uint32_t align)
    : mailbox(home, std::move(actor_name), message_type, {.align = align}),
      sender_(messages(), home.message_exchange().payload_bytes(), align) {
  if (sender_.whole_bytes_max() > sizeof(std::uint64_t)) return;
  end_job(status_usage, "an actor of " + readable_type_name(message_type) + ": messages aligned to " +
                            std::to_string(align) + " in buffers of " +
                            std::to_string(home.message_exchange().payload_bytes()) +
                            " bytes; set SHOAL_SLOT_BYTES to at least 256");
}

const std::byte* record_mailbox_base::take(const buffer& b, const std::byte* p, std::uint32_t i) {
  record_reader records(p, b.payload() + b.header.item_bytes());
  internal::record next;
  if (!records.read(next)) damaged(b);
  const pe_id from = sender_of(b, i);
  if (next.kind == record_kind::item) {
    handle_whole(next.bytes, from);
    return records.at();
  }
  monster_block whole;
  if (take_fragment(arriving_, next, from, b, whole)) handle_whole(whole.bytes(), from);
  return records.at();
}

void record_mailbox_base::cannot_read(std::size_t n_bytes, pe_id from) const {
  end_job(status_usage, describe() + ": a message of " + std::to_string(n_bytes) + " bytes from PE " +
                            std::to_string(from) +
                            " is not what its type reads; let its serialize name the same members in the same order "
                            "when it writes and when it reads");
}

}  // namespace shoal
