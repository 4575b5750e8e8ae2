/// What a selector of HClib-Actor points to: its mailboxes, and in which order they end.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "shoal/compat/internal/finish_scope.hpp"
#include "shoal/compat/internal/live_selectors.hpp"
#include "shoal/compat/internal/mailbox_flow.hpp"
#include "shoal/compat/internal/process_world.hpp"

/// The names are those of the header. A mailbox on this PE.
struct shoal_mailbox {
  shoal_selector* of = nullptr;
  int index = 0;
  shoal_mailbox_open* open = nullptr;  // the header's part
  shoal::internal::compat::mailbox_form form;
  std::unique_ptr<shoal::internal::compat::mailbox_flow> flow;  // from start to end
  bool is_early = false;
  bool is_done = false;  // this PE sends no more
  bool has_ended = false;
  // Of the graph of ends, without edges to itself.
  std::vector<int> successors;
  int n_predecessors = 0;
  // Finishes that wait for the end of this mailbox: the one in which it was started, and those in which it was done. The latter
  // wait for what is done because this one has ended, too.
  shoal::internal::compat::finish_scope* of_start = nullptr;
  std::vector<shoal::internal::compat::finish_scope*> of_done;
};

/// Mailboxes end one after the other: in a chain, each `done` on the one before; or along a graph that the program declares;
/// or all together after global_done.
struct shoal_selector {
  /// Collective, as its start. Does not wait, but for the first of a job.
  shoal_selector(int n_mailboxes, void* owner, void (*ended)(void*));
  ~shoal_selector();
  shoal_selector(const shoal_selector&) = delete;
  shoal_selector& operator=(const shoal_selector&) = delete;

  /// Throws setup_error.
  void start();
  bool is_live() const noexcept { return has_started_ && n_ended_ < mailboxes.size(); }

  /// How a mailbox's end goes on.
  enum class way_on : std::uint8_t { chain, graph, nowhere };
  /// For the program. The finish that is open waits for what follows.
  void done(shoal_mailbox& its, way_on then);
  /// `done` follows the graph, since it was declared so.
  void follow_graph() noexcept { done_follows_graph_ = true; }
  way_on way_of_done() const noexcept { return done_follows_graph_ ? way_on::graph : way_on::chain; }
  void global_done();
  void initiate_global_done();

  /// Ends mailboxes that have nothing left. Returns whether it ended any, or noted a call of global_done. Not in a handler. Local, does
  /// not wait.
  bool settle();

  /// Line of text: "mailbox 1 of selector 3".
  std::string describe(const shoal_mailbox& its) const;

  std::vector<shoal_mailbox> mailboxes;
  shoal::internal::compat::selector_words* words = nullptr;

private:
  void close(shoal_mailbox& its) noexcept;
  void follow(const shoal_mailbox& ended, shoal_mailbox& next);
  void note_global_done() noexcept;
  void end(shoal_mailbox& its);
  void go_on_after(const shoal_mailbox& its);
  void end_all();
  void give_up() noexcept;  // the job ends

  void* const owner_;
  void (*const ended_)(void* owner);
  const std::uint64_t number_;
  bool has_started_ = false;
  bool done_follows_graph_ = false;
  way_on then_ = way_on::chain;
  std::size_t n_ended_ = 0;
  const shoal::internal::compat::end_with_job end_with_job_{
      [](void* its) noexcept { static_cast<shoal_selector*>(its)->give_up(); }, this};
};
