// SPDX-License-Identifier: MIT
// Macros that other headers leave behind, those of Windows, X11 and Qt among them, and that the standard library survives.
#pragma once
#define min(a, b) (((a) < (b)) ? (a) : (b))
#define max(a, b) (((a) > (b)) ? (a) : (b))
#define near
#define far
#define small char
#define interface struct
#define ERROR 0
#define IN
#define OUT
#define OPTIONAL
#define None 0L
#define Bool int
#define Status int
#define major(x) (x)
#define minor(x) (x)
#define unix 1
#define linux 1
#define signals public
#define I _Complex_I
#define check(x) ((x) ? (void)0 : (void)"no")
#define emit
