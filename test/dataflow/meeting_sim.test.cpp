// Goal: the channels of an actor that moves to the PE of its neighbour need no messages any more.
// Method: two actors in the simulator that answer each other, one of which moves to the other and away again; where their ends say that
// the other one is.
// labels: sim
#include <gtest/gtest.h>

#include <string>

#include "shoal/dataflow.hpp"
#include "shoal/dataflow/internal/channel_end.hpp"
#include "shoal/shoal.hpp"
#include "test/support/jobs.hpp"

namespace shoal::test {
namespace {

// Reads numbers and answers each by the next one. One of two begins, and moves.
class answering_actor final : public dataflow::actor {
public:
  explicit answering_actor(bool begins) : begins_(begins) {}

  void serialize(auto& archive) { archive(n_, n_near_); }
  int n() const { return n_; }
  int n_near() const { return n_near_; }

private:
  void start() override {
    if (begins_) out_.write(0);
  }
  void act() override {
    while (in_.available() > 0 && out_.free_capacity() > 0) {
      n_ = in_.read();
      home().charge_ns(1'000);  // requests to move take some, too
      if (node().inputs().front()->near_writer() != nullptr && node().outputs().front()->near_reader() != nullptr)
        ++n_near_;
      if (n_ < 1000) out_.write(n_ + 1);
      if (n_ >= 999) return finish();
      if (begins_ && n_ == 301) its_graph().move(name(), 1);
      if (begins_ && n_ == 701) its_graph().move(name(), 0);
    }
  }

  dataflow::in_port<int> in_{*this, "in"};
  dataflow::out_port<int> out_{*this, "out"};
  const bool begins_;
  int n_ = 0;
  int n_near_ = 0;  // acts in which the other actor was near
};

TEST(meeting, channels_of_one_pe_need_no_messages) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    run_job(simulated(2, seed), [](world& w) {
      dataflow::graph graph(w);
      if (w.my_pe() == 0) {
        graph.add<answering_actor>({"asks", 1, 0}, true);
        graph.add<answering_actor>({"answers", 1, 1}, false);
        graph.connect({"asks", "out"}, {"answers", "in"});
        graph.connect({"answers", "out"}, {"asks", "in"});
      }
      graph.run();
      for (const std::string name : {"asks", "answers"}) {
        const auto* const its = graph.find<answering_actor>(name);
        EXPECT_EQ(its != nullptr, w.my_pe() == (name == "asks" ? 0 : 1)) << name;
        if (its == nullptr) continue;
        EXPECT_GE(its->n(), 999);
        EXPECT_GT(its->n_near(), 150) << name << " of 200";
        EXPECT_LE(its->n_near(), 210) << name;
      }
    });
  }
}

}  // namespace
}  // namespace shoal::test
