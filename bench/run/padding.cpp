// SPDX-License-Identifier: MIT
// Linked first, it moves all code and constants behind it by a distance that AHEAD_BENCH_RELINK decides: the same
// objects, laid out otherwise. How fast short loops are depends on where they lie; a figure that holds over several
// such builds is the code's own.
#define TEXT(x) #x
#define TEXT_OF(x) TEXT(x)
#define SKIP(section) ".pushsection " section "\n.skip 1040 * " TEXT_OF(AHEAD_BENCH_RELINK) "\n.popsection\n"
asm(SKIP(".text") SKIP(".rodata") SKIP(".data"));
