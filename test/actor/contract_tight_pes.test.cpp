// The actor layer's contract on PEs that are processes, with buffers of a few messages, a slot for each mailbox
// and no more that links could share.
// pes: 1 2 3 4 7
// timeout: 180
// env: SHOAL_SLOT_BYTES=64 SHOAL_SLOTS=12 SHOAL_SHARED_SLOTS=0
#include "test/support/actors_on_pes.hpp"
