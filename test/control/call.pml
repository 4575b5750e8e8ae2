/* Waves that any PE may call, for Spin: requests and calls of docs/design/control-plane.md.
 *
 * One wave over a tree of N PEs. Each PE's program calls it now and then; a request travels to the root, a call comes
 * down, contributions go up, the result comes down. The network keeps no order. Sizes and mutants by -D:
 *
 *   N         number of PEs, 2 or 3
 *   CHAIN     each PE is the child of the one before; otherwise all are children of PE 0
 *   CALLS     how often the programs call, all together
 *   ROOM      how many control messages a PE has room for
 *
 * What must hold:
 *   fresh      a call is answered by a generation to which its caller contributed after it
 *   wanted     no generation begins that nobody wants any more
 *   in step    a message meets its receiver in a generation where it means something
 *   one        no edge carries two calls, nor two of contributions and results
 *   answered   when nothing can move any more, every call has been answered and every generation has ended
 */

#ifndef N
#define N 3
#endif
#ifndef CALLS
#define CALLS 2
#endif
#ifndef ROOM
#define ROOM 2
#endif

#ifdef CHAIN
#define PARENT(pe) ((pe) - 1)
#define CHILDREN(pe) ((pe) == N - 1 -> 0 : 1 << ((pe) + 1))
#define N_CHILDREN(pe) ((pe) == N - 1 -> 0 : 1)
#else
#define PARENT(pe) 0
#define CHILDREN(pe) ((pe) == 0 -> (1 << N) - 2 : 0)
#define N_CHILDREN(pe) ((pe) == 0 -> N - 1 : 0)
#endif

mtype = { request, contribution, ask, result };

/* Kind, generation, child at the edge's lower end. */
chan control[N] = [ROOM] of { mtype, byte, byte };

typedef view {
  byte generation;
  bit wants;                    /* the program has called and not yet contributed after that */
  bit has_requested;            /* in this generation */
  bit is_called;
  bit is_called_next;           /* the call for the next generation has overtaken the result of this one */
  bit has_contributed;
  byte n_arrived;
  bit owes_request;
  bit owes_contribution;
  byte owes_call;               /* a bit for each child */
  byte owes_result;
}
view at[N];
byte n_calls_left = CALLS;

/* For the properties only. */
bit is_fresh[N];                /* has contributed since it called last */
bit has_call[N];                /* the edge to the parent carries a call */
bit is_busy[N];                 /* it carries a contribution or a result */

#define MINE at[me]
#if N == 2
#define IS_WANTED (at[0].wants || at[1].wants)
#else
#define IS_WANTED (at[0].wants || at[1].wants || at[2].wants)
#endif

/* A call has come, or has been made at the root. */
inline be_called() {
  MINE.is_called = 1;
  MINE.owes_call = CHILDREN(me);
  MINE.owes_request = 0
}

/* The program or a child wants this generation to be called. */
inline want() {
  if
  :: MINE.is_called || MINE.has_requested
  :: else ->
     if
     :: me == 0 -> assert(IS_WANTED); be_called()  /* wanted */
     :: else -> MINE.has_requested = 1; MINE.owes_request = 1
     fi
  fi
}

inline take_result() {
  MINE.generation++;
  MINE.has_contributed = 0;
  MINE.is_called = 0;
#ifndef REQUEST_ONCE
  MINE.has_requested = 0;
#endif
  MINE.owes_result = CHILDREN(me);
#ifdef ANSWER_WITH_RESULT
  assert(!MINE.wants || is_fresh[me]);  /* fresh */
  MINE.wants = 0;
#endif
  if
  :: MINE.is_called_next -> MINE.is_called_next = 0; be_called()
  :: else ->
     if
     :: MINE.wants -> want()
     :: else
     fi
  fi
}

inline try_pass_on() {
  if
  :: MINE.has_contributed && MINE.n_arrived == N_CHILDREN(me) ->
     MINE.n_arrived = 0;
     if
     :: me == 0 -> take_result()
     :: else -> MINE.owes_contribution = 1
     fi
  :: else
  fi
}

inline contribute() {
  MINE.has_contributed = 1;
  is_fresh[me] = 1;
#ifndef ANSWER_WITH_RESULT
  MINE.wants = 0;
#endif
  try_pass_on()
}

inline take_in() {
  if
  :: kind == request ->
#ifdef BELIEVE_OLD_REQUESTS
     want()
#else
     assert(generation <= MINE.generation);  /* in step */
     if
     :: generation == MINE.generation -> want()
     :: else                    /* it was answered while it was under way */
     fi
#endif
  :: kind == contribution ->
     is_busy[child] = 0;
     assert(generation == MINE.generation && MINE.is_called);  /* in step */
     MINE.n_arrived++;
     try_pass_on()
  :: kind == ask ->
     has_call[me] = 0;
     if
     :: generation == MINE.generation -> assert(!MINE.is_called); be_called()  /* in step */
     :: else ->
        assert(generation == MINE.generation + 1 && MINE.has_contributed);  /* in step */
#ifndef DROP_EARLY_CALLS
        MINE.is_called_next = 1
#endif
     fi
  :: kind == result ->
     is_busy[me] = 0;
     assert(generation == MINE.generation && MINE.has_contributed && !MINE.owes_contribution);  /* in step */
     take_result()
  fi;
  kind = 0; generation = 0; child = 0
}

#define HAS_ROOM(pe) (len(control[pe]) < ROOM)

inline send_down(to) {
  if
  :: MINE.owes_result & (1 << to) ->
     assert(!is_busy[to]);      /* one */
     is_busy[to] = 1;
     MINE.owes_result = MINE.owes_result & ~(1 << to);
     control[to]!!result, MINE.generation - 1, to
  :: MINE.owes_call & (1 << to) ->
     assert(!has_call[to]);     /* one */
     has_call[to] = 1;
     MINE.owes_call = MINE.owes_call & ~(1 << to);
     control[to]!!ask, MINE.generation, to
  fi
}

#define OWES_DOWN(to) (((MINE.owes_result | MINE.owes_call) & (1 << (to))) && HAS_ROOM(to))

proctype pe(byte me) {
  mtype kind;
  byte generation, child;
end:
  do
  :: atomic {                   /* the program calls */
       n_calls_left > 0 ->
       n_calls_left--;
       MINE.wants = 1;
       is_fresh[me] = 0;
       if
       :: !MINE.has_contributed -> want()
       :: else                  /* for the next generation */
       fi
     }
  :: atomic { MINE.is_called && !MINE.has_contributed -> contribute() }
  :: atomic {                   /* any message that has come */
       if
       :: control[me]??request, generation, child -> kind = request
       :: control[me]??request, eval(MINE.generation), child -> kind = request; generation = MINE.generation
       :: control[me]??contribution, generation, child -> kind = contribution
       :: control[me]??ask, generation, child -> kind = ask
       :: control[me]??result, generation, child -> kind = result
       fi;
       take_in()
     }
  :: atomic {
       me != 0 && MINE.owes_request && HAS_ROOM(PARENT(me)) ->
       MINE.owes_request = 0;
       control[PARENT(me)]!!request, MINE.generation, me
     }
  :: atomic {
       me != 0 && MINE.owes_contribution && HAS_ROOM(PARENT(me)) ->
       assert(!is_busy[me]);    /* one */
       is_busy[me] = 1;
       MINE.owes_contribution = 0;
       control[PARENT(me)]!!contribution, MINE.generation, me
     }
  :: atomic { OWES_DOWN(1) -> send_down(1) }
#if N > 2
  :: atomic { OWES_DOWN(2) -> send_down(2) }
#endif
  :: atomic {
       timeout -> assert(!MINE.wants && !MINE.has_contributed && !MINE.is_called);  /* answered */
       break
     }
  od
}

init {
  byte i;
  atomic { for (i : 0 .. N - 1) { run pe(i) } }
}
