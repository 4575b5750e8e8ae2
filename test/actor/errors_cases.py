"""The mistakes that actor.errors makes, one for each name that it takes, as shoalrun and the program report them."""

# By mistake: the exit status, and what the one report must say.
CASES = {
    "send_out_of_range": (2, r"shoal: PE \d: actor lambda, message long: send to PE 3, which is out of range; "
                             r"PEs are 0 to 2"),
    "send_of_named_actor": (2, r"shoal: PE \d: actor update, message long: send to PE 99, which is out of range"),
    "send_after_done": (2, r"shoal: PE \d: actor lambda, message long: send by the main program after done"),
    "send_after_close": (2, r"shoal: PE \d: actor lambda, message long: send after close; close a mailbox after those "
                            r"whose handlers send to it"),
    "send_outside_finish": (2, r"shoal: PE \d: actor lambda, message long: send outside finish; .*send inside "
                               r"world\.finish"),
    "send_outside_finish_after_close": (2, r"shoal: PE \d: actor lambda, message long: send outside finish"),
    "throw_in_handler": (1, r"shoal: PE 0: actor lambda, message long: handler threw: no such slot "
                            r"\(message from PE 1\)"),
    "finish_in_handler": (2, r"shoal: PE 0: actor lambda, message long: finish in a handler, where nothing may wait"),
    "throw_in_body": (1, r"shoal: PE 1: the program threw: no such file"),
    "throw_everywhere": (1, r"shoal: PE \d: the program threw: no such file for any of us"),
    "return_early": (2, r"collective calls do not match: .*PE 1 left the program's body \(returned\)|"
                        r"collective calls do not match: PE 1 .* while PE 0"),
    "exit_early": (2, r"shoal: PE 1: exit was called in the middle of the job"),
    "exit_at_once": (1, r"shoalrun: PE 1 \(process \d+\) left with status 0 in the middle of the job"),
    "other_order": (2, r"collective calls do not match: PE 1 is in barrier .* while PE 0 is in sum \(\S+errors.program.cpp:\d+\)"),
    "other_root": (2, r"PE \d is in broadcast .* while PE 0 is in broadcast .*, with other arguments or types; all PEs"),
    "put_beyond_the_end": (2, r"one-sided access to element 9 of an array of 4 on PE 0, which is out of range; "
                              r"elements are counted from 0$"),
    "put_to_no_pe": (2, r"one-sided access to element 3 of an array of 4 on PE 3, which is out of range; "
                        r"PEs are 0 to 2$"),
    "block_beyond_the_end": (2, r"one-sided access to 3 elements from element 2 on of an array of 4 on PE 0, which is out "
                                r"of range; elements are counted from 0$"),
    "block_from_beyond_the_end": (2, r"one-sided access to 0 elements from element 5 on of an array of 4 on PE 0, which "
                                     r"is out of range; elements are counted from 0$"),
    "block_of_no_pe": (2, r"one-sided access to 2 elements from element 0 on of an array of 4 on PE -1, which is out of "
                          r"range; PEs are 0 to 2$"),
    "atomic_beyond_the_end": (2, r"one-sided access to element 4 of an array of 4 on PE 0, which is out of range; "
                                 r"elements are counted from 0$"),
    "killed": (137, r"shoalrun: PE 1 \(process \d+\) was killed by signal 9 \(Killed\); ended the other 2 PEs"),
    "heap": (2, r"the symmetric heap is exhausted: .*raise SHOAL_HEAP"),
    "large_closure": (2, r"an item of 100000 bytes does not fit into a buffer of \d+ bytes; set SHOAL_SLOT_BYTES"),
    "deallocate_twice": (2, r"deallocate of an array that is not allocated"),
    "destroy_in_other_order": (2, r"collective calls do not match: PE \d is closing a mailbox while PE \d is "
                                  r"closing a mailbox"),
    "destroy_open_selector": (2, r"actor counting, message long: destroyed while its superstep is open, when its handlers "
                                 r"may still run; let it live until finish returns, or call close\(\) first"),
    "run_in_run": (2, r"shoal::run was called inside shoal::run; a program has one body"),
    "late_per_pe": (2, r"shoal: PE 0: the handle of a per_pe of long was used on this PE before the per_pe was constructed"),
    "other_per_pe": (2, r"shoal: PE 1: the handle of a per_pe of long was used on this PE for an object of another type; "
                        r"construct the same per_pe objects in the same order on all PEs"),
    "advance_in_handler": (2, r"advance of conveyor in a handler, where nothing may wait"),
    "collective_in_answer": (2, r"biconveyor: sum in an answer, where nothing may wait; do it in the main"),
    "limit_of_nothing": (2, r"limit_unsent of 0, with which try_send never sends"),
    "throw_in_reduction": (1, r"the operation of a reduction or scan threw an exception"),
    "return_256": (1, r"shoalrun: PE \d \(process \d+\) exited with status 1"),
    "destroy_working_conveyor": (2, r"conveyor: destroyed in state working, so items may be lost; advance it until it is "
                                    r"complete, and pull all items"),
    "destroy_conveyor_in_cleanup": (2, r"simple_conveyor: destroyed in state cleanup, so items may be lost"),
    "destroy_working_exstack2": (2, r"exstack2: destroyed in state working, so items may be lost"),
    "destroy_working_biconveyor": (2, r"biconveyor: destroyed in state working, so items may be lost"),
    "destroy_exstack_with_items": (2, r"exstack: destroyed with items not exchanged \(1\) or not popped \(1\); call "
                                      r"clear to drop them$"),
    "throw_beside_conveyor": (1, r"the program threw: no such file$"),
    "catch_inside_finish": (2, r"PE \d: actor lambda, message long: destroyed by an exception in its superstep, so "
                               r"messages are lost; catch the exception while the actor lives, or let it leave the "
                               r"program's body"),
    "catch_outside_finish": (2, r"PE \d: an exception left finish \(.*errors.program.cpp:\d+\), in which the other PEs "
                                r"may wait; let it leave the program's body, too, or catch it in finish"),
    "sum_beside_barrier": (2, r"collective calls do not match: PE 1 is in sum \(\S+errors.program.cpp:\d+\) while PE 0 is in barrier \(\S+errors.program.cpp:\d+\)"),
    "calls_in_a_long_path": (2, r"PE 1 is in sum \(…\d+/c\S+/name.cpp:1235\) while PE 0 is in barrier "
                                r"\(…\d+/c\S+/name.cpp:1236\); all PEs"),
    "construct_in_other_order": (
        2, r"PE \d: the PEs have constructed different objects: after the first \d, PE 0 has constructed actor of long, "
           r"actor of double, actor of closures; PE 1 has constructed actor of double, actor of long, actor of closures; "
           r"construct the same ones in the same order on all PEs \(noticed when PE 1 is in finish .*\d\) while PE 0 is "
           r"in finish .*\d\)\)"),
    "construct_one_more": (
        2, r"different objects: after the first 10\d, PE 0 has constructed nothing more; PE \d has constructed per_pe of "
           r"std::.*string.*; construct .*noticed when PE \d is in barrier"),
    "construct_another_conveyor": (
        2, r"different objects: after at most 3\d, PE 0 has constructed conveyor with items of 2 bytes, conveyor with "
           r"items of 2 bytes, .*, …; PE 1 has constructed conveyor with items of 8 bytes, .*in sum"),
    "sum_too_large": (2, r"a sum over PEs does not fit into int; give a wider type, for instance std::int64_t\{value\}"),
    "scan_too_large": (2, r"a sum over PEs does not fit into unsigned short; give a wider type"),
    "other_length": (2, r"shoal: PE \d: sum \(\S*errors.program.cpp:\d+\): the array of PE 1 has 5 elements and that of "
                        r"PE 0 has 4; give arrays of one length on all PEs$"),
    "other_long_length": (2, r"shoal: PE \d: inclusive_scan \(\S*errors.program.cpp:\d+\): the array of PE 1 has 2005 "
                             r"elements and that of PE 0 has 2004; give arrays of one length on all PEs$"),
    "shorter_result": (2, r"shoal: PE \d: all_reduce \(\S*errors.program.cpp:\d+\) of 1000 elements into an array of [45]; "
                          r"give arrays of one length$"),
    "overlapping_result": (2, r"shoal: PE \d: sum \(\S*errors.program.cpp:\d+\) into an array that overlaps that of the "
                              r"values; give the same array, or one apart$"),
    "gather_at_no_pe": (2, r"shoal: PE \d: gather \(\S*errors.program.cpp:\d+\) to PE 3, which is out of range; PEs are 0 "
                           r"to 2$"),
    "too_few_arrays": (2, r"shoal: PE \d: all_to_all \(\S*errors.program.cpp:\d+\) of 2 arrays on 3 PEs; give one for each "
                          r"PE$"),
    "array_beside_value": (2, r"collective calls do not match: PE 1 is in sum \(\S*errors.program.cpp:\d+\) while PE 0 is in "
                              r"sum of 1000 values \(\S*errors.program.cpp:\d+\); all PEs"),
    "arrays_of_other_types": (2, r"PE 1 is in max of 1000 values .* while PE 0 is in max of 1000 values .*, with other "
                                 r"arguments or types; all PEs"),
    "sum_of_arrays_too_large": (2, r"a sum over PEs does not fit into int; give a wider type"),
    "throw_in_reduction_of_arrays": (1, r"the operation of a reduction or scan threw an exception"),
    "array_in_handler": (2, r"shoal: PE 0: actor lambda, message long: sum in a handler, where nothing may wait; send a"),
    "array_without_slots": (2, r"no buffer slot left to reserve for mailbox \d+ \(this PE has \d+\); raise SHOAL_SLOTS"),
    "read_less_than_written": (2, r"shoal: PE 0: actor people, message .*forgetful: a message of 30 bytes from PE 1 is not "
                                  r"what its type reads; let its serialize name the same members in the same order when "
                                  r"it writes and when it reads"),
    "read_less_than_written_large": (2, r"shoal: PE 0: actor people, message .*forgetful: a message of 100020 bytes from "
                                        r"PE 1 is not what its type reads; let"),
    "write_more_than_counted": (2, r"shoal: PE 1: sending .*fickle: its serialize did not write as many bytes as it had "
                                   r"counted just before; let it write the same each time, and change nothing"),
    "write_more_in_call": (2, r"shoal: PE 1: sending .*: its serialize did not write as many bytes as it had counted"),
    "throw_while_writing": (2, r"shoal: PE 1: sending .*fickle: its serialize threw while it wrote; let it throw nothing"),
    "throw_in_handler_of_text": (1, r"shoal: PE 0: actor lambda, message std::.*string_view.*: handler threw: no such "
                                    r"\(message from PE 1\)"),
    "throw_in_handler_of_large_text": (1, r"shoal: PE 0: actor lambda, message std::.*string_view.*: handler threw: "
                                          r"no such \(message from PE 1\)"),
    "send_list_out_of_range": (2, r"shoal: PE \d: actor rows, message shoal::list<long.*>: send to PE -1, which is out of "
                                  r"range; PEs are 0 to 2"),
    "try_send_list_outside_finish": (2, r"shoal: PE \d: actor rows, message shoal::list<long.*>: send outside finish"),
    "ask_outside_finish": (2, r"shoal: PE \d: world\.send outside finish; nothing would wait for it, so send inside "
                              r"world\.finish"),
    "ask_actor_outside_finish": (2, r"shoal: PE \d: actor square, message long: send outside finish"),
    "ask_out_of_range": (2, r"shoal: PE \d: actor world, message closure: send to PE 3, which is out of range; PEs are 0 "
                            r"to 2"),
    "ask_all_without_room": (2, r"shoal: PE \d: ask_all with more questions than the 2 places for their answers; give it "
                                r"a place for each$"),
    "get_in_handler": (2, r"shoal: PE 0: actor asks, message long: get \(\S*errors_of_answers.hpp:\d+\) in a handler, where "
                          r"nothing may wait for an answer; use then, or co_await in a handler that is a coroutine"),
    "get_in_deferred_work": (2, r"shoal: PE \d: world.defer: get of an answer that has not come in deferred work, where "
                                r"only a send may wait; do it in the main program$"),
    "get_twice": (2, r"shoal: PE \d: get of a future that has no answer to give: each answer is taken once, by get, then "
                     r"or co_await$"),
    "then_after_get": (2, r"shoal: PE \d: then of a future that has no answer to give: each answer is taken once"),
    "wait_twice": (2, r"shoal: PE \d: co_await of a future that has no answer to give: each answer is taken once"),
    "get_future_twice": (2, r"shoal: PE \d: get_future of a future that has no answer to give: each answer is taken once"),
    "set_twice": (2, r"shoal: PE \d: a promise \(\S*errors_of_answers.hpp:\d+\) was given a second value; give it one$"),
    "drop_promise_that_something_waits_for": (
        2, r"shoal: PE \d: a promise \(\S*errors_of_answers.hpp:\d+\) was destroyed without a value, for which "
           r"\S*errors_of_answers.hpp:\d+ waits; give it one by set$"),
    "drop_promise_in_handler": (
        2, r"shoal: PE 0: a promise \(\S*errors_of_answers.hpp:\d+\) was destroyed without a value, for which the question "
           r"of PE 1 waits; give it one by set"),
    "then_of_dropped_promise": (
        2, r"shoal: PE \d: a promise \(\S*errors_of_answers.hpp:\d+\) was destroyed without a value, for which "
           r"\S*errors_of_answers.hpp:\d+ waits; give it one by set$"),
    "get_of_dropped_promise": (
        2, r"shoal: PE \d: a promise \(\S*errors_of_answers.hpp:\d+\) was destroyed without a value, for which "
           r"\S*errors_of_answers.hpp:\d+ waits; give it one by set$"),
    "drop_promise_during_get": (
        2, r"shoal: PE \d: a promise \(\S*errors_of_answers.hpp:\d+\) was destroyed without a value, for which "
           r"\S*errors_of_answers.hpp:\d+ waits; give it one by set$"),
    "finish_in_what_waited": (2, r"shoal: PE \d: finish in what waited for an answer, where nothing may wait; do it in the "
                                 r"main program$"),
    "get_in_what_waited": (2, r"shoal: PE \d: get of an answer that has not come in what waited for an answer, where "
                              r"nothing may wait; do it in the main program$"),
    "throw_in_question": (1, r"shoal: PE 0: actor world, message closure .*: handler threw: no such slot \(message from "
                             r"PE 1\)$"),
    "throw_after_waiting": (1, r"shoal: PE 0: actor world, message closure .*: what waited for an answer "
                               r"\(\S*errors_of_answers.hpp:\d+\) threw: no such slot 7$"),
    "throw_after_waiting_in_actor": (1, r"shoal: PE 0: actor slots, message long: what waited for an answer "
                                        r"\(\S*errors_of_answers.hpp:\d+\) threw: no such slot 7"),
    "throw_in_then": (1, r"shoal: PE 1: actor world, message closure .*: what waited for an answer "
                         r"\(\S*errors_of_answers.hpp:\d+\) threw: no such slot$"),
    "disabled_at_the_end": (2, r"shoal: PE 1: actor lambda, message long: still disabled \(\S*errors.program.cpp:\d+\) when "
                               r"its superstep ends; enable it before, on every PE that disables it$"),
    "disabled_at_close": (2, r"shoal: PE 1: actor lambda, message long: still disabled \(\S*errors.program.cpp:\d+\) when "
                             r"its superstep ends; enable it before, on every PE that disables it$"),
    "disabled_when_it_closes_by_itself": (
        2, r"shoal: PE 1: actor lambda, message long: still disabled \(\S*errors.program.cpp:\d+\) when its superstep "
           r"ends; enable it before, on every PE that disables it$"),
    "team_split_beside_barrier": (2, r"collective calls do not match: PE 1 is in barrier \(\S*errors_of_teams.hpp:\d+\) "
                                     r"while PE 0 is in split \(\S*errors_of_teams.hpp:\d+\)"),
    "team_split_in_handler": (2, r"shoal: PE 0: actor world, message closure .*: split in a handler, where nothing may "
                                 r"wait; send a message whose handler continues"),
    "team_outlives_job": (2, r"shoal: PE \d: the job ended while 1 team of it still existed; destroy what world.split "
                             r"returned first$"),
    "team_allocates": (2, r"shoal: PE \d: allocate of a team, which has no symmetric memory; use the world of the whole job"),
    "team_gets": (2, r"shoal: PE \d: one-sided access of a team, which has no symmetric memory; use the world"),
    "team_uses_codec": (2, r"shoal: PE \d: use_codec of a team: the PEs of a job share their codecs; call it on the world"),
    "team_makes_other_calls": (2, r"collective calls do not match: PE 1 is in (sum|all_reduce) \(\S*errors_of_teams.hpp:\d+\) "
                                  r"while PE 0 is in barrier \(\S*errors_of_teams.hpp:\d+\); .* \(numbers of PEs are "
                                  r"those in team 1 \(PEs 2, 0\)\)"),
    "team_constructs_others": (2, r"the PEs of team 1 \(PEs 2, 0\) have constructed different objects: after the first 1, "
                                  r"PE 0 has constructed nothing more; PE 1 has constructed conveyor with items of 2 bytes"),
    "team_destroyed_beside_barrier": (2, r"collective calls do not match: PE 1 destroys a team while PE 0 is in barrier "
                                         r"\(\S*errors_of_teams.hpp:\d+\); .*team 3"),
    "team_sends_out_of_range": (2, r"shoal: PE 2: actor world, message closure: send to PE 2, which is out of range; PEs are "
                                   r"0 to 1 of team 1 \(PEs 2, 0\)$"),
    "team_sends_outside_finish": (2, r"shoal: PE \d: world.send outside finish"),
    "team_throws_in_handler": (1, r"shoal: PE 2: actor world, message closure .*: handler threw: no such team \(message from "
                                  r"PE 1 of team 1 \(PEs 2, 0\)\)"),
    "team_object_elsewhere": (2, r"shoal: PE 1: the handle of a per_pe of long was used on this PE, which is not in the team of "
                                 r"the per_pe; send it to PEs of that team only"),
    "team_broadcasts_from_nobody": (2, r"shoal: PE \d: broadcast from PE 2, which is out of range; PEs are 0 to [01] of team "
                                       r"[12] \(PEs? (2, 0|1)\)$"),
    "team_destroyed_in_its_finish": (2, r"shoal: PE \d: team \d \(PEs? (2, 0|1)\): destroyed inside its own finish; leave "
                                        r"that first$"),
    "team_too_many": (2, r"shoal: PE \d: this PE is in 200 teams, and no more are possible; destroy teams that are no longer "
                         r"used$"),
    "team_sends_to_inner_finish": (2, r"shoal: PE \d: world.send outside finish; nothing would wait for it, so send inside "
                                      r"world.finish$"),
    "team_throws_beside_wait": (1, r"shoal: PE 0: .*lost"),
    "background_other_call": (2, r"shoal: PE \d: collective calls in the background do not match: number 10 is start_max "
                                 r"\(\S*errors_of_background.hpp:\d+\) on PE 1 and start_sum "
                                 r"\(\S*errors_of_background.hpp:\d+\) on PE 0; all PEs must start the same ones in the same "
                                 r"order( \(sim: .*)?$"),
    "background_other_type": (2, r"number 10 is start_sum \(\S+\) on PE 1 and start_sum \(\S+\) on PE 0, with other types or "
                                 r"another root; all"),
    "background_other_size": (2, r"number 10 is start_gather \(\S+\) on PE 1 and start_gather \(\S+\) on PE 0, with other "
                                 r"types"),
    "background_other_root": (2, r"number 10 is start_broadcast \(\S+\) on PE 1 and start_broadcast \(\S+\) on PE 0, with "
                                 r"other types or another root; all"),
    "background_root_out_of_range": (2, r"start_broadcast from PE 3, which is out of range; PEs are 0 to 2$"),
    "background_root_negative": (2, r"start_broadcast from PE -1, which is out of range; PEs are 0 to 2$"),
    "background_sum_too_large": (2, r"a sum over PEs does not fit into int; give a wider type"),
    "background_throws": (1, r"the operation of a reduction or scan threw an exception"),
    "background_in_team": (2, r"number 1 is start_sum \(\S+\) on PE 1 and start_barrier \(\S+\) on PE 0; .* \(numbers of PEs "
                              r"are those in team 1 \(PEs 2, 0\)\)"),
    "throw_beside_background": (1, r"shoal: PE 1: the program threw: no such file"),
    "background_in_handler": (2, r"shoal: PE 0: actor lambda, message long: start_sum outside the main program, where PEs may "
                                 r"come to it in different orders; call it in the main program$"),
    "background_in_work": (2, r"shoal: PE \d: world.defer: start_sum outside the main program"),
    "background_in_task": (2, r"shoal: PE \d: a task: start_sum outside the main program"),
    "background_in_what_waited": (2, r"shoal: PE \d: what waited for an answer: start_sum outside the main program"),
    "get_of_background_in_handler": (2, r"shoal: PE 0: actor lambda, message long: get \(\S+\) in a handler, where nothing may "
                                        r"wait for an answer"),
    "conveyor_state": (2, r"conveyor: push is illegal while dormant"),
}
