// fault: named_by_unit
// fault: named_but_not_used
// named_but_not_used
constexpr auto f = fault::named_by_unit;
