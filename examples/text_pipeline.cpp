// Counts the words of text files in a pipeline: readers, cutters, counters, each on some PE. A reader lives as long as its file; the
// library adds the next one when its cutter is free.
//     text_pipeline [FILE…]    without files, a text of its own
// pes: 1 2 3 4 7
#include <unistd.h>

#include <cctype>
#include <cstdio>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <shoal/dataflow.hpp>
#include <shoal/shoal.hpp>

namespace {

namespace dataflow = shoal::dataflow;
using texts = std::vector<std::string>;
using counts = std::map<std::string, long>;

constexpr int n_cutters = 2;
constexpr int n_counters = 3;
constexpr std::size_t lines_of_token = 32;

template <class Port>
struct ports {
  ports(dataflow::actor& of, const std::string& name, int n) {
    for (int i = 0; i < n; ++i) all.push_back(std::make_unique<Port>(of, name + std::to_string(i)));
  }
  std::vector<std::unique_ptr<Port>> all;
};

texts words_of(const std::string& line) {
  texts words(1);
  for (const char c : line) {
    if (std::isalpha(static_cast<unsigned char>(c)) != 0) {
      words.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    } else if (!words.back().empty()) {
      words.emplace_back();
    }
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

// Its file is open as long as it lives. What it has written is read after it has left.
class reader final : public dataflow::actor {
public:
  explicit reader(const std::string& file) : file_(file) {}

private:
  void act() override {
    while (out_.free_capacity() > 0) {
      texts lines;
      for (std::string line; lines.size() < lines_of_token && std::getline(file_, line);) lines.push_back(line);
      if (lines.empty()) return leave();
      out_.write(std::move(lines));
    }
  }

  dataflow::out_port<texts> out_{*this, "lines"};
  std::ifstream file_;
};

// Takes the lines of one reader after the other, and deals words to the counters.
class cutter final : public dataflow::actor {
  void act() override {
    while (in_.available() > 0 && have_room()) cut(in_.read());
    if (in_.available() > 0 || !in_.has_writer_finished()) return;
    in_.close();  // the library connects it to another reader
    free_.write(true);
  }
  void start() override { free_.write(true); }

  bool have_room() const {
    for (const auto& each : out_.all) {
      if (each->free_capacity() == 0) return false;
    }
    return true;
  }
  void cut(const texts& lines) {
    std::vector<texts> words(n_counters);
    for (const std::string& line : lines) {
      for (std::string& word : words_of(line)) words[std::hash<std::string>()(word) % n_counters].push_back(word);
    }
    for (int i = 0; i < n_counters; ++i)
      out_.all[static_cast<std::size_t>(i)]->write(words[static_cast<std::size_t>(i)]);
  }

  dataflow::in_port<texts> in_{*this, "lines", dataflow::port_need::optional};
  dataflow::out_port<bool> free_{*this, "free"};
  ports<dataflow::out_port<texts>> out_{*this, "counter ", n_counters};
};

class counter final : public dataflow::actor {
public:
  const counts& found() const { return found_; }

private:
  void act() override {
    bool are_done = true;
    for (const auto& each : in_.all) {
      while (each->available() > 0) {
        for (const std::string& word : each->read()) ++found_[word];
      }
      are_done &= each->has_writer_finished() && each->available() == 0;
    }
    if (are_done) finish();
  }

  ports<dataflow::in_port<texts>> in_{*this, "cutter ", n_cutters};
  counts found_;
};

// [library]
// Gives each free cutter a reader of the next file. When there is none, the cutter may go.
class library final : public dataflow::actor {
public:
  explicit library(const texts& files) : files_(files) {}

private:
  void act() override {
    for (int i = 0; i < n_cutters; ++i) {
      auto& free = *free_.all[static_cast<std::size_t>(i)];
      while (free.available() > 0) {
        free.read();
        const std::string its_cutter = "cutter " + std::to_string(i);
        if (n_read_ == files_.size()) {
          its_graph().remove(its_cutter);
          ++n_gone_;
          continue;
        }
        const std::string name = "reader " + std::to_string(n_read_);
        its_graph().add<reader>(name, files_[n_read_++]);
        its_graph().connect({name, "lines"}, {its_cutter, "lines"}, {.capacity = 4});
      }
    }
    if (n_gone_ == n_cutters) finish();
  }

  ports<dataflow::in_port<bool>> free_{*this, "free ", n_cutters};
  const texts files_;
  std::size_t n_read_ = 0;
  int n_gone_ = 0;
};
// [/library]

void declare(dataflow::graph& graph, const texts& files) {
  graph.add<library>("library", files);
  for (int k = 0; k < n_counters; ++k) graph.add<counter>("counter " + std::to_string(k));
  for (int i = 0; i < n_cutters; ++i) {
    const std::string name = "cutter " + std::to_string(i);
    graph.add<cutter>(name);
    graph.connect({name, "free"}, {"library", "free " + std::to_string(i)}, {.capacity = 2});
    for (int k = 0; k < n_counters; ++k) {
      const std::string to = "counter " + std::to_string(k);
      graph.connect({name, to}, {to, name}, {.capacity = 4});
    }
  }
}

// A text whose words are known.
texts own_files() {
  texts files;
  for (int i = 0; i < 5; ++i) {
    files.push_back("/tmp/text_pipeline." + std::to_string(::getpid()) + "." + std::to_string(i));
    std::ofstream file(files.back());
    for (int line = 0; line < 40 * (i + 1); ++line)
      file << "A shoal of fish, one of " << (line % 2 == 0 ? "many" : "few") << ".\n";
  }
  return files;
}

int body(shoal::world& world, const texts& given) {
  texts files = given;
  if (world.my_pe() == 0 && given.empty()) files = own_files();
  dataflow::graph graph(world);
  if (world.my_pe() == 0) declare(graph, files);
  graph.place(dataflow::placement::cyclic());
  graph.run();

  shoal::per_pe<counts> all(world);
  world.finish([&] {
    graph.for_each<counter>([&](const counter& its) {
      world.send(
          0,
          [to = all.handle()](const counts& found) {
            for (const auto& [word, n] : found) (*to)[word] += n;
          },
          its.found());
    });
  });
  if (world.my_pe() != 0) return 0;
  for (const auto& [word, n] : *all) std::printf("%6ld %s\n", n, word.c_str());
  if (!given.empty()) return 0;
  for (const std::string& each : files) ::unlink(each.c_str());
  return (*all)["of"] == 1200 && (*all)["many"] == 300 && all->size() == 7 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  return shoal::run(argc, argv, [&](shoal::world& world) { return body(world, texts(argv + 1, argv + argc)); });
}
