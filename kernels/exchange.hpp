/// One step in which all PEs send messages of one type and take what arrives, on each of the layers below actors.
/// for_each(send) offers this PE's messages, take(message) handles one. Collective.
#pragma once

#include "kernels/kernel.hpp"
#include "shoal/conveyor/conveyor.hpp"
#include "shoal/conveyor/kinds/exstack.hpp"
#include "shoal/conveyor/kinds/exstack2.hpp"

namespace shoal::kernels {

template <item Message, class ForEach, class Take>
void exchange_by_conveyor(world& w, ForEach for_each, Take take) {
  conveyor<Message> messages{w};
  const auto take_all = [&] {
    while (const Message* m = messages.pull()) take(*m);
  };
  messages.begin();
  for_each([&](pe_id owner, Message m) {
    while (!messages.push(m, owner)) {
      messages.advance(false);
      take_all();
    }
  });
  while (messages.advance(true) != progress::complete) take_all();
  messages.reset();
}

/// A PE whose buffer is full waits for all PEs to exchange theirs.
template <item Message, class ForEach, class Take>
void exchange_by_exstack(world& w, ForEach for_each, Take take) {
  exstack<Message> messages{w, exstack_capacity};
  const auto exchange = [&](bool is_done) {
    if (!messages.proceed(is_done)) return false;
    messages.exchange();
    while (const Message* m = messages.pull()) take(*m);
    return true;
  };
  for_each([&](pe_id owner, Message m) {
    while (messages.push(m, owner) == 0) exchange(false);
  });
  exchange(false);  // what is left in the buffers
  while (exchange(true)) {
  }
  messages.reset();
}

/// A buffer leaves when it is full, and nobody waits for all PEs.
template <item Message, class ForEach, class Take>
void exchange_by_exstack2(world& w, ForEach for_each, Take take) {
  exstack2<Message> messages{w, exstack_capacity};
  const auto take_all = [&] {
    while (const Message* m = messages.pull()) take(*m);
  };
  for_each([&](pe_id owner, Message m) {
    while (messages.push(m, owner) == 0) {
      messages.proceed(false);
      take_all();
    }
  });
  while (messages.proceed(true)) take_all();
  messages.reset();
}

}  // namespace shoal::kernels
