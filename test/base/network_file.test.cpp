// Goal: a file of a network's figures is read as it is written, and whatever is wrong in one is named with its line.
#include "shoal/base/internal/network_file.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

#include "shoal/base/setup_error.hpp"

namespace shoal {

using namespace internal;
namespace {

constexpr const char* complete = R"(# A comment.
name = two hosts, Open MPI

[node]
latency_ns = 250 +- 10
overhead_ns = 90.4 +- 2
gap_ns=40
  ns_per_byte = 0.09 +- 0.01
[network]
latency_ns = 180000
overhead_ns = 10000
gap_ns = 1000
ns_per_byte = 8
overhead_ns_per_byte = 0.25 +- 0.1
jitter_ns = 25000
carrier_ns = 8000
carrier_ns_per_byte = 0.5
[item]
push_ns = 2.25 +- 0.5
relay_ns = 7
handling_ns = 1
)";

constexpr const char* one_section = "[network]\nlatency_ns = 1\noverhead_ns = 2\ngap_ns = 3\nns_per_byte = 4\n";

constexpr const char* what = "SHOAL_NETWORK=f";

std::string with_one_section(std::string_view more) {
  std::string text = one_section;
  text.append(more);
  return text;
}

// What follows the name of the variable and its value.
std::string refusal_of(const std::string& text) {
  try {
    parse_network_figures(text, what);
  } catch (const setup_error& error) {
    const std::string told = error.what();
    return told.starts_with(what) ? told.substr(std::string_view(what).size()) : "does not begin with " + told;
  }
  return "accepted";
}

TEST(network_file, has_the_figures_of_both_classes) {
  const network_figures read = parse_network_figures(complete, "f");
  EXPECT_EQ(read.name, "two hosts, Open MPI");
  EXPECT_EQ(read.node, (link_figures{250, 90, 40, 0.09}));
  EXPECT_EQ(read.network, (link_figures{180'000, 10'000, 1000, 8, 0.25}));
  EXPECT_EQ(read.jitter_ns, 25'000u);
  EXPECT_EQ(read.carrier, (carrier_figures{8000, 0.5}));
  EXPECT_EQ(read.item, (item_figures{2.25, 7, 1}));
}

TEST(network_file, may_have_one_class_only) {
  const network_figures read = parse_network_figures(one_section, "f");
  EXPECT_EQ(read.network, (link_figures{1, 2, 3, 4}));
  EXPECT_FALSE(read.node.has_value());
  EXPECT_EQ(read.jitter_ns, 0u);
  EXPECT_FALSE(read.item.has_value());
}

TEST(network_file, names_the_line_of_what_is_wrong) {
  EXPECT_EQ(refusal_of(""), ": has neither a section [node] nor [network]; `shoal network-bench` writes such a file");
  EXPECT_EQ(refusal_of("[node]\nlatency_ns = 5\n"), ", line 2: the section that ends here lacks overhead_ns");
  EXPECT_EQ(refusal_of("[nodes]\n"), ", line 1: '[nodes]' is no section; choose [node], [network] or [item]");
  EXPECT_EQ(refusal_of(with_one_section("[network]\n")), ", line 6: [network] is there twice");
  EXPECT_EQ(refusal_of("\nlatency_ns = 5\n"), ", line 2: latency_ns belongs into a section, [node] or [network]");
  EXPECT_EQ(refusal_of("[node]\nspeed = 5\n"),
            ", line 2: 'speed' is unknown; choose latency_ns, overhead_ns, gap_ns, ns_per_byte, overhead_ns_per_byte, "
            "jitter_ns, carrier_ns, "
            "carrier_ns_per_byte, push_ns, relay_ns or handling_ns or, at the top, name");
  EXPECT_EQ(refusal_of("[node]\ngap_ns = 5\ngap_ns = 5\n"), ", line 3: gap_ns is there twice in this section");
  EXPECT_EQ(refusal_of("[node]\njitter_ns = 5\n"), ", line 2: jitter_ns belongs into [network]");
  EXPECT_EQ(refusal_of("[node]\npush_ns = 5\n"), ", line 2: push_ns belongs into [item]");
  EXPECT_EQ(refusal_of("[item]\ngap_ns = 5\n"), ", line 2: gap_ns belongs into a section, [node] or [network]");
  EXPECT_EQ(refusal_of("[item]\npush_ns = 5\n"), ", line 2: the section that ends here lacks relay_ns");
  EXPECT_EQ(refusal_of("[item]\npush_ns = 5\nrelay_ns = 5\nhandling_ns = 5\n[item]\n"),
            ", line 5: [item] is there twice");
  EXPECT_EQ(refusal_of(with_one_section("jitter_ns = 2\n")), ": jitter_ns is more than latency_ns in [network]");
  EXPECT_EQ(refusal_of("\x1b[31m = 5\n").find('\x1b'), std::string::npos);
}

TEST(network_file, has_numbers_with_errors_that_are_numbers) {
  for (const char* const bad : {"", "x", "-1", "1e13", "nan", "5 +- x", "5 +- -1", "5 6", "inf"}) {
    std::string text = "[node]\nlatency_ns = ";
    const std::string refusal = refusal_of(text.append(bad).append("\n"));
    EXPECT_EQ(refusal.find(", line 2: latency_ns"), 0u) << bad << ": " << refusal;
  }
}

TEST(network_file, of_the_documentation_is_read) {
  std::ostringstream page;
  page << std::ifstream(std::string(std::getenv("SHOAL_SOURCE")) + "/docs/network-bench.md").rdbuf();
  const std::string text = page.str();
  const std::size_t begin = text.find("```\nname =") + 4;
  const network_figures read = parse_network_figures(text.substr(begin, text.find("```", begin) - begin), "f");
  EXPECT_EQ(read.network, (link_figures{1800, 310, 150, 0.081, 0.05}));
  EXPECT_TRUE(read.node.has_value());
}

TEST(network_file, that_cannot_be_read_is_named) {
  const auto refusal = [](const std::string& path) -> std::string {
    try {
      read_network_file(path, "SHOAL_NETWORK");
    } catch (const setup_error& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(
      refusal("/nowhere"),
      "SHOAL_NETWORK=/nowhere: cannot be read (No such file or directory); `shoal network-bench` writes such a file");
  EXPECT_EQ(refusal("/").find("SHOAL_NETWORK=/: cannot be read (Is a directory)"), 0u) << refusal("/");
  EXPECT_EQ(refusal("/dev/zero"), "SHOAL_NETWORK=/dev/zero: is too long for a file of a network's figures");
}

TEST(network_file, of_each_profile_is_read) {
  const std::filesystem::path folder = std::filesystem::path(std::getenv("SHOAL_SOURCE")) / "networks";
  int n = 0;
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    const network_figures read = read_network_file(file.path().string(), "f");
    EXPECT_EQ(read.name, file.path().stem().string());
    EXPECT_TRUE(read.network.has_value());
    ++n;
  }
  EXPECT_EQ(n, 6);
}

}  // namespace
}  // namespace shoal
