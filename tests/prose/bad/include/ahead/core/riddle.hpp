#pragma once
// What stands at the begin is a noun.
struct one {}; // the one behind it
/// Whose bytes lie here.
// So many of them.
// Nobody reads it, who asks first.
inline const char* text = "beside"; // good
// There is no more; it is no longer read.
