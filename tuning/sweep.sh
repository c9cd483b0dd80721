#!/usr/bin/env bash
# Plays a sweep on this machine or on a cluster, in one piece or in shards that are merged at the end.
#
#   tuning/sweep.sh [--slurm] [--shards N] [--out DIR] [--sbatch OPTION]... EXPERIMENT [OPTION]...
#
# EXPERIMENT is a sweep's file, such as tuning/exploration.toml, or a complete lab command that takes --shard:
# 'match A B', 'tournament A B C' or 'tournament --file tuning/panel.toml'. Everything after EXPERIMENT is passed to lab.
#
#   --shards N        Number of shards [default: 1 here, 4 with --slurm]. Here they run in parallel on one core each; a
#                     run in one piece uses all cores.
#   --slurm           Submit a job array with one shard per task, and a job that merges the shards when all tasks have
#                     succeeded; print both job ids and exit. A task that is requeued, for example after a node failure,
#                     continues where it stopped. DIR must be on a file system shared by all nodes.
#   --sbatch OPTION   Option for sbatch, such as --sbatch --partition=long. Can be repeated. For parallel games in each
#                     task: --sbatch --cpus-per-task=8.
#   --out DIR         Folder for the run [default: runs/ and the experiment's name]. The shards are in DIR/shards/, the
#                     merged run in DIR itself.
#
# The same command continues an interrupted run. The program is $LAB, or this repository's release build.
set -euo pipefail

fail() { echo "sweep.sh: $*" >&2; exit 2; }
usage() { sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p}' "$0"; }

slurm=false shards= out= sbatch_options=()
while [ $# -gt 0 ]; do
    case $1 in
        --slurm) slurm=true; shift ;;
        --shards | --out | --sbatch)
            [ $# -ge 2 ] || fail "$1 needs a value"
            case $1 in
                --shards) shards=$2 ;;
                --out) out=$2 ;;
                --sbatch) sbatch_options+=("$2") ;;
            esac
            shift 2 ;;
        -h | --help) usage; exit 0 ;;
        -*) fail "unknown option $1; options for lab come after EXPERIMENT (see --help)" ;;
        *) break ;;
    esac
done
[ $# -ge 1 ] || { usage >&2; exit 2; }
$slurm && : "${shards:=4}"
: "${shards:=1}"
[[ $shards =~ ^[1-9][0-9]{0,5}$ ]] || fail "--shards $shards: expected a number of at least 1"

# The lab command, and the name of the run.
case $1 in
    match | tournament | sweep)
        name=$1 command=("$@")
        for at in "${!command[@]}"; do
            [ "${command[at]}" != --file ] || name=$(basename "${command[at + 1]:-}" .toml)
        done ;;
    *)
        [ -f "$1" ] || fail "no such file: $1"
        name=$(basename "$1" .toml)
        command=(sweep "$@") ;;
esac
: "${out:=runs/$name}"

if [ -z "${LAB:-}" ]; then
    root=$(cd "$(dirname "$0")/.." && pwd)
    cargo build --quiet --release --manifest-path "$root/Cargo.toml" --bin lab
    LAB=${CARGO_TARGET_DIR:-$root/target}/release/lab
fi
LAB=$(command -v "$LAB") || fail "no such program: $LAB"
LAB=$(realpath "$LAB")

folder() { echo "$out/shards/$1-of-$shards"; }
folders=()
for shard in $(seq "$shards"); do folders+=("$(folder "$shard")"); done
# The merge would refuse games of other shards, but only after everything has been played.
if { $slurm || [ "$shards" != 1 ]; } && [ -e "$out/run.json" ]; then
    for part in "${folders[@]}"; do
        [ -e "$part/run.json" ] || fail "$out holds a run but not its $shards shards in $out/shards; use another --out"
    done
fi

on_slurm() {
    command -v sbatch >/dev/null || fail "--slurm: sbatch is not installed"
    mkdir -p "$out"
    # Each job runs its own script; %q quotes the arguments in it.
    quoted() { printf '%q ' "$@"; }
    local array merge log parts options=(${sbatch_options[@]+"${sbatch_options[@]}"})
    log=$(realpath "$out")/slurm
    parts=$(printf '%q' "$out/shards")
    array=$(sbatch --parsable --job-name="$name" --array="1-$shards" --requeue --open-mode=append \
        --output="$log-%A-%a.txt" ${options[@]+"${options[@]}"} <<SCRIPT
#!/bin/bash
echo "task \$SLURM_ARRAY_TASK_ID on \$SLURMD_NODENAME, restarts: \${SLURM_RESTART_COUNT:-0}"
exec $(quoted "$LAB" "${command[@]}") --out $parts/"\$SLURM_ARRAY_TASK_ID-of-$shards" \
    --shard "\$SLURM_ARRAY_TASK_ID/$shards" --jobs "\${SLURM_CPUS_PER_TASK:-1}"
SCRIPT
    )
    merge=$(sbatch --parsable --job-name="$name-merge" --dependency="afterok:$array" \
        --kill-on-invalid-dep=yes --requeue --output="$log-%j-merge.txt" ${options[@]+"${options[@]}"} <<SCRIPT
#!/bin/bash
exec $(quoted "$LAB" merge "$out" "${folders[@]}")
SCRIPT
    )
    echo "array $array"
    echo "merge $merge"
}

here() {
    if [ "$shards" = 1 ]; then
        exec "$LAB" "${command[@]}" --out "$out"
    fi
    local pids=() pid failed=0
    trap 'kill "${pids[@]}" 2>/dev/null || true; exit 130' INT TERM
    for shard in $(seq "$shards"); do
        mkdir -p "$(folder "$shard")"
        "$LAB" "${command[@]}" --out "$(folder "$shard")" --shard "$shard/$shards" --jobs 1 \
            >"$(folder "$shard")/log.txt" 2>&1 &
        pids+=($!)
    done
    for shard in $(seq "$shards"); do
        if ! wait "${pids[$((shard - 1))]}"; then
            failed=1
            echo "shard $shard failed: $(tail -n 1 "$(folder "$shard")/log.txt")" >&2
        fi
    done
    [ $failed = 0 ] || fail "not merged, because a shard failed; the others are kept"
    exec "$LAB" merge "$out" "${folders[@]}"
}

if $slurm; then on_slurm; else here; fi
