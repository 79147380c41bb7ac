// Says nothing about what the diagnostic should be.
// report: no '// expect: <regex>' line
int main() {
#ifdef REJECT
    static_assert(2 == 3, "rows must equal columns");
#endif
}
