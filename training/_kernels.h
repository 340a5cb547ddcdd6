/* The trainer's inner loops, on vectors of eight floats. Built for the machine
 * that trains, by a compiler with vector extensions; not part of the library.
 * Widths are multiples of 32; a block of columns stays in registers while the
 * rows go by, which measured twice as fast as adding row by row to memory. */
#ifndef SANTASE_KERNELS_H
#define SANTASE_KERNELS_H

#include <stdint.h>
#include <string.h>

typedef float v8 __attribute__((vector_size(32), aligned(4), may_alias));

/* out = bias + the sum of n rows of the table */
static inline void sum_rows(const float *table, const float *bias, int width,
                            const uint16_t *inputs, int n, float *out) {
    for (int j = 0; j < width; j += 32) {
        v8 a = *(const v8 *)(bias + j), b = *(const v8 *)(bias + j + 8);
        v8 c = *(const v8 *)(bias + j + 16), d = *(const v8 *)(bias + j + 24);
        const float *column = table + j;
        for (int i = 0; i < n; i++) {
            const float *row = column + (size_t)inputs[i] * width;
            a += *(const v8 *)row;
            b += *(const v8 *)(row + 8);
            c += *(const v8 *)(row + 16);
            d += *(const v8 *)(row + 24);
        }
        *(v8 *)(out + j) = a;
        *(v8 *)(out + j + 8) = b;
        *(v8 *)(out + j + 16) = c;
        *(v8 *)(out + j + 24) = d;
    }
}

/* out = bias + relu(x) @ w, w of shape (n, width) */
static inline void dense(const float *w, const float *bias, int n, int width,
                         const float *x, float *out) {
    uint16_t active[1024];
    int count = 0;
    for (int i = 0; i < n; i++) {
        active[count] = (uint16_t)i;
        count += x[i] > 0;
    }
    for (int j = 0; j < width; j += 32) {
        v8 a = *(const v8 *)(bias + j), b = *(const v8 *)(bias + j + 8);
        v8 c = *(const v8 *)(bias + j + 16), d = *(const v8 *)(bias + j + 24);
        const float *column = w + j;
        for (int i = 0; i < count; i++) {
            const float *row = column + (size_t)active[i] * width;
            float f = x[active[i]];
            v8 y = {f, f, f, f, f, f, f, f};
            a += y * *(const v8 *)row;
            b += y * *(const v8 *)(row + 8);
            c += y * *(const v8 *)(row + 16);
            d += y * *(const v8 *)(row + 24);
        }
        *(v8 *)(out + j) = a;
        *(v8 *)(out + j + 8) = b;
        *(v8 *)(out + j + 16) = c;
        *(v8 *)(out + j + 24) = d;
    }
}

/* The same for up to 32 decisions together, which keeps a slice of the weights in
 * the first-level cache while all of them use it. Decision s has the inputs
 * inputs[s][0 .. n[s]] and row s of each array of activations. */
#define SANTASE_CHUNK 32

static void sum_rows_many(const float *table, const float *bias, int width,
                          const uint16_t *const *inputs, const int *n, int count, float *out) {
    for (int j = 0; j < width; j += 32)
        for (int s = 0; s < count; s++) {
            v8 a = *(const v8 *)(bias + j), b = *(const v8 *)(bias + j + 8);
            v8 c = *(const v8 *)(bias + j + 16), d = *(const v8 *)(bias + j + 24);
            for (int i = 0; i < n[s]; i++) {
                const float *row = table + (size_t)inputs[s][i] * width + j;
                a += *(const v8 *)row;
                b += *(const v8 *)(row + 8);
                c += *(const v8 *)(row + 16);
                d += *(const v8 *)(row + 24);
            }
            float *to = out + (size_t)s * width + j;
            *(v8 *)to = a;
            *(v8 *)(to + 8) = b;
            *(v8 *)(to + 16) = c;
            *(v8 *)(to + 24) = d;
        }
}

static void add_to_rows_many(float *table, const float *g, int width,
                             const uint16_t *const *inputs, const int *n, int count) {
    for (int j = 0; j < width; j += 32)
        for (int s = 0; s < count; s++) {
            const float *from = g + (size_t)s * width + j;
            v8 a = *(const v8 *)from, b = *(const v8 *)(from + 8);
            v8 c = *(const v8 *)(from + 16), d = *(const v8 *)(from + 24);
            for (int i = 0; i < n[s]; i++) {
                float *row = table + (size_t)inputs[s][i] * width + j;
                *(v8 *)row += a;
                *(v8 *)(row + 8) += b;
                *(v8 *)(row + 16) += c;
                *(v8 *)(row + 24) += d;
            }
        }
}

static void dense_many(const float *w, const float *bias, int n, int width,
                       const float *x, int count, float *out) {
    uint16_t active[SANTASE_CHUNK][1024];
    int actives[SANTASE_CHUNK];
    for (int s = 0; s < count; s++) {
        int k = 0;
        for (int i = 0; i < n; i++) {
            active[s][k] = (uint16_t)i;
            k += x[(size_t)s * n + i] > 0;
        }
        actives[s] = k;
    }
    for (int j = 0; j < width; j += 32)
        for (int s = 0; s < count; s++) {
            const float *given = x + (size_t)s * n;
            v8 a = *(const v8 *)(bias + j), b = *(const v8 *)(bias + j + 8);
            v8 c = *(const v8 *)(bias + j + 16), d = *(const v8 *)(bias + j + 24);
            for (int k = 0; k < actives[s]; k++) {
                const float *row = w + (size_t)active[s][k] * width + j;
                float f = given[active[s][k]];
                v8 y = {f, f, f, f, f, f, f, f};
                a += y * *(const v8 *)row;
                b += y * *(const v8 *)(row + 8);
                c += y * *(const v8 *)(row + 16);
                d += y * *(const v8 *)(row + 24);
            }
            float *to = out + (size_t)s * width + j;
            *(v8 *)to = a;
            *(v8 *)(to + 8) = b;
            *(v8 *)(to + 16) = c;
            *(v8 *)(to + 24) = d;
        }
}

/* Backward through dense(): gw += relu(x) (outer) dz, dx = w @ dz where x > 0, else 0. */
static void dense_backward_many(const float *w, float *gw, int n, int width, const float *x,
                                const float *dz, int count, float *dx) {
    for (int i = 0; i < n; i++) {
        const float *row = w + (size_t)i * width;
        float *to = gw + (size_t)i * width;
        for (int s = 0; s < count; s++) {
            float f = x[(size_t)s * n + i];
            if (!(f > 0)) {
                dx[(size_t)s * n + i] = 0;
                continue;
            }
            const float *given = dz + (size_t)s * width;
            v8 y = {f, f, f, f, f, f, f, f}, a = {0}, b = {0};
            for (int j = 0; j < width; j += 16) {
                v8 d = *(const v8 *)(given + j), e = *(const v8 *)(given + j + 8);
                *(v8 *)(to + j) += y * d;
                *(v8 *)(to + j + 8) += y * e;
                a += d * *(const v8 *)(row + j);
                b += e * *(const v8 *)(row + j + 8);
            }
            a += b;
            dx[(size_t)s * n + i] = ((a[0] + a[4]) + (a[1] + a[5])) + ((a[2] + a[6]) + (a[3] + a[7]));
        }
    }
}

static void add_many(float *to, const float *x, int width, int count) {
    for (int s = 0; s < count; s++)
        for (int i = 0; i < width; i++) to[i] += x[(size_t)s * width + i];
}

#endif
