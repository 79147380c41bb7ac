// A good file: the driver must have nothing to say.
// report: nothing
// expect: rows must equal columns
// expect: error:.*static assertion failed
int main() {
#ifdef REJECT
    static_assert(2 == 3, "rows must equal columns; transpose [one] of them");
#endif
}
