#!/bin/bash
# Kimi-K2.5 on eight GPUs, as it would stand in a report.
export NCCL_DEBUG=WARN
docker run --gpus all --shm-size 32g -e HF_TOKEN=hf_0123456789 -e NCCL_P2P_LEVEL=SYS \
  --env "SGLANG_CUSTOM_ALLREDUCE_ALGO=1stage" --ipc=host -p 30000:30000 \
  -v ~/.cache/huggingface:/root/.cache/huggingface \
  lmsysorg/sglang:v0.5.9-cu129 \
  python3 -m sglang.launch_server --model-path moonshotai/Kimi-K2.5 \
  --tp 8 --mem-frac 0.88 --trust-remote-code --host 0.0.0.0 \
  --disable-custom-all-reduce --made-up-flag 17 --kv-cache-dtype "fp8_e4m3" | tee log.txt
