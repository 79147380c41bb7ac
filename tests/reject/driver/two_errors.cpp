// One mistake should give one error; this gives two.
// report: 2 errors for one mistake
// expect: rows must equal columns
int main() {
#ifdef REJECT
    static_assert(2 == 3, "rows must equal columns");
    static_assert(2 == 3, "columns must equal rows");
#endif
}
