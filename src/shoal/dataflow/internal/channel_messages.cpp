#include "shoal/dataflow/internal/channel_messages.hpp"

#include <cstring>
#include <utility>
#include <vector>

#include "shoal/dataflow/internal/channel_end.hpp"
#include "shoal/dataflow/internal/graph_part.hpp"

namespace shoal::internal {
namespace {

// In place of the reader's number: the message has no token, but tells the writer's end of that number what was read.
constexpr std::uint32_t is_read_count = 1U << 31;

void write_nothing(std::byte*, std::size_t, const void*) {}

}  // namespace

channel_messages::channel_messages(world& home, const std::string& name, const graph_part& part)
    : home_(home), part_(part), tokens_(home, name, {*this}) {}

void channel_messages::tell_read(pe_id writer_pe, std::uint32_t number, std::uint32_t n) {
  tokens_.send(writer_pe, {{number | is_read_count, n}, 0, &write_nothing, nullptr});
}

void channel_messages::take(const token_message& m) {
  if ((m.head.port & is_read_count) != 0) return take_read(m.head.port & ~is_read_count, m.head.number);
  if (input_end* const its = inputs_.find(m.head.port)) [[likely]]
    return its->arrive(m.head.number, m.bytes);
  follow_token(m);
}

// The reader has moved. Or it reads no more, and nobody misses the token.
void channel_messages::follow_token(const token_message& m) {
  inputs_.follow(m.head.port, [this, number = m.head.number,
                               bytes = std::vector(m.bytes.begin(), m.bytes.end())](const end_place& now) {
    const auto copy = [](std::byte* to, std::size_t n, const void* from) {
      if (n != 0) std::memcpy(to, static_cast<const std::vector<std::byte>*>(from)->data(), n);
    };
    send(now.pe, {{now.number, number}, bytes.size(), copy, &bytes});
  });
}

void channel_messages::take_read(std::uint32_t number, std::uint32_t n) {
  if (output_end* const its = outputs_.find(number)) [[likely]]
    return its->note_read(n);
  outputs_.follow(number, [this, n](const end_place& now) { tell_read(now.pe, now.number, n); });
}

void channel_messages::tell_end_of_reader(pe_id writer_pe, std::uint32_t number) const {
  home_.send<&channel_messages::on_end_of_reader>(writer_pe, part_.its_handle(), number);
}

void channel_messages::on_end_of_reader(handle part, std::uint32_t writer_number) {
  if (output_end* const its = part->channels().outputs_.find(writer_number)) return its->note_end_of_reader();
  part->channels().outputs_.follow(
      writer_number, [part](const end_place& now) { part->channels().tell_end_of_reader(now.pe, now.number); });
}

void channel_messages::tell_end_of_writer(pe_id reader_pe, std::uint32_t number, std::uint32_t n) const {
  home_.send<&channel_messages::on_end_of_writer>(reader_pe, part_.its_handle(), number, n);
}

void channel_messages::on_end_of_writer(handle part, std::uint32_t reader_number, std::uint32_t n) {
  if (input_end* const its = part->channels().inputs_.find(reader_number)) return its->note_end_of_writer(n);
  part->channels().inputs_.follow(
      reader_number, [part, n](const end_place& now) { part->channels().tell_end_of_writer(now.pe, now.number, n); });
}

void channel_messages::tell_place_of(const input_end& its) const {
  if (!its.has_channel() || !its.is_other_far()) return;
  const end_place now{home_.my_pe(), its.number(), its.node().identity().n_moves};
  home_.send<&channel_messages::on_place_of_reader>(its.other().pe, part_.its_handle(), its.other().number, now);
}

void channel_messages::tell_place_of(const output_end& its) const {
  if (!its.has_channel() || !its.is_other_far()) return;
  const end_place now{home_.my_pe(), its.number(), its.node().identity().n_moves};
  home_.send<&channel_messages::on_place_of_writer>(its.other().pe, part_.its_handle(), its.other().number, now);
}

void channel_messages::on_place_of_writer(handle part, std::uint32_t reader_number, const end_place& writer) {
  if (input_end* const its = part->channels().inputs_.find(reader_number)) return its->note_other(writer);
  part->channels().inputs_.follow(reader_number, [part, writer](const end_place& now) {
    part->home().send<&channel_messages::on_place_of_writer>(now.pe, part, now.number, writer);
  });
}

void channel_messages::on_place_of_reader(handle part, std::uint32_t writer_number, const end_place& reader) {
  if (output_end* const its = part->channels().outputs_.find(writer_number)) return its->note_other(reader);
  part->channels().outputs_.follow(writer_number, [part, reader](const end_place& now) {
    part->home().send<&channel_messages::on_place_of_reader>(now.pe, part, now.number, reader);
  });
}

}  // namespace shoal::internal
