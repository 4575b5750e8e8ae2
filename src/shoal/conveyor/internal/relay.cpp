#include "shoal/conveyor/internal/relay.hpp"

#include <cstring>
#include <exception>

#include "shoal/base/internal/ambient.hpp"
#include "shoal/conveyor/internal/exchange.hpp"
#include "shoal/conveyor/internal/record.hpp"
#include "shoal/conveyor/internal/record_reader.hpp"

namespace shoal::internal {

relay::relay(exchange& through, const route& way, int h, const relay_options& options)
    : exchange_(through),
      now_(through.now()),
      route_(way),
      h_(h),
      options_(options),
      hop_(through, links_,
           {.kind = options.kind,
            .consumer = this,
            .links = &way.hop(h),
            .number = static_cast<std::uint8_t>(h),
            .may_overrun = false}) {}

// Passes on items i to end - 1 of `b`, which lie side by side from `item` on. Returns where it stopped: at the end, or
// after one that found no room. `Bytes` is the item size, or 0 if it is known only at run time.
template <std::size_t Bytes>
std::uint32_t relay::pass_on(const buffer& b, const std::byte* item, const item_kind& kind, std::uint32_t i,
                             std::uint32_t end) {
  const std::size_t bytes = Bytes == 0 ? kind.bytes : Bytes;
  const inbox& in = hop_.in();
  open_links& out = onward_->out().links();
  return route_.with_onward(h_, b.header.source, [&](const auto& onward) {
    for (; i < end && !now_.must_stop(); ++i, item += bytes) {
      const next_hop next = onward(in.tag_of(b, i));
      link_end& link = out.ends[next.link];
      if (link.cursor == link.limit || link.kind != &kind) {
        exchange_.parts().pressure.make_room(onward_->out(), link, kind, when_full::spill);
      }
      std::memcpy(link.cursor, item, bytes);
      link.cursor += bytes;
      out.write_tag(next.link, next.tag);
    }
    return i;
  });
}

std::uint32_t relay::pass_on_items(const buffer& b, const std::byte* item, const item_kind& kind, std::uint32_t i,
                                   std::uint32_t end) {
  switch (kind.bytes) {
    case 4: return pass_on<4>(b, item, kind, i, end);
    case 8: return pass_on<8>(b, item, kind, i, end);
    case 16: return pass_on<16>(b, item, kind, i, end);
    case 32: return pass_on<32>(b, item, kind, i, end);
    default: return pass_on<0>(b, item, kind, i, end);
  }
}

combining_window::note relay::combine(const next_hop& next, const std::byte* item) {
  combining_window& window = *onward_->window();
  try {
    return window.combiner().combine_passing(window, next.link, onward_->out().links().ends[next.link], next.tag, item);
  } catch (const std::exception& e) {
    end_job(status_failure, describe() + ": combining threw: " + one_line(e.what()));
  } catch (...) {
    end_job(status_failure, describe() + ": combining threw something that is not a std::exception");
  }
}

// Passes on items from `i` on, all of the only kind, but for those that can be merged into others. Returns as pass_on.
std::uint32_t relay::pass_on_combined(const buffer& b, std::uint32_t i) {
  open_links& out = onward_->out().links();
  combining_window& window = *onward_->window();
  const item_kind& kind = out.only_kind;
  const std::byte* item = b.payload() + std::size_t{i} * kind.bytes;
  for (; i < b.header.n_items && !now_.must_stop(); ++i, item += kind.bytes) {
    const next_hop next = route_.onward(h_, b.header.source, hop_.in().tag_of(b, i));
    const combining_window::note its = combine(next, item);
    link_end& link = out.ends[next.link];
    if (its.hint == nullptr) {
      if (link.cursor == link.limit)
        exchange_.parts().pressure.post_overdue(when_full::spill);  // a latency limit, perhaps
      continue;
    }
    combining_window::part& part = window.part_of(next.link);
    if (link.cursor == link.limit) {
      exchange_.parts().pressure.make_room(onward_->out(), link, kind, when_full::spill);
      window.review(part);
    }
    combining_window::note_written(its, part, link);
    std::memcpy(link.cursor, item, kind.bytes);
    link.cursor += kind.bytes;
    out.write_tag(next.link, next.tag);
  }
  return i;
}

// A record that is item `i` of `b`.
void relay::pass_on_record(const buffer& b, const run_header& header, const std::byte* bytes, std::uint32_t i,
                           std::uint32_t align) {
  open_links& out = onward_->out().links();
  const next_hop next = route_.onward(h_, b.header.source, hop_.in().tag_of(b, i));
  std::byte* const place =
      exchange_.parts().pressure.make_record(onward_->out(), out.ends[next.link], header, align, when_full::spill);
  std::memcpy(place, bytes, header.n_items);
  out.write_tag(next.link, next.tag);
}

std::uint32_t relay::pass_on_records(const buffer& b, position& from) {
  std::uint32_t i = from.n_in_run;
  record_reader records(b.payload() + from.offset, b.payload() + b.header.item_bytes());
  for (; i < b.header.n_items && !now_.must_stop(); ++i) {
    record r;
    if (records.is_at_end() || !records.read(r)) damaged(b);
    pass_on_record(b, {static_cast<std::uint32_t>(r.kind), static_cast<std::uint32_t>(r.bytes.size())}, r.bytes.data(),
                   i, options_.kind.align);
  }
  from.offset = static_cast<std::uint32_t>(records.at() - b.payload());
  return i;
}

void relay::pass_on_runs(const buffer& b, position& from) {
  const std::uint32_t bytes = b.header.item_bytes();
  while (from.offset < bytes && !now_.must_stop()) {
    const std::byte* const begin = after_run_header(b.payload() + from.offset);
    const auto begin_offset = static_cast<std::uint32_t>(begin - b.payload());
    if (begin_offset > bytes) damaged(b);
    const run_header run = read_run_header(begin);
    if (run.type == padding_run) {
      if (run.n_items >= bytes - begin_offset) damaged(b);  // padding must be followed by a run
      from.offset = begin_offset + run.n_items;
      continue;
    }
    if (is_record(run.type)) {
      if (run.n_items > bytes - begin_offset || from.n_before == b.header.n_items) damaged(b);
      pass_on_record(b, run, begin, from.n_before, sizeof(run_header));
      from = {begin_offset + run.n_items, 0, from.n_before + 1};
      continue;
    }
    const item_kind* const kind = options_.kinds(run.type);
    if (kind == nullptr || std::uint64_t{run.n_items} * kind->bytes > bytes - begin_offset ||
        run.n_items > b.header.n_items - from.n_before) {
      damaged(b);
    }
    from.n_in_run = pass_on_items(b, begin + std::size_t{from.n_in_run} * kind->bytes, *kind,
                                  from.n_before + from.n_in_run, from.n_before + run.n_items) -
                    from.n_before;
    if (from.n_in_run < run.n_items) return;
    from = {begin_offset + run.n_items * kind->bytes, 0, from.n_before + run.n_items};
  }
}

void damaged(const buffer& b) {
  end_job(status_failure, "a buffer from PE " + std::to_string(b.header.source) +
                              " does not hold what its header says; do all PEs run the same program?");
}

bool relay::consume(const buffer& b, position& from, std::uint64_t& n_items) {
  now_.proceed_to(b.payload() + b.header.item_bytes());
  const std::uint32_t n_passed_on = from.n_before + from.n_in_run;
  const item_kind& kind = onward_->out().links().only_kind;
  if (onward_->window() != nullptr) {
    from.n_in_run = pass_on_combined(b, n_passed_on);
  } else if (kind.bytes != 0) {
    from.n_in_run =
        pass_on_items(b, b.payload() + std::size_t{n_passed_on} * kind.bytes, kind, n_passed_on, b.header.n_items);
  } else if (options_.kinds == nullptr) {
    from.n_in_run = pass_on_records(b, from);
  } else {
    pass_on_runs(b, from);
  }
  n_items = from.n_before + from.n_in_run - n_passed_on;
  exchange_.backend().charge_items(item_work::relay, n_items);
  return from.n_before + from.n_in_run == b.header.n_items;
}

std::string relay::describe() const {
  const std::string hop = "relay of hop " + std::to_string(h_ + 1);
  return options_.on_behalf_of == nullptr ? hop : options_.on_behalf_of->describe() + ", " + hop;
}

}  // namespace shoal::internal
