/// Decides what becomes of lambdas of HClib: one packet type a selector, which all its mailboxes share.
#pragma once

#include <string>
#include <vector>

#include "tools/translate/program.hpp"

namespace shoal::translate {

/// A field of the packet. Values that no handler needs at the same time share it.
struct slot {
  std::string name;
  std::string type;
  std::size_t bytes = 0;
  std::size_t alignment = 0;
};

struct handler_plan {
  std::string name;
  std::vector<std::size_t> slots;  // by capture; none: it is not sent
  std::vector<std::string> texts;  // by capture, what the handler writes for it
  bool uses_sender = false;
  int kind = -1;  // which lambda of its mailbox; -1: the only one
};

struct hclib_member {
  std::string name;
  std::string type;
};

struct hclib_plan {
  const hclib_selector* of = nullptr;
  std::string name;
  std::string packet;
  std::string packet_name;  // parameter of handlers
  std::string sender_name;
  std::string kind_name;  // field of the packet that tells lambdas of a mailbox apart; empty: none does
  std::size_t bytes = 0;  // of a packet
  std::vector<slot> slots;
  std::vector<handler_plan> handlers;  // by closure
  std::vector<hclib_member> members;
};

/// For all selectors, or for none: then `of` has a refusal.
std::vector<hclib_plan> plan_hclib(program& of);

/// Algorithm 2 of the paper, for all types: the fewest slots of each, by what each closure captures, which stays where its
/// parent had it. Adds to `slots`; gives the slot of each capture of each closure.
std::vector<std::vector<std::size_t>> assign_slots(const std::vector<closure>& closures, std::vector<slot>& slots);

}  // namespace shoal::translate
