// Is broken with and without REJECT.
// report: does not compile even without -DREJECT
// expect: rows must equal columns
int main() { static_assert(2 == 3, "rows must equal columns"); }
