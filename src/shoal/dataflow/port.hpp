/// Ports: the ends of channels, members of actors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

#include "shoal/dataflow/actor.hpp"
#include "shoal/dataflow/internal/channel_end.hpp"
#include "shoal/dataflow/internal/graph_part.hpp"
#include "shoal/dataflow/internal/token_coding.hpp"

namespace shoal::dataflow {

/// What a graph does about a port without a channel.
enum class port_need : bool {
  optional,  // nothing
  required,  // refuses to run; an actor that is added later waits until it has
  // one
};

template <class T>
class out_port;

/// Where an actor reads tokens of type T, in the order in which they were written. A member of the actor, or made in
/// its constructor; all calls are legal in its `act`, and local. None waits.
///
/// A token is any type that serialize.hpp knows, with a default constructor. Between actors of one PE it is moved from
/// the writer's hands into a place of the channel, and from there into the reader's.
template <class T>
class in_port final : private internal::input_end {
  static_assert(internal::token<T>,
                "a token travels between PEs: its type is plain bytes without "
                "addresses, a standard container of what "
                "travels, or has a function serialize(archive, value); and it "
                "has a default constructor");

public:
  explicit in_port(actor& owner, std::string name, port_need need = port_need::required)
      : input_end(owner.node(), std::move(name), need == port_need::required) {}

  /// How many tokens lie here.
  using input_end::available;
  using input_end::capacity;
  /// No more tokens will come than those that lie here: the writer has finished or has closed its port. A port changes
  /// when it becomes known here.
  using input_end::has_writer_finished;
  using input_end::is_connected;

  /// The front token, or the one `i` places behind it, which stay. Ends the job if there is none.
  const T& peek(std::uint32_t i = 0) const {
    require_token(i, "peek");
    return places_[(read_.load(std::memory_order_relaxed) + i) & mask_];
  }

  /// Takes the front token. Ends the job if there is none.
  T read() {
    require_token(0, "read");
    T token = std::move(front());
    note_read();
    return token;
  }

  /// The same by swapping it with `into`: what `into` was stays as the memory of a later token. So vectors of one
  /// length come and go without an allocation.
  void read_into(T& into) {
    require_token(0, "read_into");
    using std::swap;
    swap(into, front());
    note_read();
  }

  /// Ends the channel. What lies here, and what its writer still writes, is dropped. Then another channel can be
  /// connected to the port. Nothing happens if it has none.
  void close() {
    require_act("close");
    input_end::close();
    node().want_care();
  }

private:
  friend class out_port<T>;

  const std::type_info& token_type() const noexcept override { return typeid(T); }
  T& front() noexcept { return places_[read_.load(std::memory_order_relaxed) & mask_]; }
  T& next_place() noexcept { return places_[arrived_.load(std::memory_order_relaxed) & mask_]; }

  void make_places(std::uint32_t n, std::size_t length) override {
    mask_ = n - 1;
    places_ = std::make_unique<T[]>(n);
    if constexpr (internal::token_of_elements<T>) {
      for (T& each : std::span(places_.get(), n)) each.reserve(length);
    }
  }

  void drop_places() noexcept override { places_.reset(); }

  void arrive(std::uint32_t number, std::span<const std::byte> bytes) override {
    restore_token(number, bytes);
    note_arrival_of(number);
  }
  std::vector<std::byte> bytes_of_token(std::uint32_t number) const override {
    const T& token = places_[number & mask_];
    std::vector<std::byte> bytes(internal::size_of_token(token));
    internal::write_token<T>(bytes.data(), bytes.size(), &token);
    return bytes;
  }
  void restore_token(std::uint32_t number, std::span<const std::byte> bytes) override {
    if (!internal::read_token(bytes, places_[number & mask_])) [[unlikely]]
      refuse_bytes(bytes.size());
  }

  std::unique_ptr<T[]> places_;  // a power of two; token i lies in place i & mask_
  std::uint32_t mask_ = 0;
};

/// Where an actor writes tokens of type T. As in_port.
template <class T>
class out_port final : private internal::output_end {
  static_assert(internal::token<T>, "see in_port");

public:
  explicit out_port(actor& owner, std::string name, port_need need = port_need::required)
      : output_end(owner.node(), std::move(name), need == port_need::required) {}

  /// How many tokens may be written now. 0 without a channel. A reader that has finished takes any number: a loop of
  /// writes that ends with the capacity alone never ends then. Nobody reads any more, so what is written is dropped. An
  /// actor that would write for ever asks this, and finishes; a port changes when it becomes known here.
  using output_end::capacity;
  using output_end::free_capacity;
  using output_end::has_reader_finished;
  using output_end::is_connected;

  /// Ends the job if there is no free capacity.
  void write(const T& token) {
    if (!begin_write()) return;
    if (reader_ == nullptr) return send(token);
    in_port<T>& to = reader();
    to.next_place() = token;
    ++written_;
    to.note_arrival();
  }
  void write(T&& token) {
    if (!begin_write()) return;
    if (reader_ == nullptr) return send(token);
    in_port<T>& to = reader();
    to.next_place() = std::move(token);
    ++written_;
    to.note_arrival();
  }

  /// Writes by swapping: if the reader is on this PE, `token` gets the memory of an earlier one, whatever that holds.
  /// With in_port::read_into, vectors of one length come and go without an allocation.
  void write_from(T& token) {
    if (!begin_write()) return;
    if (reader_ == nullptr) return send(token);
    in_port<T>& to = reader();
    using std::swap;
    swap(to.next_place(), token);
    ++written_;
    to.note_arrival();
  }

  /// Ends the channel: the reader reads what was written, and then knows that no more comes. Then another channel can
  /// be connected to the port. Nothing happens if it has none.
  void close() {
    require_act("close");
    output_end::close();
    node().want_care();
  }

private:
  const std::type_info& token_type() const noexcept override { return typeid(T); }
  in_port<T>& reader() const noexcept { return static_cast<in_port<T>&>(*reader_); }  // connect has compared the types

  void send(const T& token) {
    const std::size_t bytes = internal::size_of_token(token);
    const far_place to = other();
    node().part()->channels().send(to.pe, {{to.number, written_++}, bytes, &internal::write_token<T>, &token});
  }
};

}  // namespace shoal::dataflow
