// One error, but a long list of candidates below it.
// report: the diagnostic is too long
// expect: no matching function
template <int N>
struct tag {};
#define CANDIDATE(n) constexpr int pick(tag<n>, tag<n>) { return n; }
CANDIDATE(0) CANDIDATE(1) CANDIDATE(2) CANDIDATE(3) CANDIDATE(4) CANDIDATE(5) CANDIDATE(6) CANDIDATE(7) CANDIDATE(8)
CANDIDATE(9) CANDIDATE(10) CANDIDATE(11) CANDIDATE(12) CANDIDATE(13) CANDIDATE(14) CANDIDATE(15) CANDIDATE(16) CANDIDATE(17)

int main() {
#ifdef REJECT
    return pick(tag<0>{}, tag<1>{});
#endif
}
