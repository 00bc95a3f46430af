/* Fuzz program for a model's config.json: read, matched with an architecture, summed up, run. */
#include "whole.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { LONGEST = 32 << 10 };
    char scenario[512];
    if (size > LONGEST)
        return 0;
    put_file("config", "config.json", data, size);
    int n = snprintf(scenario, sizeof scenario,
                     "kvsim: 1\nengine: sglang 0.5.9\nllm: %s/config\nmachine: {gpu: b200, count: 8}\n"
                     "launch: {tp-size: 4}\n",
                     own_folder());
    do_everything(scenario, (size_t)n, false);
    return 0;
}
