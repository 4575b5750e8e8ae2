// Nothing here is a closure that is sent.
// clang-format off
#include   <vector>

struct box { void send( int,int ) {} };
int main( ) { box b ; b.send( 1,2 ) ; return std::vector<int>( ).size( )==0 ? 0:1 ; }
