/* Counting waves over a tree, for Spin: the protocol of docs/design/control-plane.md.
 *
 * N PEs run one program. Its messages belong to scopes, 0 to SCOPES - 1. Each scope has a wave of its own, which finds
 * out when the scope has ended. wave_model.test.py chooses the sizes and the mutants by -D:
 *
 *   N         number of PEs, 2 to 4
 *   TREE      STAR: the others are children of PE 0; CHAIN: each is the child of the previous one; FORK: 0-{1,2}, 1-{3}
 *   SCOPES    number of scopes, 1 to 3
 *   MESSAGES  how many messages the program may send, each in any scope
 *   ROOM      how many control messages a PE has room for, all senders together
 *   RESTING   no main program sends anything
 *   RELAXED   checks no assertion but `quiet`, for mutants that break others first
 *
 * What must hold:
 *   quiet      a PE learns that a scope has ended only if nothing of it runs, is under way, or can still be sent
 *   one        no edge of the tree ever carries two messages of one wave
 *   in step    a message meets its receiver in the same generation, so that a wave needs one accumulator for each PE
 *   soon       a wave ends with the second generation after the one that is open when the program comes to rest
 *   no PE waits for ever, however little room there is (Spin: no invalid end state)
 *   all_end    every PE learns the end of every scope, as the program rests at last (Spin: no acceptance cycle)
 */

#define STAR 0
#define CHAIN 1
#define FORK 2

#ifndef N
#define N 3
#endif
#ifndef TREE
#define TREE STAR
#endif
#ifndef SCOPES
#define SCOPES 1
#endif
#ifndef MESSAGES
#define MESSAGES 2
#endif
#ifndef ROOM
#define ROOM 1
#endif

/* Generations are counted modulo this. */
#if SCOPES == 1
#define GENERATIONS 4
#else
#define GENERATIONS 2
#endif

#define NONE 31                 /* no generation has been counted yet */

#if TREE == STAR
#define PARENT(pe) 0
#elif TREE == CHAIN
#define PARENT(pe) ((pe) - 1)
#else
#define PARENT(pe) ((pe) == 3 -> 1 : 0)
#endif

mtype = { up, down };

/* The program's messages: a scope each, in order between two PEs. */
chan message[N * N] = [MESSAGES + 1] of { byte };

/* Control messages: kind, scope, child at the edge's lower end, generation, messages sent, messages handled. */
chan control[N] = [ROOM] of { mtype, byte, byte, byte, byte, byte };

/* What a PE knows of a scope. */
typedef view {
  bit main_is_done;             /* its main program sends no more */
  byte n_running;               /* handlers that have begun and not ended */
  byte n_sent;
  byte n_handled;

  byte generation;              /* of the wave, modulo GENERATIONS */
  bit has_contributed;
  byte n_arrived;               /* children whose sums are in the accumulator */
  byte sum_sent;                /* the accumulator */
  byte sum_handled;
  bit owes_up;                  /* the accumulator is complete and waits for room at the parent */
  byte owes_down;               /* a bit for each child that has yet to be sent the result */
  byte all_sent;                /* the result */
  byte all_handled;
  byte last_handled;            /* of the result before; NONE if there is none */
  bit has_ended;
#if defined(STALE_COUNTS) || defined(COMPARE_BACKWARDS)
  byte old_sent;
  byte old_handled;
#endif
}
view at[N * SCOPES];
byte n_left;                    /* messages that the program may still send */
byte n_children[N];
byte children[N];               /* a bit for each */

/* Only for the properties. */
byte n_active[SCOPES];          /* main programs at work, messages under way, handlers running */
bit is_busy[N * SCOPES];        /* the edge from a PE to its parent carries a message of the scope's wave */
byte n_at_rest;                 /* generations that have ended since the program came to rest; with one scope */
byte n_ended;

#define MINE at[me * SCOPES + s]
#define VIEW(scope) at[me * SCOPES + scope]

/* --- The program */

inline send_message(target) {
  n_left--;
  n_active[s]++;
  MINE.n_sent++;
  message[me * N + target]!s
}

proctype program(byte me) {
  byte s, peer;
end:
  do
  :: atomic {                   /* the main program sends, or stops for good */
       if
       :: !VIEW(0).main_is_done -> s = 0
#if SCOPES > 1
       :: !VIEW(1).main_is_done -> s = 1
#endif
#if SCOPES > 2
       :: !VIEW(2).main_is_done -> s = 2
#endif
       fi;
       if
       :: n_left > 0 -> select(peer : 0 .. N - 1); send_message(peer)
       :: MINE.main_is_done = 1; n_active[s]--
       fi;
       peer = 0; s = 0
     }
  :: atomic {                   /* a handler begins */
       if
       :: message[0 * N + me]?s
       :: message[1 * N + me]?s
#if N > 2
       :: message[2 * N + me]?s
#endif
#if N > 3
       :: message[3 * N + me]?s
#endif
       fi;
#ifdef COUNT_ON_ARRIVAL
       MINE.n_handled++
#else
       MINE.n_running++
#endif
     }
     atomic {                   /* it may send on, and ends */
       do
       :: n_left > 0 -> select(peer : 0 .. N - 1); send_message(peer)
       :: break
       od;
#ifndef COUNT_ON_ARRIVAL
       MINE.n_running--;
       MINE.n_handled++;
#endif
       n_active[s]--;
       peer = 0; s = 0
     }
  od
}

/* --- The wave */

#ifdef RELAXED
#define CHECK(condition) skip
#else
#define CHECK(condition) assert(condition)
#endif

#ifdef JOIN_WHILE_SENDING
#define IS_IDLE(scope) (VIEW(scope).n_running == 0)
#else
#define IS_IDLE(scope) (VIEW(scope).main_is_done && VIEW(scope).n_running == 0)
#endif
#define MAY_CONTRIBUTE(scope) \
  (!VIEW(scope).has_ended && !VIEW(scope).has_contributed && !VIEW(scope).owes_up && IS_IDLE(scope))

#ifdef NOT_ALL_CHILDREN
#define HAS_ALL_CHILDREN (MINE.n_arrived + 1 >= n_children[me])
#else
#define HAS_ALL_CHILDREN (MINE.n_arrived == n_children[me])
#endif

#if defined(NO_CONFIRMING_WAVE)
#define IS_OVER (MINE.all_sent == MINE.all_handled)
#elif defined(COMPARE_BACKWARDS)
#define IS_OVER (MINE.all_sent == 0 || MINE.old_sent == MINE.all_handled)
#elif defined(NOTHING_HANDLED)
#define IS_OVER (MINE.all_handled == 0 || MINE.all_sent == MINE.last_handled)
#else
#define IS_OVER (MINE.all_sent == 0 || MINE.all_sent == MINE.last_handled)
#endif

/* Merges states that differ only in what will not be read again. */
inline forget_result() {
  if
  :: MINE.owes_down == 0 ->
     MINE.all_sent = 0; MINE.all_handled = 0;
     if
     :: MINE.has_ended -> MINE.n_sent = 0; MINE.n_handled = 0; MINE.last_handled = 0; MINE.generation = 0
     :: else
     fi
  :: else
  fi
}

/* Keeps the result, remembers to pass it on, and judges it. */
inline take_result() {
  MINE.all_sent = sent;
  MINE.all_handled = handled;
#ifdef NOT_PASSED_ON
  MINE.owes_down = (me == 0 -> children[me] : 0);
#else
  MINE.owes_down = children[me];
#endif
  MINE.has_contributed = 0;
  MINE.generation = (MINE.generation + 1) % GENERATIONS;
  if
  :: IS_OVER ->
     assert(n_active[s] == 0);  /* quiet */
     MINE.has_ended = 1; handled = 0;
     n_ended++
  :: else
  fi;
#ifdef COMPARE_BACKWARDS
  MINE.old_sent = sent;
#endif
#ifndef FORGET_LAST
  MINE.last_handled = handled;
#endif
  forget_result()
}

inline clear_accumulator() {
  MINE.owes_up = 0; MINE.n_arrived = 0; MINE.sum_sent = 0; MINE.sum_handled = 0;
#ifdef STALE_COUNTS
  MINE.old_sent = MINE.n_sent; MINE.old_handled = MINE.n_handled;
#endif
#ifdef MIX_GENERATIONS
  MINE.has_contributed = 0;
#endif
}

/* Passes the accumulator on if this PE and all its children are in it. */
inline try_pass_on() {
  if
  :: MINE.has_contributed && !MINE.owes_up && HAS_ALL_CHILDREN ->
     if
     :: me == 0 ->
        sent = MINE.sum_sent; handled = MINE.sum_handled;
        clear_accumulator();
#if SCOPES == 1
        if
        :: n_active[s] == 0 ->
           n_at_rest++;
           CHECK(n_at_rest <= 3)  /* soon */
        :: else
        fi;
#endif
        take_result()
     :: else -> MINE.owes_up = 1
     fi
  :: else
  fi
}

inline contribute(scope) {
  s = scope;
  MINE.has_contributed = 1;
#ifdef STALE_COUNTS
  if
  :: MINE.last_handled != NONE ->
     MINE.sum_sent = MINE.sum_sent + MINE.old_sent;
     MINE.sum_handled = MINE.sum_handled + MINE.old_handled
  :: else ->
#endif
  MINE.sum_sent = MINE.sum_sent + MINE.n_sent;
  MINE.sum_handled = MINE.sum_handled + MINE.n_handled;
#ifdef STALE_COUNTS
  fi;
#endif
  try_pass_on()
}

/* Any message that has come: the network keeps no order. */
inline receive() {
  if
  :: control[me]??kind, 0, 1, generation, sent, handled -> s = 0; child = 1
#if N > 2
  :: control[me]??kind, 0, 2, generation, sent, handled -> s = 0; child = 2
#endif
#if N > 3
  :: control[me]??kind, 0, 3, generation, sent, handled -> s = 0; child = 3
#endif
#if SCOPES > 1
  :: control[me]??kind, 1, 1, generation, sent, handled -> s = 1; child = 1
#if N > 2
  :: control[me]??kind, 1, 2, generation, sent, handled -> s = 1; child = 2
#endif
#if N > 3
  :: control[me]??kind, 1, 3, generation, sent, handled -> s = 1; child = 3
#endif
#endif
#if SCOPES > 2
  :: control[me]??kind, 2, 1, generation, sent, handled -> s = 2; child = 1
#if N > 2
  :: control[me]??kind, 2, 2, generation, sent, handled -> s = 2; child = 2
#endif
#if N > 3
  :: control[me]??kind, 2, 3, generation, sent, handled -> s = 2; child = 3
#endif
#endif
  fi
#ifdef MIX_SCOPES
  ; if
  :: kind == up -> s = 0
  :: else
  fi
#endif
}

/* Always possible, since it needs no room anywhere. */
inline take_in() {
  CHECK(generation == MINE.generation);  /* in step */
  is_busy[child * SCOPES + s] = 0;
  if
  :: kind == up ->
     MINE.sum_sent = MINE.sum_sent + sent;
     MINE.sum_handled = MINE.sum_handled + handled;
     MINE.n_arrived++;
     try_pass_on()
  :: else ->
     CHECK(MINE.has_contributed && !MINE.owes_up && MINE.owes_down == 0);  /* in step */
     take_result()
  fi
}

#if defined(BLOCKING_SEND)
#define HAS_ROOM(pe) true
#define SEND(pe) control[pe]!!
#elif defined(LOST_REFUSAL)
#define HAS_ROOM(pe) true
#define SEND(pe) if :: len(control[pe]) == ROOM :: len(control[pe]) < ROOM -> control[pe]!!
#else
#define HAS_ROOM(pe) (len(control[pe]) < ROOM)
#define SEND(pe) control[pe]!!
#endif
#ifdef LOST_REFUSAL
#define SENT fi
#else
#define SENT skip
#endif

#define MAY_SEND_UP(scope) (me != 0 && VIEW(scope).owes_up && HAS_ROOM(PARENT(me)))
#define MAY_SEND_DOWN(scope, to) ((VIEW(scope).owes_down & (1 << (to))) && HAS_ROOM(to))
#if N == 2
#define MAY_SEND(scope) (MAY_SEND_UP(scope) || MAY_SEND_DOWN(scope, 1))
#elif N == 3
#define MAY_SEND(scope) (MAY_SEND_UP(scope) || MAY_SEND_DOWN(scope, 1) || MAY_SEND_DOWN(scope, 2))
#else
#define MAY_SEND(scope) \
  (MAY_SEND_UP(scope) || MAY_SEND_DOWN(scope, 1) || MAY_SEND_DOWN(scope, 2) || MAY_SEND_DOWN(scope, 3))
#endif

inline use_edge(lower_end) {
  CHECK(!is_busy[(lower_end) * SCOPES + s]);  /* one */
  is_busy[(lower_end) * SCOPES + s] = 1
}

inline send_up() {
  use_edge(me);
  SEND(PARENT(me)) up, s, me, MINE.generation, MINE.sum_sent, MINE.sum_handled; SENT;
  clear_accumulator()
}

inline send_down(to) {
  MINE.owes_down = MINE.owes_down & ~(1 << to);
  use_edge(to);
  SEND(to) down, s, to, (MINE.generation + GENERATIONS - 1) % GENERATIONS, MINE.all_sent, MINE.all_handled; SENT;
  forget_result()
}

/* Sends what this PE owes, as far as there is room. */
inline send_owed() {
  if
  :: MAY_SEND_UP(s) -> send_up()
  :: else
  fi;
  if
  :: MAY_SEND_DOWN(s, 1) -> send_down(1)
  :: else
  fi
#if N > 2
  ; if
  :: MAY_SEND_DOWN(s, 2) -> send_down(2)
  :: else
  fi
#endif
#if N > 3
  ; if
  :: MAY_SEND_DOWN(s, 3) -> send_down(3)
  :: else
  fi
#endif
}

#define IS_THROUGH(scope) (VIEW(scope).has_ended && VIEW(scope).owes_down == 0)
#if SCOPES == 1
#define ARE_ALL_THROUGH IS_THROUGH(0)
#elif SCOPES == 2
#define ARE_ALL_THROUGH (IS_THROUGH(0) && IS_THROUGH(1))
#else
#define ARE_ALL_THROUGH (IS_THROUGH(0) && IS_THROUGH(1) && IS_THROUGH(2))
#endif

/* Merges states that do not differ in anything that matters. */
#define FORGET kind = 0; s = 0; child = 0; generation = 0; sent = 0; handled = 0

proctype wave(byte me) {
  mtype kind;
  byte s, child, generation, sent, handled;
  do
  :: atomic { receive(); take_in(); send_owed(); FORGET }
  :: atomic { MAY_CONTRIBUTE(0) -> contribute(0); send_owed(); FORGET }
  :: atomic { MAY_SEND(0) -> s = 0; send_owed(); FORGET }
#if SCOPES > 1
  :: atomic { MAY_CONTRIBUTE(1) -> contribute(1); send_owed(); FORGET }
  :: atomic { MAY_SEND(1) -> s = 1; send_owed(); FORGET }
#endif
#if SCOPES > 2
  :: atomic { MAY_CONTRIBUTE(2) -> contribute(2); send_owed(); FORGET }
  :: atomic { MAY_SEND(2) -> s = 2; send_owed(); FORGET }
#endif
  :: ARE_ALL_THROUGH -> break
  od
}

init {
  byte i, j;
  atomic {
    for (i : 0 .. N * SCOPES - 1) { at[i].last_handled = NONE }
    n_left = MESSAGES;
#ifdef RESTING
    for (i : 0 .. N * SCOPES - 1) { at[i].main_is_done = 1 }
#else
    for (i : 0 .. SCOPES - 1) { n_active[i] = N }
#endif
    for (i : 1 .. N - 1) {
      n_children[PARENT(i)]++;
      children[PARENT(i)] = children[PARENT(i)] | (1 << i)
    }
    i = 0;
    for (i : 0 .. N - 1) { run program(i); run wave(i) }
    i = 0; j = 0
  }
}

#ifdef LIVENESS
ltl all_end { <> (n_ended == N * SCOPES) }
#endif
