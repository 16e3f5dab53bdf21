/* What modules print with on a target: a printf for the conversions that they use, over semihosting. */
#ifndef CHECKS_PRINT_H
#define CHECKS_PRINT_H

int check_printf(const char *format, ...);

#endif
