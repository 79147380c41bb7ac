// Fails, but only one of two expectations matches. The words stand in the source and in the file's name, which must not count.
// report: nothing matches the expected 'wrong_reason'
// expect: rows must equal columns
// expect: wrong_reason
int main() {
#ifdef REJECT
    static_assert(2 == 3, "rows must equal columns"); // wrong_reason
#endif
}
