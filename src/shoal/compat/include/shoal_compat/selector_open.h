/* Part of selector.h and selector-mb.h: what their inlined sends write into, and the library's functions. */
#ifndef SHOAL_SELECTOR_OPEN_H
#define SHOAL_SELECTOR_OPEN_H

#include <stddef.h>
#include <stdint.h>

extern "C" {

/* The sending end of the link to one PE. */
struct shoal_mailbox_link {
  char* cursor; /* where the next packet goes */
  char* limit; /* equal to it: no room */
  const struct shoal_lambda_kind* kind; /* of lambdas that fit before the limit */
  void* other;
};

/* A word that is stored one send later. */
struct shoal_held_word {
  uint64_t bytes;
  uint64_t unused;
  uint64_t nowhere;
  char* at;
};

/* What sends of a mailbox read. The library fills it. */
struct shoal_mailbox_open {
  struct shoal_mailbox_link* links; /* by PE */
  uint64_t n_direct; /* 0: no inlined send is possible now */
  struct shoal_held_word* held;
  struct shoal_mailbox* inside; /* null: of no selector */
};

/* Calls handlers for the packets from `first` on, up to where `*end` says at each of them. Returns where it stopped. */
typedef const char* (*shoal_run_packets)(void* mailbox, const char* first, const char* const* end, int from);

/* The type of a lambda. The same on all PEs but for addresses, since all run one program. */
struct shoal_lambda_kind {
  uint32_t number; /* on the wire; 0: not yet known here */
  uint32_t bytes;
  uint32_t align;
  uint32_t mark; /* shoal_lambda_mark */
  shoal_run_packets run;
};
enum { shoal_lambda_mark = 0x53484c42 };

/* --- Selectors. `ended` is called with `owner` once all mailboxes have ended here. */

struct shoal_selector* shoal_selector_make(int n_mailboxes, void* owner, void (*ended)(void* owner), int** global_done,
                                           int** local_done);
/* Mailbox `index` is `mailbox`, whose packets `run` takes; packet_bytes 0: lambdas. */
void shoal_selector_enter(struct shoal_selector* its, int index, struct shoal_mailbox_open* open, void* mailbox,
                          size_t packet_bytes, size_t packet_align, shoal_run_packets run);
void shoal_selector_start(struct shoal_selector* its); /* Collective */
void shoal_selector_free(struct shoal_selector* its); /* Local */
void shoal_selector_done(struct shoal_selector* its, int index);
void shoal_selector_done_extended(struct shoal_selector* its, int index);
void shoal_selector_global_done(struct shoal_selector* its);
void shoal_selector_initiate_global_done(struct shoal_selector* its);
void shoal_selector_print_profiling(struct shoal_selector* its, const char* prefix);

/* --- Mailboxes. A send that the header could not finish. False: not now, of a mailbox with early exit. */

bool shoal_mailbox_send(struct shoal_mailbox* its, const void* packet, int pe);
bool shoal_mailbox_send_lambda(struct shoal_mailbox* its, struct shoal_lambda_kind* kind, const void* lambda, int pe);
void shoal_mailbox_set_early_exit(struct shoal_mailbox* its, bool is_early);
/* The graph of ends: mailbox `index` of the same selector ends after this one. `by_done`: `done` follows the graph, too. */
void shoal_mailbox_add_successor(struct shoal_mailbox* its, int index, bool by_done);
void shoal_mailbox_add_predecessor(struct shoal_mailbox* its, int index);
int shoal_mailbox_n_predecessors(const struct shoal_mailbox* its);
bool shoal_mailbox_is_done(const struct shoal_mailbox* its);
void shoal_refuse_mailbox_without_process(const struct shoal_mailbox* its);

/* --- Addresses of symmetric objects, as a number that is the same on all PEs. */

size_t shoal_symmetric_offset(const void* address);
void* shoal_symmetric_address(size_t offset);

/* What a program asks for: traces of sends, of the processor's counters and of buffers; times. */
enum { shoal_trace_sends = 1, shoal_trace_counters = 2, shoal_trace_buffers = 4, shoal_trace_times = 8 };
/* Says once on PE 0 where those of these kinds will be. `name`: part of the names of files, or NULL. */
void shoal_tell_of_traces(unsigned kinds, const char* name);

} /* extern "C" */

#endif
