#!/bin/sh
# Property: what `kvsim solve` calls the ends of an interval are ends. For each case, the scenario is
# run at the lowest and highest fraction that shall work, and one step outside of each: both ends must
# fit (with the middle values of all estimates), both neighbours must not, and must fail at what the
# interval's end says.
set -eu
: "${top_srcdir:=.}" "${top_builddir:=build}"
kvsim=$top_builddir/kvsim
KVSIM_MODELS=$top_srcdir/models
export KVSIM_MODELS LC_ALL=C
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# engine, model, GPU, launch; as many kinds as cost little time.
cases() {
    cat <<'END'
0.4.3 llama-3.1-8b l40s tp-size: 1
0.4.6 qwen2.5-32b a100-80gb tp-size: 1
0.4.8 deepseek-v3 h200 tp-size: 8
0.5.3 qwen3-32b h100-sxm tp-size: 2
0.5.9 kimi-k2.5-int4 rtx-pro-6000 tp-size: 8
0.5.9 gpt-oss-120b h100-sxm tp-size: 1
0.5.10 qwen3-30b-a3b rtx-5090 tp-size: 4
0.5.12 gemma-3-27b a100-80gb tp-size: 1
0.5.14 qwen3-8b rtx-4090 tp-size: 1
0.5.18 qwen3-next-80b-a3b h200 tp-size: 4
0.5.18 glm-4.5-air-fp8 h100-sxm tp-size: 4
END
}

# The verdict's check at a fraction: "fits", or what fails most likely; ranges do not count here.
outcome() {
    "$kvsim" run --json "$scratch/case.yaml" --set "mem-fraction-static=$1" 2>/dev/null |
        perl -ne 'print /"fails": \{"phase": "[^"]*", "check": "([^"]*)"/ ? $1 : "fits"'
}

failed=0
cases | while read -r engine llm gpu key value; do
    printf 'kvsim: 1\nengine: sglang %s\nllm: %s\nmachine: {gpu: %s, count: %s}\nlaunch:\n  %s %s\n' \
        "$engine" "$llm" "$gpu" "$value" "$key" "$value" >"$scratch/case.yaml"
    "$kvsim" solve --json "$scratch/case.yaml" mem-fraction-static >"$scratch/solved" 2>/dev/null || true
    perl -ne '
        my ($low, $high) = /"advice": \[\{"set": "[^"]*", "low": ([\d.]+), "high": ([\d.]+)/ or exit 1;
        my ($below) = /"low_why": "([^"]*)"/;
        my ($above) = /"high_why": "([^"]*)"/;
        for ([$low, -1, $below], [$high, 1, $above]) {
            my ($end, $step, $why) = @$_;
            my ($beyond) = $why =~ /; .* at ([\w.]+)$/;
            printf "%.3f %.3f %s\n", $end, $end + $step / 1000, $beyond // "limit";
        }' "$scratch/solved" >"$scratch/ends" || { echo "$engine $llm: nothing works"; exit 1; }
    while read -r end beyond check; do
        inside=$(outcome "$end")
        outside=limit
        [ "$check" = limit ] || outside=$(outcome "$beyond")
        [ "$inside" = fits ] && [ "$outside" = "$check" ] && continue
        echo "$engine $llm: $end: $inside; $beyond: $outside, should be $check"
        exit 1
    done <"$scratch/ends"
done || failed=1
exit $failed
