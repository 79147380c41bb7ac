// Fails only because a header is missing.
// report: the compiler stumbled instead of refusing
// expect: error
#ifdef REJECT
#include "no_such_header.hpp"
#endif
int main() {}
