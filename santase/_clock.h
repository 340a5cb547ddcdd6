/* A clock that only goes forward, in seconds, on every platform. */
#ifndef SANTASE_CLOCK_H
#define SANTASE_CLOCK_H

#if defined(_WIN32)
#include <windows.h>
static double santase_seconds(void) {
    LARGE_INTEGER count, frequency;
    QueryPerformanceCounter(&count);
    QueryPerformanceFrequency(&frequency);
    return (double)count.QuadPart / (double)frequency.QuadPart;
}
#else
#include <time.h>
static double santase_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
#endif

#endif
