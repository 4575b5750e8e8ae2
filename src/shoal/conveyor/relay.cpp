#include "shoal/conveyor/relay.hpp"

#include <cstring>

#include "shoal/base/ambient.hpp"
#include "shoal/conveyor/exchange.hpp"
#include "shoal/conveyor/record.hpp"

namespace shoal {

relay::relay(exchange& through, const route& way, int h, const item_kind& kind)
    : exchange_(through),
      route_(way),
      hop_(h),
      item_bytes_(kind.bytes),
      align_(kind.align),
      in_(through, {.kind = kind, .consumer = this, .hop = &way.hop(h), .hop_number = static_cast<std::uint8_t>(h),
                    .may_overrun = false}) {}

// Passes on items of `b` from the i-th on, and returns where it stopped: behind the last, or behind one that
// found no room. `Bytes` is the item size, or 0 where it is known only at run time.
template <std::size_t Bytes>
std::uint32_t relay::pass_on(const buffer& b, std::uint32_t i) {
  const std::size_t bytes = Bytes == 0 ? item_bytes_ : Bytes;
  const std::byte* item = b.payload() + i * bytes;
  for (; i < b.header.n_items && exchange_.delivery_end != nullptr; ++i, item += bytes) {
    const next_hop next = route_.onward(hop_, b.header.source, in_.tag_of(b, i));
    link_end& link = out_->link_at(next.link);
    if (link.cursor == link.limit) out_->make_room(link, when_full::spill);
    std::memcpy(link.cursor, item, bytes);
    link.cursor += bytes;
    out_->write_tag(next.link, next.tag);
  }
  return i;
}

std::uint32_t relay::pass_on_records(const buffer& b, position& from) {
  std::uint32_t i = from.n_in_run;
  record_reader records(b.payload() + from.offset, b.payload() + b.header.item_bytes());
  for (; i < b.header.n_items && exchange_.delivery_end != nullptr; ++i) {
    record r;
    if (records.is_at_end() || !records.read(r)) damaged(b);
    const next_hop next = route_.onward(hop_, b.header.source, in_.tag_of(b, i));
    const run_header header{static_cast<std::uint32_t>(r.kind), static_cast<std::uint32_t>(r.bytes.size())};
    std::byte* const place = out_->open_record(out_->link_at(next.link), header, align_, when_full::spill);
    std::memcpy(place, r.bytes.data(), r.bytes.size());
    out_->write_tag(next.link, next.tag);
  }
  from.offset = static_cast<std::uint32_t>(records.at() - b.payload());
  return i;
}

void damaged(const buffer& b) {
  end_job(status_failure, "a buffer from PE " + std::to_string(b.header.source) +
                              " holds no records where it should; do all PEs run the same program?");
}

bool relay::consume(const buffer& b, position& from, std::uint64_t& n_items) {
  exchange_.delivery_end = b.payload() + b.header.item_bytes();
  const std::uint32_t begin = from.n_in_run;
  switch (item_bytes_) {
    case 0: from.n_in_run = pass_on_records(b, from); break;
    case 4: from.n_in_run = pass_on<4>(b, begin); break;
    case 8: from.n_in_run = pass_on<8>(b, begin); break;
    case 16: from.n_in_run = pass_on<16>(b, begin); break;
    case 32: from.n_in_run = pass_on<32>(b, begin); break;
    default: from.n_in_run = pass_on<0>(b, begin);
  }
  n_items = from.n_in_run - begin;
  return from.n_in_run == b.header.n_items;
}

std::string relay::describe() const { return "relay of hop " + std::to_string(hop_ + 1); }

}  // namespace shoal
