enum class fault : unsigned short {
    none,
    named_by_reject,        // one, two; {three} do this
    named_by_unit = 7,      // do that
    named_but_not_used,     // use it
    named_by_nobody // name it
};
