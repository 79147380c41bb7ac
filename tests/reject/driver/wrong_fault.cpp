// Claims a fault that the diagnostic does not name.
// report: does not name the fault 'inner_extents_differ'
// expect: rows must equal columns
// fault: inner_extents_differ
int main() {
#ifdef REJECT
    static_assert(2 == 3, "rows must equal columns");
#endif
}
