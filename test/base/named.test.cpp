// Goal: a choice is found by its exact name only, and messages list the choices.
#include "shoal/base/internal/named.hpp"

#include <gtest/gtest.h>

#include <array>

namespace shoal {

using namespace internal;
namespace {

enum class fish { cod, eel, ray };

struct entry {
  fish id;
  std::string_view name;
};

constexpr std::array<entry, 3> fishes = {{{fish::cod, "cod"}, {fish::eel, "eel"}, {fish::ray, "ray"}}};

TEST(named, entries_are_found_by_their_whole_names) {
  ASSERT_NE(find_named(fishes, "eel"), nullptr);
  EXPECT_EQ(find_named(fishes, "eel")->id, fish::eel);
  for (const char* other : {"", "ee", "eels", "EEL"}) EXPECT_EQ(find_named(fishes, other), nullptr) << other;
}

TEST(named, enumerators_have_entries) {
  static_assert(entry_of(fishes, fish::ray).name == "ray");
  EXPECT_EQ(entry_of(fishes, fish::cod).name, "cod");
}

TEST(named, choices_read_as_a_sentence) {
  const auto but = [](fish left_out) {
    return choice_of(fishes, [=](const entry& e) { return e.id == left_out ? std::string_view() : e.name; });
  };
  EXPECT_EQ(choice_of(fishes), "cod, eel or ray");
  EXPECT_EQ(but(fish::ray), "cod or eel");
  EXPECT_EQ(choice_of(fishes, [](const entry& e) { return e.id == fish::eel ? "eel" : ""; }), "eel");
}

}  // namespace
}  // namespace shoal
