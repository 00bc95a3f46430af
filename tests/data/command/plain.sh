python -m sglang.launch_server --model-path /data/models/Qwen3-8B/ --tp 2 --tp-size 4 --api-key $KEY
