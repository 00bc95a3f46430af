#include "engine/quasi.h"

#include <gsl/gsl_qrng.h>
#include <math.h>

enum { SOBOL_DIMENSIONS = 40 };

static void free_generator(void *generator)
{
    gsl_qrng_free(generator);
}

double *ks_quasi_points(ks_arena *arena, size_t dimensions, size_t n)
{
    static const double golden = 0.6180339887498949;
    double *points = KS_NEW_ARRAY(arena, double, dimensions * n + 1);
    size_t drawn = dimensions < SOBOL_DIMENSIONS ? dimensions : SOBOL_DIMENSIONS;
    gsl_qrng *generator = drawn ? gsl_qrng_alloc(gsl_qrng_sobol, (unsigned)drawn) : NULL;
    if (!generator)
        return points;
    ks_cleanup *cleanup = ks_defer(arena, free_generator, generator);
    for (size_t i = 0; i < n; i++) {
        double point[SOBOL_DIMENSIONS];
        gsl_qrng_get(generator, point);
        for (size_t d = 0; d < dimensions; d++) {
            double turned = point[d % drawn] + golden * (double)(d / drawn);
            points[i * dimensions + d] = turned - floor(turned);
        }
    }
    ks_finish(arena, cleanup);
    return points;
}
