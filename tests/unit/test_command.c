/* Pasted command lines: words with their places, environments, wrappers, containers, flags; and what
 * cannot be read. */
#include "support.h"

#include "read/command.h"
#include "read/shell.h"

/* A value as `text@line:column+length`, with ' behind the text if quotes are in it and ? if its bytes
 * are not those at its place; a list in brackets. */
static void dump_value(ks_builder *b, const ks_doc *doc)
{
    ks_position p = ks_position_of(doc->span);
    if (doc->kind == KS_LIST) {
        ks_add(b, KS_STR("["));
        for (size_t i = 0; i < doc->n; i++) {
            ks_addf(b, "%s", i ? " " : "");
            dump_value(b, doc->items[i].value);
        }
        ks_add(b, KS_STR("]"));
        return;
    }
    ks_addf(b, "%.*s%s%s@%u:%u+%u", KS_ARG(doc->text), doc->quoted ? "'" : "",
            doc->exact ? "" : "?", p.line, p.column, doc->span.n);
}

static ks_str at_span(ks_span span)
{
    return ks_slice(span.source->text, span.at, (size_t)span.at + span.n);
}

static void dump_named(ks_builder *b, const char *name, const ks_doc *doc)
{
    if (!doc)
        return;
    ks_addf(b, " %s ", name);
    dump_value(b, doc);
}

/* Keys as they are written. */
static void dump_map(ks_builder *b, const char *name, const ks_doc *map)
{
    if (map->n == 0)
        return;
    ks_addf(b, " %s {", name);
    for (size_t i = 0; i < map->n; i++) {
        ks_addf(b, "%s%.*s=", i ? ", " : "", KS_ARG(at_span(map->items[i].key_span)));
        dump_value(b, map->items[i].value);
    }
    ks_add(b, KS_STR("}"));
}

static ks_str dump(world *w, const ks_command *c)
{
    ks_builder b = {.arena = w->arena};
    ks_addf(&b, "%.*s [%.*s]", KS_ARG(c->engine), KS_ARG(at_span(c->at)));
    dump_named(&b, "version", c->version);
    dump_named(&b, "model", c->model);
    dump_named(&b, "image", c->image);
    dump_named(&b, "gpus", c->gpus);
    dump_named(&b, "ipc", c->ipc);
    dump_named(&b, "shm", c->shm_size);
    dump_map(&b, "env", c->env);
    dump_map(&b, "launch", c->launch);
    for (size_t i = 0; i < c->variables.n; i++)
        ks_addf(&b, " variable %.*s", KS_ARG(at_span(c->variables.items[i].at)));
    return ks_built(&b);
}

static bool read_text(world *w, ks_str text, bool by_lines, ks_command *c)
{
    forget_diags(w);
    const ks_source *source = ks_source_new(w->arena, KS_STR("c"), text);
    return ks_read_command(&w->diags, (ks_span){source, 0, (uint32_t)text.n}, by_lines, c);
}

/* Command line; what is read from it; diagnostics. From SGLang's and vLLM's documents, reports of
 * their users, and what people write around them. */
static void commands(void **state)
{
    world *w = *state;
    static const char *const rows[][3] = {
        /* SGLang's documents. */
        {"python -m sglang.launch_server --model-path meta-llama/Meta-Llama-3-8B-Instruct --tp 2",
         "sglang [sglang.launch_server] model meta-llama/Meta-Llama-3-8B-Instruct@1:45+35 "
         "launch {--model-path=meta-llama/Meta-Llama-3-8B-Instruct@1:45+35, --tp=2@1:86+1}",
         ""},
        {"python3 -m sglang.launch_server --model-path meta-llama/Llama-3.1-8B-Instruct --host "
         "0.0.0.0 --port 30000",
         "sglang [sglang.launch_server] model meta-llama/Llama-3.1-8B-Instruct@1:46+32 launch "
         "{--model-path=meta-llama/Llama-3.1-8B-Instruct@1:46+32, --host=0.0.0.0@1:86+7, "
         "--port=30000@1:101+5}",
         ""},
        {"python -m sglang.launch_server --model-path meta-llama/Meta-Llama-3-8B-Instruct "
         "--mem-fraction-static=0.7 --chunked-prefill-size 4096",
         "sglang [sglang.launch_server] model meta-llama/Meta-Llama-3-8B-Instruct@1:45+35 "
         "launch {--model-path=meta-llama/Meta-Llama-3-8B-Instruct@1:45+35, "
         "--mem-fraction-static=0.7@1:103+3, --chunked-prefill-size=4096@1:130+4}",
         ""},
        {"# Node 0\n"
         "python -m sglang.launch_server \\\n"
         "  --model-path meta-llama/Meta-Llama-3-8B-Instruct \\\n"
         "  --tp 4 \\\n"
         "  --dist-init-addr sgl-dev-0:50000 \\\n"
         "  --nnodes 2 \\\n"
         "  --node-rank 0\n"
         "\n"
         "# Node 1\n"
         "python -m sglang.launch_server \\\n"
         "  --model-path meta-llama/Meta-Llama-3-8B-Instruct \\\n"
         "  --tp 4 \\\n"
         "  --dist-init-addr sgl-dev-0:50000 \\\n"
         "  --nnodes 2 \\\n"
         "  --node-rank 1",
         "sglang [sglang.launch_server] model meta-llama/Meta-Llama-3-8B-Instruct@3:16+35 "
         "launch {--model-path=meta-llama/Meta-Llama-3-8B-Instruct@3:16+35, --tp=4@4:8+1, "
         "--dist-init-addr=sgl-dev-0:50000@5:20+15, --nnodes=2@6:12+1, --node-rank=0@7:15+1}",
         "warning C003 c:10:1 [python -m sglang.launch_server \\\n"
         "  --model-path meta-llama/Meta-Llama-3-8B-Instruct \\\n"
         "  --tp 4 \\\n"
         "  --dist-init-addr sgl-dev-0:50000 \\\n"
         "  --nnodes 2 \\\n"
         "  --node-rank 1]"},
        {"docker run --gpus all \\\n"
         "    --shm-size 32g \\\n"
         "    -p 30000:30000 \\\n"
         "    -v ~/.cache/huggingface:/root/.cache/huggingface \\\n"
         "    --env \"HF_TOKEN=<secret>\" \\\n"
         "    --ipc=host \\\n"
         "    lmsysorg/sglang:latest \\\n"
         "    python3 -m sglang.launch_server --model-path meta-llama/Llama-3.1-8B-Instruct "
         "--host 0.0.0.0 --port 30000",
         "sglang [sglang.launch_server] model meta-llama/Llama-3.1-8B-Instruct@8:50+32 image "
         "lmsysorg/sglang:latest@7:5+22 gpus all@1:19+3 ipc host@6:11+4 shm 32g@2:16+3 env "
         "{HF_TOKEN=<secret>'@5:21+8} launch "
         "{--model-path=meta-llama/Llama-3.1-8B-Instruct@8:50+32, --host=0.0.0.0@8:90+7, "
         "--port=30000@8:105+5}",
         ""},
        {"sglang serve --model-path meta-llama/Llama-3.1-8B-Instruct --host 0.0.0.0 --port "
         "30000 --tp-size 2 --mem-fraction-static 0.8",
         "sglang [sglang] model meta-llama/Llama-3.1-8B-Instruct@1:27+32 launch "
         "{--model-path=meta-llama/Llama-3.1-8B-Instruct@1:27+32, --host=0.0.0.0@1:67+7, "
         "--port=30000@1:82+5, --tp-size=2@1:98+1, --mem-fraction-static=0.8@1:122+3}",
         ""},
        {"sglang serve meta-llama/Llama-3.1-8B-Instruct --port 30000",
         "sglang [sglang] model meta-llama/Llama-3.1-8B-Instruct@1:14+32 launch "
         "{--port=30000@1:54+5}",
         ""},
        {"python3 -m sglang.launch_server --model-path deepseek-ai/DeepSeek-V3 "
         "--speculative-algorithm EAGLE --speculative-num-steps 1 --speculative-eagle-topk 1 "
         "--speculative-num-draft-tokens 2 --trust-remote-code --tp 8",
         "sglang [sglang.launch_server] model deepseek-ai/DeepSeek-V3@1:46+23 launch "
         "{--model-path=deepseek-ai/DeepSeek-V3@1:46+23, --speculative-algorithm=EAGLE@1:94+5, "
         "--speculative-num-steps=1@1:124+1, --speculative-eagle-topk=1@1:151+1, "
         "--speculative-num-draft-tokens=2@1:184+1, --trust-remote-code=true?@1:186+19, "
         "--tp=8@1:211+1}",
         ""},
        {"python3 -m sglang.launch_server --model deepseek-ai/DeepSeek-V3-0324 --tp 8 "
         "--cuda-graph-bs 1 2 4 8 16 24 32 --json-model-override-args '{\"num_hidden_layers\": "
         "4, \"rope_scaling\": {\"factor\": 8.0}}' --disable-radix-cache",
         "sglang [sglang.launch_server] model deepseek-ai/DeepSeek-V3-0324@1:41+28 launch "
         "{--model=deepseek-ai/DeepSeek-V3-0324@1:41+28, --tp=8@1:75+1, "
         "--cuda-graph-bs=[1@1:93+1 2@1:95+1 4@1:97+1 8@1:99+1 16@1:101+2 24@1:104+2 "
         "32@1:107+2], --json-model-override-args={\"num_hidden_layers\": 4, \"rope_scaling\": "
         "{\"factor\": 8.0}}'@1:138+57, --disable-radix-cache=true?@1:197+21}",
         ""},
        {"python -m sglang.launch_server --config config.yaml",
         "sglang [sglang.launch_server] launch {--config=config.yaml@1:41+11}", ""},
        /* Reports and threads. */
        {"SGL_ENABLE_JIT_DEEPGEMM=1 python3 -m sglang.launch_server --model /DeepSeek-V3 --tp 8 "
         "--trust-remote-code --enable-dp-attention --dp-size 8",
         "sglang [sglang.launch_server] model /DeepSeek-V3@1:67+12 env "
         "{SGL_ENABLE_JIT_DEEPGEMM=1@1:25+1} launch {--model=/DeepSeek-V3@1:67+12, "
         "--tp=8@1:85+1, --trust-remote-code=true?@1:87+19, "
         "--enable-dp-attention=true?@1:107+21, --dp-size=8@1:139+1}",
         ""},
        {"python -m sglang.launch_server --model  Qwen/Qwen3-235B-A22B-GPTQ-Int4 \\\n"
         "                                                         --tp 2 --mem-fraction 0.85  "
         "--host 0.0.0.0 --port 8000  \\\n"
         "                                                        --context-len 32768 "
         "--chunked-prefill-size 32768 \\\n"
         "                                                         --disable-cuda-graph "
         "--disable-cuda-graph-padding",
         "sglang [sglang.launch_server] model Qwen/Qwen3-235B-A22B-GPTQ-Int4@1:41+30 launch "
         "{--model=Qwen/Qwen3-235B-A22B-GPTQ-Int4@1:41+30, --tp=2@2:63+1, "
         "--mem-fraction=0.85@2:80+4, --host=0.0.0.0@2:93+7, --port=8000@2:108+4, "
         "--context-len=32768@3:71+5, --chunked-prefill-size=32768@3:100+5, "
         "--disable-cuda-graph=true?@4:58+20, --disable-cuda-graph-padding=true?@4:79+28}",
         ""},
        {"python -m sglang.launch_server --model-path NousResearch/Meta-Llama-3-8B-Instruct  "
         "--host 0.0.0.0  --port 8000 --context-length 4096 --dtype bfloat16  --max-prefill 8192",
         "sglang [sglang.launch_server] model NousResearch/Meta-Llama-3-8B-Instruct@1:45+37 "
         "launch {--model-path=NousResearch/Meta-Llama-3-8B-Instruct@1:45+37, "
         "--host=0.0.0.0@1:91+7, --port=8000@1:107+4, --context-length=4096@1:129+4, "
         "--dtype=bfloat16@1:142+8, --max-prefill=8192@1:166+4}",
         ""},
        {"python -m sglang.launch_server --model-path ~/Llama3-OpenBioLLM-70B-Instruct --port "
         "30000 --mem-fraction-static 0.9 --tp 8 --disable-disk-cache",
         "sglang [sglang.launch_server] model ~/Llama3-OpenBioLLM-70B-Instruct@1:45+32 launch "
         "{--model-path=~/Llama3-OpenBioLLM-70B-Instruct@1:45+32, --port=30000@1:85+5, "
         "--mem-fraction-static=0.9@1:113+3, --tp=8@1:122+1, "
         "--disable-disk-cache=true?@1:124+20}",
         ""},
        {"export CUDA_VISIBLE_DEVICES=0,1,2,3\n"
         "export NCCL_P2P_DISABLE=1 NCCL_DEBUG=INFO\n"
         "python3 -m sglang.launch_server --model-path Qwen/QwQ-32B --tp 4 "
         "--chunked-prefill-size -1",
         "sglang [sglang.launch_server] model Qwen/QwQ-32B@3:46+12 env "
         "{CUDA_VISIBLE_DEVICES=0,1,2,3@1:29+7, NCCL_P2P_DISABLE=1@2:25+1, "
         "NCCL_DEBUG=INFO@2:38+4} launch {--model-path=Qwen/QwQ-32B@3:46+12, --tp=4@3:64+1, "
         "--chunked-prefill-size=-1@3:89+2}",
         ""},
        {"nohup numactl --cpunodebind=0 --membind 0 python3 -u -m sglang.launch_server "
         "--model-path /models/Qwen3-8B --tp-size=2 > server.log 2>&1 &",
         "sglang [sglang.launch_server] model /models/Qwen3-8B@1:91+16 launch "
         "{--model-path=/models/Qwen3-8B@1:91+16, --tp-size=2@1:118+1}",
         ""},
        {"sudo docker run -d --name sgl --gpus '\"device=0,1\"' --ipc host --shm-size=16gb -e "
         "NCCL_P2P_LEVEL=SYS -eSGLANG_VLM_CACHE_SIZE_MB=512 --env=HF_HUB_OFFLINE=1 --ulimit "
         "memlock=-1 --network host -v /data/models:/models lmsysorg/sglang:v0.5.3rc0-cu126 "
         "python3 -m sglang.launch_server --model-path /models/Kimi-K2.5 --tp 2 -- --log-level "
         "info",
         "sglang [sglang.launch_server] version 0.5.3rc0@1:232+8 model "
         "/models/Kimi-K2.5@1:292+17 image lmsysorg/sglang:v0.5.3rc0-cu126@1:215+31 gpus "
         "\"device=0,1\"'@1:39+12 ipc host@1:59+4 shm 16gb@1:75+4 env "
         "{NCCL_P2P_LEVEL=SYS@1:98+3, SGLANG_VLM_CACHE_SIZE_MB=512@1:129+3, "
         "HF_HUB_OFFLINE=1@1:154+1} launch {--model-path=/models/Kimi-K2.5@1:292+17, "
         "--tp=2@1:315+1, --log-level=info@1:332+4}",
         ""},
        {"docker run -itd --rm --privileged --gpus=all --entrypoint python3 "
         "lmsysorg/sglang:v0.5.8.post1-cu130-amd64 -m sglang.launch_server --model-path "
         "Qwen/Qwen3-8B --kv-cache-dtype fp8_e4m3",
         "sglang [sglang.launch_server] version 0.5.8.post1@1:84+11 model "
         "Qwen/Qwen3-8B@1:145+13 image lmsysorg/sglang:v0.5.8.post1-cu130-amd64@1:67+40 gpus "
         "all@1:42+3 launch {--model-path=Qwen/Qwen3-8B@1:145+13, "
         "--kv-cache-dtype=fp8_e4m3@1:176+8}",
         ""},
        {"docker run --gpus all -it --rm lmsysorg/sglang:v0.5.9 bash -c \"export "
         "SGLANG_CUSTOM_ALLREDUCE_ALGO=1stage && cd /sgl-workspace && python3 -m "
         "sglang.launch_server --model-path moonshotai/Kimi-K2.5 --tp 8 --mem-fraction-static "
         "0.88\"",
         "sglang [sglang.launch_server] version 0.5.9@1:49+5 model "
         "moonshotai/Kimi-K2.5@1:176+20 image lmsysorg/sglang:v0.5.9@1:32+22 gpus all@1:19+3 "
         "env {SGLANG_CUSTOM_ALLREDUCE_ALGO=1stage@1:100+6} launch "
         "{--model-path=moonshotai/Kimi-K2.5@1:176+20, --tp=8@1:202+1, "
         "--mem-fraction-static=0.88@1:226+4}",
         "warning C003 c:1:107 [&& cd /sgl-workspace]"},
        {"docker exec -it -e A_B=17 sglang-server /usr/bin/python3.10 -m sglang.launch_server "
         "--model-path x --tp 1",
         "sglang [sglang.launch_server] model x@1:98+1 env {A_B=17@1:24+2} launch "
         "{--model-path=x@1:98+1, --tp=1@1:105+1}",
         ""},
        {"$ CUDA_VISIBLE_DEVICES=2 python -m sglang.launch_server --model-path Qwen/Qwen3-8B "
         "--tp $TP --port \"${PORT:-30000}\" --api-key $(cat key) --random-seed 17",
         "sglang [sglang.launch_server] model Qwen/Qwen3-8B@1:70+13 env "
         "{CUDA_VISIBLE_DEVICES=2@1:24+1} launch {--model-path=Qwen/Qwen3-8B@1:70+13, "
         "--tp=$TP@1:89+3, --port=${PORT:-30000}'@1:101+14, --api-key=$(cat key)@1:127+10, "
         "--random-seed=17@1:152+2} variable $TP variable ${PORT:-30000} variable $(cat key)",
         ""},
        {"root@gpu01:/sgl-workspace# python3 -m sglang.launch_server --model-path Qwen/Qwen3-8B",
         "sglang [sglang.launch_server] model Qwen/Qwen3-8B@1:73+13 launch "
         "{--model-path=Qwen/Qwen3-8B@1:73+13}",
         ""},
        {"cd /opt/sglang && source .venv/bin/activate && pip install -q sglang==0.5.9; python "
         "-m sglang.launch_server --model-path Qwen/Qwen3-8B | tee log.txt",
         "sglang [sglang.launch_server] model Qwen/Qwen3-8B@1:122+13 launch "
         "{--model-path=Qwen/Qwen3-8B@1:122+13}",
         "warning C003 c:1:1 [cd /opt/sglang]; warning C003 c:1:16 [&& source "
         ".venv/bin/activate]; warning C003 c:1:45 [&& pip install -q sglang==0.5.9]; warning "
         "C003 c:1:136 [| tee log.txt]"},
        {"CUDA_VISIBLE_DEVICES=0 docker run -e HF_TOKEN -e CUDA_VISIBLE_DEVICES --gpus all "
         "lmsysorg/sglang:dev python3 -m sglang.launch_server --model-path Qwen/Qwen3-8B",
         "sglang [sglang.launch_server] model Qwen/Qwen3-8B@1:147+13 image "
         "lmsysorg/sglang:dev@1:82+19 gpus all@1:78+3 env {CUDA_VISIBLE_DEVICES=0@1:22+1} "
         "launch {--model-path=Qwen/Qwen3-8B@1:147+13}",
         ""},
        {"NCCL_DEBUG=INFO podman run --device nvidia.com/gpu=all --security-opt=label=disable "
         "docker.io/lmsysorg/sglang:v0.5.6-cu129 python -m sglang.launch_server --model-path "
         "Qwen/Qwen3-8B",
         "sglang [sglang.launch_server] version 0.5.6@1:112+5 model Qwen/Qwen3-8B@1:168+13 "
         "image docker.io/lmsysorg/sglang:v0.5.6-cu129@1:85+38 launch "
         "{--model-path=Qwen/Qwen3-8B@1:168+13}",
         "warning C003 c:1:1 [NCCL_DEBUG=INFO]"},
        {"python -m sglang.launch_server --model-path Qwen/Qwen3-8B\n"
         "  --tp 2\n"
         "  --enable-metrics",
         "sglang [sglang.launch_server] model Qwen/Qwen3-8B@1:45+13 launch "
         "{--model-path=Qwen/Qwen3-8B@1:45+13, --tp=2@2:8+1, --enable-metrics=true?@3:3+16}",
         "warning C003 c:2:3 [-]"},
        {"python -m sglang.launch_server --model-path Qwen/Qwen3-8B --tp 2 --tp 4 --tp-size 8 "
         "--mem_fraction_static .85",
         "sglang [sglang.launch_server] model Qwen/Qwen3-8B@1:45+13 launch "
         "{--model-path=Qwen/Qwen3-8B@1:45+13, --tp=4@1:71+1, --tp-size=8@1:83+1, "
         "--mem_fraction_static=.85@1:107+3}",
         "warning C003 c:1:59 [--tp]"},
        {"torchrun --standalone --nproc_per_node 8 -m sglang.launch_server --model-path "
         "Qwen/Qwen3-8B --tp 8",
         "sglang [sglang.launch_server] model Qwen/Qwen3-8B@1:79+13 launch "
         "{--model-path=Qwen/Qwen3-8B@1:79+13, --tp=8@1:98+1}",
         ""},
        {"python3 -m torch.distributed.run --nnodes=1 --nproc-per-node=8 --module "
         "sglang.launch_server --model-path Qwen/Qwen3-8B",
         "sglang [sglang.launch_server] model Qwen/Qwen3-8B@1:107+13 launch "
         "{--model-path=Qwen/Qwen3-8B@1:107+13}",
         ""},
        {"python /sgl-workspace/sglang/python/sglang/launch_server.py --model-path "
         "Qwen/Qwen3-8B --tp 8",
         "sglang [/sgl-workspace/sglang/python/sglang/launch_server.py] model "
         "Qwen/Qwen3-8B@1:74+13 launch {--model-path=Qwen/Qwen3-8B@1:74+13, --tp=8@1:93+1}",
         ""},
        {"CUDA_VISIBLE_DEVICES=0 taskset -c 0-31 nice -n -5 timeout -k 10 3600 env -u "
         "HTTP_PROXY SGLANG_USE_MODELSCOPE=true python -m sglang.bench_one_batch --model-path "
         "Qwen/Qwen3-8B --batch-size 1 12 14 16 --input-len 256",
         "sglang [sglang.bench_one_batch] model Qwen/Qwen3-8B@1:161+13 env "
         "{CUDA_VISIBLE_DEVICES=0@1:22+1, SGLANG_USE_MODELSCOPE=true@1:110+4} launch "
         "{--model-path=Qwen/Qwen3-8B@1:161+13, --batch-size=[1@1:188+1 12@1:190+2 14@1:193+2 "
         "16@1:196+2], --input-len=256@1:211+3}",
         ""},
        {"tmux new-session -d -s sgl 'python3 -m sglang.launch_server --model-path "
         "Qwen/Qwen3-8B --tp 2'",
         "sglang [sglang.launch_server] model Qwen/Qwen3-8B@1:74+13 launch "
         "{--model-path=Qwen/Qwen3-8B@1:74+13, --tp=2@1:93+1}",
         ""},
        {"ssh -p 2222 root@10.0.0.17 \"docker exec -i c1 bash -lc 'python3 -m "
         "sglang.launch_server --model-path Qwen/Qwen3-8B --tp 4'\"",
         "sglang [sglang.launch_server] model Qwen/Qwen3-8B@1:102+13 launch "
         "{--model-path=Qwen/Qwen3-8B@1:102+13, --tp=4@1:121+1}",
         ""},
        {"nsys profile -t cuda,nvtx -o trace --cuda-graph-trace=node --force-overwrite true "
         "python3 -m sglang.launch_server --model-path Qwen/Qwen3-8B --disable-cuda-graph",
         "sglang [sglang.launch_server] model Qwen/Qwen3-8B@1:128+13 launch "
         "{--model-path=Qwen/Qwen3-8B@1:128+13, --disable-cuda-graph=true?@1:142+20}",
         ""},
        {"uv run --with 'sglang[all]' python -m sglang.launch_server --model-path Qwen/Qwen3-8B "
         "--lora-paths a=/l/a b=/l/b --max-loras-per-batch 2",
         "sglang [sglang.launch_server] model Qwen/Qwen3-8B@1:73+13 launch "
         "{--model-path=Qwen/Qwen3-8B@1:73+13, --lora-paths=[a=/l/a@1:100+6 b=/l/b@1:107+6], "
         "--max-loras-per-batch=2@1:136+1}",
         ""},
        /* vLLM. */
        {"python -u -m vllm.entrypoints.openai.api_server --host 0.0.0.0 --model "
         "mistralai/Mistral-7B-v0.1 --dtype half --gpu-memory-utilization 0.8  --max-model-len "
         "4096",
         "vllm [vllm.entrypoints.openai.api_server] model mistralai/Mistral-7B-v0.1@1:72+25 "
         "launch {--host=0.0.0.0@1:56+7, --model=mistralai/Mistral-7B-v0.1@1:72+25, "
         "--dtype=half@1:106+4, --gpu-memory-utilization=0.8@1:136+3, "
         "--max-model-len=4096@1:157+4}",
         ""},
        {"vllm serve deepseek-ai/DeepSeek-R1 --tensor-parallel-size 8 "
         "--pipeline-parallel-size=2 --trust-remote-code",
         "vllm [vllm] model deepseek-ai/DeepSeek-R1@1:12+23 launch "
         "{--tensor-parallel-size=8@1:59+1, --pipeline-parallel-size=2@1:86+1, "
         "--trust-remote-code=true?@1:88+19}",
         ""},
        {" sudo docker run --runtime nvidia --gpus all \\\n"
         "-v ~/.cache/huggingface:/root/.cache/huggingface \\\n"
         "--env \"HUGGING_FACE_HUB_TOKEN=\" \\\n"
         "-p 8003:8000 \\\n"
         "--ipc=host \\\n"
         "--name phi4 \\\n"
         "vllm/vllm-openai:latest \\\n"
         "--model  microsoft/phi-4 \\\n"
         "--gpu_memory_utilization=0.80 \\\n"
         "--max_model_len=4096",
         "vllm [vllm/vllm-openai:latest] model microsoft/phi-4@8:10+15 image "
         "vllm/vllm-openai:latest@7:1+23 gpus all@1:42+3 ipc host@5:7+4 env "
         "{HUGGING_FACE_HUB_TOKEN='@3:31+0} launch {--model=microsoft/phi-4@8:10+15, "
         "--gpu_memory_utilization=0.80@9:26+4, --max_model_len=4096@10:17+4}",
         ""},
        {"docker run --runtime nvidia --gpus '\"device=0,1\"' -d -v "
         "/data/model/llama:/data/model/llama -p 8001:8000 vllm/vllm-openai:v0.6.2 --model "
         "/data/model/llama --max-model-len 32 --served_model_name "
         "Llama-3.2-11B-Vision-Instruct --tensor-parallel-size 2 --gpu_memory_utilization 0.7",
         "vllm [vllm/vllm-openai:v0.6.2] version 0.6.2@1:124+5 model /data/model/llama@1:138+17 "
         "image vllm/vllm-openai:v0.6.2@1:106+23 gpus \"device=0,1\"'@1:37+12 launch "
         "{--model=/data/model/llama@1:138+17, --max-model-len=32@1:172+2, "
         "--served_model_name=Llama-3.2-11B-Vision-Instruct@1:195+29, "
         "--tensor-parallel-size=2@1:248+1, --gpu_memory_utilization=0.7@1:275+3}",
         ""},
        {"docker run --gpus all --ipc=host vllm/vllm-openai:v0.11.0 Qwen/Qwen3-8B -tp 2 "
         "--enforce-eager",
         "vllm [vllm/vllm-openai:v0.11.0] version 0.11.0@1:52+6 model Qwen/Qwen3-8B@1:59+13 "
         "image vllm/vllm-openai:v0.11.0@1:34+24 gpus all@1:19+3 ipc host@1:29+4 launch "
         "{-tp=2@1:77+1, --enforce-eager=true?@1:79+15}",
         ""},
        {"VLLM_USE_V1=1 VLLM_ATTENTION_BACKEND=FLASHINFER vllm serve --enable-prefix-caching "
         "--port 8000 Qwen/Qwen3-32B --speculative-config '{\"method\": \"eagle3\", "
         "\"num_speculative_tokens\": 3}' -dp 2 --enable-chunked-prefill False",
         "vllm [vllm] model Qwen/Qwen3-32B@1:96+14 env {VLLM_USE_V1=1@1:13+1, "
         "VLLM_ATTENTION_BACKEND=FLASHINFER@1:38+10} launch "
         "{--enable-prefix-caching=true?@1:60+23, --port=8000@1:91+4, "
         "--speculative-config={\"method\": \"eagle3\", \"num_speculative_tokens\": "
         "3}'@1:133+49, -dp=2@1:188+1, --enable-chunked-prefill=False@1:215+5}",
         ""},
        {"/opt/venv/bin/vllm serve \"/models/My Model\" --limit-mm-per-prompt '{\"image\": 2}' "
         "--kv-cache-dtype fp8 -O3",
         "vllm [/opt/venv/bin/vllm] model /models/My Model'@1:27+16 launch "
         "{--limit-mm-per-prompt={\"image\": 2}'@1:68+12, --kv-cache-dtype=fp8@1:99+3, "
         "-O3=true?@1:103+3}",
         ""},
        {"python -m vllm.entrypoints.openai.api_server --host 0.0.0.0 --port 12345 "
         "--max-model-len 65536 --trust-remote-code --tensor-parallel-size 8 --quantization "
         "moe_wna16 --gpu-memory-utilization 0.97 --kv-cache-dtype fp8_e5m2 "
         "--calculate-kv-scales --served-model-name deepseek-reasoner --model "
         "cognitivecomputations/DeepSeek-R1-AWQ",
         "vllm [vllm.entrypoints.openai.api_server] model "
         "cognitivecomputations/DeepSeek-R1-AWQ@1:290+37 launch {--host=0.0.0.0@1:53+7, "
         "--port=12345@1:68+5, --max-model-len=65536@1:90+5, --trust-remote-code=true?@1:96+19, "
         "--tensor-parallel-size=8@1:139+1, --quantization=moe_wna16@1:156+9, "
         "--gpu-memory-utilization=0.97@1:191+4, --kv-cache-dtype=fp8_e5m2@1:213+8, "
         "--calculate-kv-scales=true?@1:222+21, --served-model-name=deepseek-reasoner@1:264+17, "
         "--model=cognitivecomputations/DeepSeek-R1-AWQ@1:290+37}",
         ""},
        {"srun --nodes=1 -n 1 --gpus-per-node 8 --container-image lmsysorg/sglang:v0.5.5 bash "
         "-c 'vllm serve meta-llama/Llama-3.1-70B -tp 8'",
         "vllm [vllm] model meta-llama/Llama-3.1-70B@1:100+24 launch {-tp=8@1:129+1}", ""},
        /* Odd ways to write. */
        {"python -m sglang.launch_server --model-path 'Qwen/Qwen3-8B' --served-model-name "
         "\"qwen 3\" --chat-template it\\'s\\ mine --tp=1\"6\"",
         "sglang [sglang.launch_server] model Qwen/Qwen3-8B'@1:46+13 launch "
         "{--model-path=Qwen/Qwen3-8B'@1:46+13, --served-model-name=qwen 3'@1:82+6, "
         "--chat-template=it's mine'?@1:106+11, --tp=16'?@1:123+3}",
         ""},
        {"python -m sglang.launch_server --model-path <your-model> --tp 8 >/dev/null </dev/null "
         "2>&-",
         "sglang [sglang.launch_server] model <your-model>@1:45+12 launch "
         "{--model-path=<your-model>@1:45+12, --tp=8@1:63+1} variable <your-model>",
         ""},
        {"python -m sglang.launch_server \\ \n"
         "  --model-path Qwen/Qwen3-8B \\  \n"
         "  --tp \\\n"
         "8 # eight GPUs",
         "sglang [sglang.launch_server] model Qwen/Qwen3-8B@2:16+13 launch "
         "{--model-path=Qwen/Qwen3-8B@2:16+13, --tp=8@4:1+1}",
         ""},
        {"(python -m sglang.launch_server --model-path=Qwen/Qwen3-8B --tp '')",
         "sglang [sglang.launch_server] model Qwen/Qwen3-8B@1:46+13 launch "
         "{--model-path=Qwen/Qwen3-8B@1:46+13, --tp='@1:66+0}",
         ""},
        {"A=1; python -m sglang.launch_server stray --model-path Qwen/Qwen3-8B --enable-metrics "
         "stray2 &",
         "sglang [sglang.launch_server] model Qwen/Qwen3-8B@1:56+13 launch "
         "{--model-path=Qwen/Qwen3-8B@1:56+13, --enable-metrics=true?@1:70+16}",
         "warning C003 c:1:1 [A=1]; warning C003 c:1:37 [stray]; warning C003 c:1:87 [stray2]"},
        /* How the server is wrapped. */
        {"env NCCL_P2P_DISABLE=1 sudo -E HF_HOME=/hf setsid python3 -X dev -W ignore -m "
         "sglang.launch_server --model-path x",
         "sglang [sglang.launch_server] model x@1:113+1 env {NCCL_P2P_DISABLE=1@1:22+1, "
         "HF_HOME=/hf@1:40+3} launch {--model-path=x@1:113+1}",
         ""},
        {"sglang serve --model-path x --tp 2 & SERVER=$!; sleep 60; curl localhost:30000/health "
         "|| exit 1",
         "sglang [sglang] model x@1:27+1 launch {--model-path=x@1:27+1, --tp=2@1:34+1}",
         "warning C003 c:1:36 [& SERVER=$!]; warning C003 c:1:47 [; sleep 60]; warning C003 "
         "c:1:57 [; curl localhost:30000/health]; warning C003 c:1:87 [|| exit 1]"},
        {"for i in 0 1; do CUDA_VISIBLE_DEVICES=$i python -m sglang.launch_server --model-path "
         "x --port 3000$i & done",
         "sglang [sglang.launch_server] model x@1:86+1 env {CUDA_VISIBLE_DEVICES=$i@1:39+2} "
         "launch {--model-path=x@1:86+1, --port=3000$i@1:95+6} variable $i variable $i",
         "warning C003 c:1:1 [for i in 0 1]"},
        {"docker run --gpus all --env-file prod.env --entrypoint \"\" -w /w -h box -m 64g -u "
         "1000:1000 -l a=b --add-host h:10.0.0.1 nvcr.io/nvidia/sglang:25.10-py3 sglang serve "
         "--model-path x",
         "sglang [sglang] model x@1:179+1 image nvcr.io/nvidia/sglang:25.10-py3@1:121+31 gpus "
         "all@1:19+3 launch {--model-path=x@1:179+1}",
         "warning C003 c:1:34 [prod.env]"},
        {"{ python -m sglang.launch_server --model-path x --tp 2 --port 30000; }",
         "sglang [sglang.launch_server] model x@1:47+1 launch {--model-path=x@1:47+1, "
         "--tp=2@1:54+1, --port=30000@1:63+5}",
         ""},
        {"docker container run --pull always --init --restart unless-stopped -P -p 80:8000 "
         "vllm/vllm-openai:v0.10.1.1@sha256:0a1b --model a/b --api-key k",
         "vllm [vllm/vllm-openai:v0.10.1.1@sha256:0a1b] version 0.10.1.1@1:100+8 model "
         "a/b@1:129+3 image vllm/vllm-openai:v0.10.1.1@sha256:0a1b@1:82+38 launch "
         "{--model=a/b@1:129+3, --api-key=k@1:143+1}",
         ""},
        {"conda run -n sgl --no-capture-output python -m sglang.launch_server --model-path x "
         "--nnodes 2",
         "sglang [sglang.launch_server] model x@1:82+1 launch {--model-path=x@1:82+1, "
         "--nnodes=2@1:93+1}",
         ""},
        {"mpirun -np 1 --bind-to none -x NCCL_DEBUG=INFO screen -dmS s python -m "
         "sglang.launch_server --model-path x",
         "sglang [sglang.launch_server] model x@1:106+1 launch {--model-path=x@1:106+1}", ""},
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        ks_command c;
        bool good = read_text(w, ks_from_c(rows[i][0]), true, &c);
        CHECK_TEXT(rows[i][0], good ? dump(w, &c) : KS_STR("-"), rows[i][1]);
        CHECK_TEXT(rows[i][0], summary(w), rows[i][2]);
    }
}

/* Where a line's end is a blank. */
static void one_line(void **state)
{
    world *w = *state;
    static const char *const rows[][2] = {
        {"A=17 python\n  -m\nsglang.launch_server\n --tp\n 8",
         "sglang [sglang.launch_server] env {A=17@1:3+2} launch {--tp=8@5:2+1}"},
        {"vllm serve a/b \\\n --port 8000 \\\n # no more\n -tp 2",
         "vllm [vllm] model a/b@1:12+3 launch {--port=8000@2:9+4, -tp=2@4:6+1}"},
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        ks_command c;
        CHECK(rows[i][0], read_text(w, ks_from_c(rows[i][0]), false, &c));
        CHECK_TEXT(rows[i][0], dump(w, &c), rows[i][1]);
        CHECK_TEXT(rows[i][0], summary(w), "");
    }
}

static void errors(void **state)
{
    world *w = *state;
    static const char *const rows[][2] = {
        {"", "C002 c []"},
        {"  # python -m sglang.launch_server\n", "C002 c:1:1 [ ]"},
        {"ls -l", "C002 c:1:1 [ls -l]"},
        {"A=17 B=31", "C002 c:1:1 [A=17 B=31]"},
        {"export A=17", "C002 c:1:1 [export A=17]"},
        {"python -m sglang.bench_serving --tp 8",
         "C002 c:1:1 [python -m sglang.bench_serving --tp 8]"},
        {"python", "C002 c:1:1 [python]"},
        {"python -m", "C002 c:1:1 [python -m]"},
        {"python -c 'import sglang'", "C002 c:1:1 [python -c 'import sglang']"},
        {"sglang", "C002 c:1:1 [sglang]"},
        {"vllm bench serve", "C002 c:1:1 [vllm bench serve]"},
        {"docker run", "C002 c:1:1 [docker run]"},
        {"docker run --gpus all lmsysorg/sglang",
         "C002 c:1:1 [docker run --gpus all lmsysorg/sglang]"},
        {"docker ps", "C002 c:1:1 [docker ps]"},
        {"sudo", "C002 c:1:1 [sudo]"},
        {"timeout 17", "C002 c:1:1 [timeout 17]"},
        {"bash run.sh", "C002 c:1:1 [bash run.sh]"},
        {"bash -c", "C002 c:1:1 [bash -c]"},
        {"trtllm-serve a/b --tp_size 8", "C002 c:1:1 [trtllm-serve a/b --tp_size 8]"},
        {"sudo sudo sudo", "C002 c:1:1 [sudo sudo sudo]"},
        /* A text in a text in a text ... */
        {"bash -c \"bash -c 'ls'\"", "C002 c:1:19 [ls]"},
        {"sh -c 'sh -c \"sh -c \\\"sh -c ls\\\"\"'", "C002 c: -c:1:8 [sh -c ls]"},
        /* Quotes and bytes. */
        {"vllm serve 'a/b", "C002 c:1:12 [']"},
        {"vllm serve \"a/b\n --tp 8", "C002 c:1:12 [\"]"},
        {"vllm serve a/b --x $'17", "C002 c:1:21 [']"},
        {"vllm serve \x1b[31m", "C002 c:1:12 [\x1b]"},
        {"vllm serve \xff", "C002 c:1:12 [\xff]"},
        {"vllm serve \xed\xa0\x80", "C002 c:1:12 [\xed]"},
        {"vllm serve \xc0\x80", "C002 c:1:12 [\xc0]"},
        {"vllm serve \xe2\x82", "C002 c:1:12 [\xe2]"},
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        ks_command c;
        CHECK(rows[i][0], !read_text(w, ks_from_c(rows[i][0]), true, &c));
        CHECK_TEXT(rows[i][0], summary(w), rows[i][1]);
    }
    ks_command c;
    CHECK("a zero byte", !read_text(w, KS_STR("vllm serve a\0b"), true, &c));
    CHECK_WHOLE("a zero byte", w->diags.items[0].span.at, 12);
}

/* A text of `n` times a part behind a beginning. */
static ks_str repeated(world *w, const char *begin, const char *part, size_t n)
{
    ks_builder b = {.arena = w->arena};
    ks_add(&b, ks_from_c(begin));
    for (size_t i = 0; i < n; i++)
        ks_add(&b, ks_from_c(part));
    return ks_built(&b);
}

static void limits(void **state)
{
    world *w = *state;
    static const struct {
        const char *begin, *part;
        size_t n;
        bool good;
    } rows[] = {
        {"vllm serve ", "a", (64 << 10) - 11, true},  {"vllm serve ", "a", (64 << 10) - 10, false},
        {"vllm serve", " a", KS_MAX_WORDS - 2, true}, {"vllm serve", " a", KS_MAX_WORDS - 1, false},
        {"", "sudo ", KS_MAX_WORDS, false},           {"", "sudo;", KS_MAX_WORDS, false},
        {"vllm serve a ", "$(", 30000, true},         {"vllm serve a ", "${", 30000, true},
        {"vllm serve a ", "`\\`", 20000, true},       {"vllm serve a ", "<b", 30000, true},
        {"vllm serve a ", "-x -y ", 2000, true},      {"vllm serve a ", "\\ ", 30000, true},
        {"vllm serve a ", "\\\n", 30000, true},       {"", "export A=17\n", 1300, false},
        {"docker run", " -e A=17", 2000, false},      {"", "bash -c ", 2000, false},
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        ks_command c;
        ks_str text = repeated(w, rows[i].begin, rows[i].part, rows[i].n);
        CHECK(rows[i].part, read_text(w, text, true, &c) == rows[i].good);
    }
}

/* Only what stands in a value is told of. */
static void variables(void **state)
{
    world *w = *state;
    ks_command c;
    CHECK("variables", read_text(w, KS_STR("vllm serve $M --a $A --b 1 ${B} --c 17"), true, &c));
    ks_warn_of_variables(&w->diags, &c, c.model);
    CHECK_TEXT("model", summary(w), "warning C004 c:1:12 [$M]");
    forget_diags(w);
    for (size_t i = 0; i < c.launch->n; i++)
        ks_warn_of_variables(&w->diags, &c, c.launch->items[i].value);
    CHECK_TEXT("flags", summary(w), "warning C004 c:1:19 [$A]; warning C004 c:1:28 [${B}]");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_WORLD(commands), IN_WORLD(one_line),  IN_WORLD(errors),
        IN_WORLD(limits),   IN_WORLD(variables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
