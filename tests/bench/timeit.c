/* Times one program against another, run in turns so that both see the same machine: medians of the
 * wall time from fork to end, and the peak of resident memory.
 * usage: timeit PAIRS COMMAND [ARGUMENT...] -- REFERENCE [ARGUMENT...]
 * Prints one line. Output of the programs is thrown away. Exit: 0; 1 if a program could not be run
 * or was ended by a signal; 2 wrong usage.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#define _DEFAULT_SOURCE /* wait4 */

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_PAIRS = 10001 };

typedef struct series {
    double *seconds; /* one per run */
    long peak_kib;
    int exit_code; /* of the last run */
} series;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Becomes the program; reached again only if that fails. */
static void become(char **command)
{
    int null = open("/dev/null", O_RDWR);
    if (null >= 0) {
        dup2(null, STDIN_FILENO);
        dup2(null, STDOUT_FILENO);
        dup2(null, STDERR_FILENO);
    }
    execvp(command[0], command);
    _exit(127);
}

static bool run_once(char **command, series *result, int run)
{
    double start = now();
    pid_t child = fork();
    if (child == 0)
        become(command);
    int status;
    struct rusage usage;
    if (child < 0 || wait4(child, &status, 0, &usage) != child)
        return false;
    result->seconds[run] = now() - start;
    if (usage.ru_maxrss > result->peak_kib)
        result->peak_kib = usage.ru_maxrss;
    if (!WIFEXITED(status) || WEXITSTATUS(status) == 127) {
        fprintf(stderr, "timeit: %s cannot be run, or was ended by a signal\n", command[0]);
        return false;
    }
    result->exit_code = WEXITSTATUS(status);
    return true;
}

static int compare(const void *a, const void *b)
{
    const double *x = a;
    const double *y = b;
    return (*x > *y) - (*x < *y);
}

static double median(double *seconds, int n)
{
    qsort(seconds, (size_t)n, sizeof *seconds, compare);
    return 0.5 * (seconds[(n - 1) / 2] + seconds[n / 2]);
}

static bool measure(int pairs, char **command, char **reference, series result[2])
{
    for (int i = 0; i < pairs; i++) {
        if (!run_once(command, &result[0], i) || !run_once(reference, &result[1], i))
            return false;
    }
    return true;
}

int main(int argc, char **argv)
{
    long pairs = argc > 1 ? strtol(argv[1], NULL, 10) : 0;
    int split = 2;
    while (split < argc && strcmp(argv[split], "--") != 0)
        split++;
    if (pairs < 1 || pairs > MOST_PAIRS || split == 2 || split + 1 >= argc) {
        fputs("usage: timeit PAIRS COMMAND [ARGUMENT...] -- REFERENCE [ARGUMENT...]\n", stderr);
        return 2;
    }
    argv[split] = NULL;
    double *seconds = calloc(2 * (size_t)pairs, sizeof *seconds);
    if (!seconds)
        return 1;
    series result[2] = {{.seconds = seconds}, {.seconds = seconds + pairs}};
    bool done = measure((int)pairs, argv + 2, argv + split + 1, result);
    if (done) {
        double ours = median(result[0].seconds, (int)pairs);
        double theirs = median(result[1].seconds, (int)pairs);
        printf("%8.3f ms %6.1f MiB  reference %7.3f ms %5.1f MiB  ratio %5.2f  exit %d\n",
               1e3 * ours, (double)result[0].peak_kib / 1024.0, 1e3 * theirs,
               (double)result[1].peak_kib / 1024.0, ours / theirs, result[0].exit_code);
    }
    free(seconds);
    return done ? 0 : 1;
}
