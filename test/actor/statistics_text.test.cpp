// Goal: the three forms say what was collected; exactly, but for the table.
#include "shoal/actor/internal/statistics_text.hpp"

#include <gtest/gtest.h>

#include <locale>
#include <string>

namespace shoal::internal {
namespace {

job_statistics example() {
  stream_counts heavy;
  heavy.n_sent = 160;
  heavy.n_handled = 160;
  heavy.n_combined = 8;
  heavy.n_buffers = 8;
  heavy.n_bytes = 3 << 20;
  heavy.n_received = 9;
  heavy.n_waits = 5;
  heavy.n_spills = 6;
  heavy.n_encoded = 7;
  heavy.n_spared = 1 << 19;
  heavy.handling_ns = 1'500'001;
  heavy.buffer_bytes_most = 1 << 21;
  heavy.monster_bytes_most = 123;
  return {.world = 2,
          .substrate = "local",
          .is_simulated = false,
          .n_pes = 2,
          .payload_bytes = 1 << 19,
          .budget_bytes = 1 << 24,
          .n_hops = 1,
          .n_hop_changes = 0,
          .buffer_bytes_most = 1 << 22,
          .times = {{1'000'000, 2'000'000, 500'000, 1'500'000, 0}, {1'000'000, 0, 3'999'999, 1, 0}},
          .streams = {{{"actor \"x\", 1\n", 3, 0, heavy}, {120, 1}, {1'500'000, 0}}}};
}

TEST(statistics_text, imbalance_is_largest_over_mean) {
  EXPECT_EQ(imbalance({120, 1}, 160, 2), 1.5);
  EXPECT_EQ(imbalance({5, 0}, 5, 1), 1);
  EXPECT_EQ(imbalance({5, 3}, 5, 4), 4);
  EXPECT_EQ(imbalance({}, 0, 4), 0);
}

TEST(statistics_text, is_a_table) {
  EXPECT_EQ(
      statistics_as_table(example()),
      "shoal: mailboxes and conveyors, summed over 2 PEs; what was held at once is of the PE that held most\n"
      "        messages     buffers         MiB  fill%    waits   spills  MiB spared   MiB held  MiB monsters   "
      "handlers ms  imb.msgs  imb.time  mailbox\n"
      "             160           8         3.0   75.0        5        6         0.5       2.00          0.00         "
      "1.500      1.50      2.00  actor \"x\", 1\\n (8 more combined)\n"
      "shoal: time of 2 PEs; the PE is the one that spent most on it\n"
      "         mean ms     most ms       on PE  time%  spent on\n"
      "           0.750       1.500           0   15.0  handlers\n"
      "           1.000       2.000           0   20.0  main program, in supersteps\n"
      "           1.000       1.000           0   20.0  main program, outside\n"
      "           2.250       4.000           1   45.0  waiting\n"
      "           5.000       5.000           0  100.0  all of these\n"
      "shoal: buffers of a PE held at most 4.00 of 16.00 MiB at once\n");
}

TEST(statistics_text, says_how_hops_changed_and_what_is_simulated) {
  job_statistics all = example();
  all.n_hop_changes = 3;
  all.n_hops = 2;
  all.is_simulated = true;
  all.streams[0].of.position = 2;
  const std::string table = statistics_as_table(all);
  EXPECT_NE(table.find("\nshoal: hops of actors' messages changed 3 times, to 2 in the end\n"), std::string::npos);
  EXPECT_NE(table.find("\nshoal: time of 2 PEs, simulated; "), std::string::npos);
  EXPECT_NE(table.find("1\\n, hop 2 (8 more combined)\n"), std::string::npos);
}

TEST(statistics_text, says_what_was_known_of_links) {
  job_statistics all = example();
  EXPECT_EQ(statistics_as_table(all).find("costs of links"), std::string::npos) << "guesses";
  all.links.network = {1500, 300, 40, 0.0625};
  all.links.origin = figures_origin::probe;
  EXPECT_NE(statistics_as_table(all).find(
                "\nshoal: costs of links (measured at the start): latency 1500 ns, overhead 300 ns, "
                "gap 40 ns and 0.062 ns a byte\n"),
            std::string::npos)
      << statistics_as_table(all);
}

TEST(statistics_text, is_csv) {
  const std::string names =
      "record,world,substrate,clock,pes,buffer_payload_bytes,budget_bytes,buffers_held_bytes_max,hops,hop_changes,pe,"
      "whole_ns,handlers_ns,relays_ns,main_in_supersteps_ns,main_outside_ns,waiting_ns,mailbox,serial,hop,sent,handled,"
      "handled_max,handled_max_pe,handled_imbalance,handling_ns,handling_ns_max,handling_ns_max_pe,handling_imbalance,"
      "buffers,bytes,buffers_received,waits,spills,buffers_encoded,spared_bytes,held_bytes_max,monster_bytes_max,"
      "combined\n";
  const std::string records =
      "job,2,\"local\",\"machine\",2,524288,16777216,4194304,1,0,,,,,,,,,,,,,,,,,,,,,,,,,,,,,\n"
      "pe,2,,,,,,,,,0,5000000,1500000,0,2000000,1000000,500000,,,,,,,,,,,,,,,,,,,,,,\n"
      "pe,2,,,,,,,,,1,5000000,1,0,0,1000000,3999999,,,,,,,,,,,,,,,,,,,,,,\n"
      "mailbox,2,,,,,,,,,,,,,,,,\"actor \"\"x\"\", 1\n\",3,0,160,160,120,1,1.5,1500001,1500000,0,1.9999986666675555,8,"
      "3145728,9,5,6,7,524288,2097152,123,8\n";
  EXPECT_EQ(statistics_as_csv(example(), true), names + records);
  EXPECT_EQ(statistics_as_csv(example(), false), records);
}

TEST(statistics_text, is_json) {
  EXPECT_EQ(
      statistics_as_json(example()),
      "{\"world\":2,\"substrate\":\"local\",\"clock\":\"machine\",\"pes\":2,\"buffer_payload_bytes\":524288,"
      "\"budget_bytes\":16777216,\"buffers_held_bytes_max\":4194304,\"hops\":1,\"hop_changes\":0,\"times\":["
      "{\"pe\":0,\"whole_ns\":5000000,\"handlers_ns\":1500000,\"relays_ns\":0,\"main_in_supersteps_ns\":2000000,"
      "\"main_outside_ns\":1000000,\"waiting_ns\":500000},"
      "{\"pe\":1,\"whole_ns\":5000000,\"handlers_ns\":1,\"relays_ns\":0,\"main_in_supersteps_ns\":0,"
      "\"main_outside_ns\":1000000,\"waiting_ns\":3999999}],\"mailboxes\":["
      "{\"mailbox\":\"actor \\\"x\\\", 1\\u000a\",\"serial\":3,\"hop\":0,\"sent\":160,\"handled\":160,"
      "\"handled_max\":120,\"handled_max_pe\":1,\"handled_imbalance\":1.5,\"handling_ns\":1500001,"
      "\"handling_ns_max\":1500000,\"handling_ns_max_pe\":0,\"handling_imbalance\":1.9999986666675555,\"buffers\":8,"
      "\"bytes\":3145728,\"buffers_received\":9,\"waits\":5,\"spills\":6,\"buffers_encoded\":7,"
      "\"spared_bytes\":524288,\"held_bytes_max\":2097152,\"monster_bytes_max\":123,\"combined\":8}]}\n");
}

// Items that nobody handles by the end of a conveyor, or that it never pulled, have no imbalance.
TEST(statistics_text, leaves_out_what_is_unknown) {
  job_statistics all = example();
  all.streams[0].of.counts.n_handled = 0;
  all.streams[0].of.counts.handling_ns = 0;
  EXPECT_NE(statistics_as_json(all).find("\"handled_imbalance\":null,"), std::string::npos);
  EXPECT_NE(statistics_as_csv(all, false).find(",160,0,120,1,,0,1500000,0,,8,"), std::string::npos);
  all.streams.clear();
  EXPECT_TRUE(statistics_as_json(all).ends_with(",\"mailboxes\":[]}\n"));
  EXPECT_TRUE(statistics_as_table(all).starts_with("shoal: time of 2 PEs"));
}

TEST(statistics_text, is_utf8_whatever_the_name_holds) {
  job_statistics all = example();
  all.streams[0].of.name = "\xff\x1b";
  EXPECT_NE(statistics_as_json(all).find("{\"mailbox\":\"\xef\xbf\xbd\\u001b\","), std::string::npos);
  EXPECT_NE(statistics_as_csv(all, false).find(",\"\xef\xbf\xbd\x1b\","), std::string::npos);
  EXPECT_NE(statistics_as_table(all).find("  \\xff\\x1b (8 more combined)\n"), std::string::npos);
}

}  // namespace
}  // namespace shoal::internal
