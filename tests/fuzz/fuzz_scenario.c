/* Fuzz program for scenarios and model files: the first letter tells what the rest is: s a scenario,
 * e an engine profile, l an llm, g a GPU, a an architecture, f number formats, m a machine. Everything
 * that the library can do is done with it. Run from a folder with models/, or with KVSIM_MODELS. */
#include "whole.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct {
    char letter;
    const char *kind, *name, *scenario;
} kinds[] = {
    {'e', "engine", "sglang-0.5.9.yaml",
     "kvsim: 1\nengine: sglang 0.5.9\nllm: llama-3.1-8b\nmachine: {gpu: h100-sxm, count: 2}\n"
     "launch: {tp-size: 2}\n"},
    {'l', "llm", "odd.yaml",
     "kvsim: 1\nengine: sglang 0.5.9\nllm: odd\nmachine: {gpu: h100-sxm, count: 8}\n"
     "launch: {tp-size: 8}\n"},
    {'g', "gpu", "odd.yaml",
     "kvsim: 1\nengine: sglang 0.5.9\nllm: llama-3.1-8b\nmachine: {gpu: odd, count: 2}\n"},
    {'a', "arch", "llama.yaml",
     "kvsim: 1\nengine: sglang 0.5.9\nllm: llama-3.1-8b\nmachine: {gpu: h100-sxm, count: 1}\n"},
    {'f', "format", "weights.yaml",
     "kvsim: 1\nengine: sglang 0.5.9\nllm: qwen3-8b\nmachine: {gpu: h100-sxm, count: 1}\n"},
    {'m', "machine", "odd.yaml",
     "kvsim: 1\nengine: sglang 0.5.9\nllm: llama-3.1-8b\nmachine: odd\n"},
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { LONGEST = 32 << 10 };
    if (size < 1 || size > LONGEST)
        return 0;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (data[0] != (uint8_t)kinds[i].letter)
            continue;
        put_file(kinds[i].kind, kinds[i].name, data + 1, size - 1);
        do_everything(kinds[i].scenario, strlen(kinds[i].scenario), true);
        remove_file(kinds[i].kind, kinds[i].name);
        return 0;
    }
    do_everything((const char *)data + 1, size - 1, false);
    return 0;
}
