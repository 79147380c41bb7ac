// Compiles although REJECT is defined.
// report: compiles although REJECT is defined
// expect: rows must equal columns
int main() { static_assert(2 == 2, "rows must equal columns"); }
