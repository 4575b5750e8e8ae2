/* The waves at the end of a superstep, for Spin: the rounds of docs/design/termination.md.
 *
 * N PEs run one program. Its messages carry the number of waves that their sender had joined, modulo WAVES, and arrive in any
 * order. wave_model.test.py chooses the sizes and the mutants by -D:
 *
 *   N         number of PEs, 2 to 4
 *   MESSAGES  how many messages the program may send
 *   WAVES     the numbers of waves that a message can tell apart; few, so that they wrap while a message is in transit
 *
 * What must hold:
 *   quiet      a wave says that the superstep has ended only if nothing of it runs, is in transit, or can still be sent
 *   soon       a wave ends with the second one after that which is open when the program comes to rest
 *   no PE waits for ever (Spin: no invalid end state)
 *   all_end    every PE learns the end, as the program rests at last (Spin: no acceptance cycle)
 */

#ifndef N
#define N 3
#endif
#ifndef MESSAGES
#define MESSAGES 2
#endif
#ifndef WAVES
#define WAVES 4
#endif

byte in_transit[N * WAVES];     /* messages on their way to a PE, by the number that they carry */
byte n_left;                    /* messages that the program may still send */

/* Two rounds in turn: a PE may contribute to one while another has yet to read the result of the last. */
byte n_contributed[2];
byte n_read[2];
byte sum_sent[2], sum_handled[2];

/* Only for the properties. */
byte n_active;                  /* main programs at work, messages in transit, handlers running */
byte n_at_rest;                 /* waves that have ended since the program came to rest */
byte n_ended;

/* What a PE knows. */
typedef view {
  bit main_is_done, has_contributed;
  bit round;                    /* its next one, or the one that it waits for */
  byte n_sent, n_handled, n_ahead;
  byte wave;                    /* the number that its messages carry */
  byte seen;                    /* that by which it judges those of others */
}
view at[N];

inline send_message() {
  select(peer : 0 .. N - 1);
  n_left--;
  n_active++;
  at[me].n_sent++;
  in_transit[peer * WAVES + at[me].wave]++;
  peer = 0
}

#if defined(NO_MARKS)
#define IS_AHEAD 0
#elif defined(GREATER_IS_AHEAD)
#define IS_AHEAD (mark > at[me].seen)
#else
#define IS_AHEAD (mark == (at[me].seen + 1) % WAVES)
#endif

#if defined(JOIN_WHILE_SENDING)
#define IS_IDLE 1
#else
#define IS_IDLE at[me].main_is_done
#endif

proctype program(byte me) {
  byte mark, peer;
end:
  do
  :: atomic {                   /* the main program sends, or stops for good */
       !at[me].main_is_done ->
       if
       :: n_left > 0 -> send_message()
       :: at[me].main_is_done = 1; n_active--
       fi
     }
  :: atomic {                   /* a handler runs: it may send on, and ends */
       if
       :: in_transit[me * WAVES] > 0 -> mark = 0
       :: in_transit[me * WAVES + 1] > 0 -> mark = 1
#if WAVES > 2
       :: in_transit[me * WAVES + 2] > 0 -> mark = 2
       :: in_transit[me * WAVES + 3] > 0 -> mark = 3
#endif
       fi;
       in_transit[me * WAVES + mark]--;
       at[me].n_handled++;
       if
       :: IS_AHEAD -> at[me].n_ahead++
       :: else
       fi;
       do
       :: n_left > 0 -> send_message()
       :: break
       od;
       n_active--;
       mark = 0
     }
  od
}

/* At each moment of its own no handler runs on its PE. */
proctype waves(byte me) {
  bit has_ended;
  do
  :: atomic {                   /* joins a wave */
       IS_IDLE && !at[me].has_contributed ->
       at[me].has_contributed = 1;
       sum_sent[at[me].round] = sum_sent[at[me].round] + at[me].n_sent;
       sum_handled[at[me].round] = sum_handled[at[me].round] + at[me].n_handled - at[me].n_ahead;
#ifndef KEEP_AHEAD
       at[me].n_ahead = 0;
#endif
       at[me].seen = (at[me].seen + 1) % WAVES;
#ifndef MARK_LATE
       at[me].wave = (at[me].wave + 1) % WAVES;
#endif
       n_contributed[at[me].round]++;
       if
       :: n_contributed[at[me].round] == N && n_active == 0 ->
          n_at_rest++;
          assert(n_at_rest <= 3)  /* soon */
       :: else
       fi
     }
  :: atomic {                   /* reads the result */
       at[me].has_contributed && n_contributed[at[me].round] == N ->
       at[me].has_contributed = 0;
#ifdef MARK_LATE
       at[me].wave = (at[me].wave + 1) % WAVES;
#endif
       if
       :: sum_sent[at[me].round] == sum_handled[at[me].round] ->
          assert(n_active == 0);  /* quiet */
          has_ended = 1
       :: else
       fi;
       n_read[at[me].round]++;
       if
       :: n_read[at[me].round] == N ->
          n_contributed[at[me].round] = 0; n_read[at[me].round] = 0;
          sum_sent[at[me].round] = 0; sum_handled[at[me].round] = 0
       :: else
       fi;
       at[me].round = 1 - at[me].round;
       if
       :: has_ended -> break
       :: else
       fi
     }
  od;
  n_ended++
}

init {
  atomic {
    n_left = MESSAGES;
    n_active = N;
    byte each = 0;
    do
    :: each < N -> run program(each); run waves(each); each++
    :: else -> break
    od
  }
}

#ifdef LIVENESS
ltl all_end { <> (n_ended == N) }
#endif
