#include "shoal/conveyor/internal/piece_stream.hpp"

#include <algorithm>
#include <cstring>

#include "shoal/base/internal/contract.hpp"
#include "shoal/conveyor/internal/exchange.hpp"
#include "shoal/conveyor/internal/monster.hpp"
#include "shoal/conveyor/internal/relay.hpp"

namespace shoal::internal {
namespace {

constexpr item_kind of_pieces{.align = sizeof(run_header)};

}  // namespace

piece_stream::piece_stream(exchange& through)
    : stream_(through, {.kind = of_pieces}),
      piece_bytes_max_(whole_record_bytes_max(through.payload_bytes(), of_pieces.align) & ~(sizeof(run_header) - 1)) {
  through.objects().note("stream of ", "arrays", 0);
}

piece_stream::~piece_stream() {
  if (!stream_.is_orphan()) stream_.record("arrays");
}

void piece_stream::begin() { stream_.begin_session(of_pieces); }

std::size_t piece_stream::send(piece_kind kind, std::span<const std::byte> bytes, pe_id target) {
  const std::size_t n = std::min(bytes.size(), piece_bytes_max_);
  SHOAL_ASSERT(n != 0);
  const stream::way to = stream_.way_to(target);
  const run_header header{static_cast<std::uint32_t>(kind), static_cast<std::uint32_t>(n)};
  std::byte* const place = stream_.make_record(to, header, of_pieces.align, when_full::give_up);
  if (place == nullptr) return 0;
  std::memcpy(place, bytes.data(), n);
  to.write_tag();
  return n;
}

bool piece_stream::pull(piece& next) {
  for (;;) {
    if (front_ == nullptr) {
      if (stream_.arrivals().pending().empty()) return false;
      front_ = stream_.arrivals().pending().front();
      records_ = record_reader(front_->payload(), front_->payload() + front_->header.item_bytes());
      n_read_ = 0;
      origins_ = stream_.origins_by(front_->header.source);
    }
    if (records_.is_at_end()) {
      stream_.arrivals().drop_front(front_->header.n_items);
      front_ = nullptr;
      continue;
    }
    record r;
    if (!records_.read(r)) damaged(*front_);
    next = {static_cast<piece_kind>(r.kind), origins_(stream_.tag_of(*front_, n_read_++)), r.bytes};
    return true;
  }
}

bool piece_stream::flush() noexcept {
  stream_.flush();
  return !stream_.arrivals().pending().empty();
}

bool piece_stream::try_end() {
  if (!stream_.try_send_last()) return false;
  if (!stream_.arrivals().has_last_arrived() || !stream_.arrivals().has_consumed_all()) return false;
  stream_.end_session();
  return true;
}

}  // namespace shoal::internal
