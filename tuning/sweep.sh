#!/usr/bin/env bash
# Plays a sweep, here or on a cluster, in one piece or in shards that are merged at the end.
#
#   tuning/sweep.sh [--slurm] [--shards N] [--out DIR] [--sbatch OPTION]... EXPERIMENT [OPTION]...
#
# EXPERIMENT is a sweep's file such as tuning/exploration.toml, or a whole command of lab that takes
# --shard: 'match A B', 'tournament A B C' or 'tournament --file tuning/panel.toml' with its options.
# What follows it goes to lab.
#
#   --shards N        N parts [default: 1 here, 4 with --slurm]. Here they run at the same time, on one
#                     core each; without shards one run uses all cores.
#   --slurm           Submit a job array, one shard a task, and a job that merges them when all have
#                     ended well; print both job ids and leave. A task that is requeued, for example
#                     because its node failed, goes on where it stopped. DIR must be on a file system
#                     that all nodes share.
#   --sbatch OPTION   An option for sbatch, such as --sbatch --partition=long; may be given again. For
#                     games at the same time in each task: --sbatch --cpus-per-task=8.
#   --out DIR         Where to play [default: runs/ and the experiment's name]. The shards are in
#                     DIR/shards/, the merged run in DIR itself.
#
# Started again with the same arguments, it goes on where it was stopped. The program is $LAB, or the
# release build of this repository, which is made first.
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
        -*) fail "there is no option $1; options for lab come after EXPERIMENT (see --help)" ;;
        *) break ;;
    esac
done
[ $# -ge 1 ] || { usage >&2; exit 2; }
$slurm && : "${shards:=4}"
: "${shards:=1}"
[[ $shards =~ ^[1-9][0-9]{0,5}$ ]] || fail "--shards $shards: expected a number from 1 on"

# The command of lab, and the name of the run.
case $1 in
    match | tournament | sweep)
        name=$1 command=("$@")
        for at in "${!command[@]}"; do
            [ "${command[at]}" != --file ] || name=$(basename "${command[at + 1]:-}" .toml)
        done ;;
    *)
        [ -f "$1" ] || fail "there is no file $1"
        name=$(basename "$1" .toml)
        command=(sweep "$@") ;;
esac
: "${out:=runs/$name}"

if [ -z "${LAB:-}" ]; then
    root=$(cd "$(dirname "$0")/.." && pwd)
    cargo build --quiet --release --manifest-path "$root/Cargo.toml" --bin lab
    LAB=${CARGO_TARGET_DIR:-$root/target}/release/lab
fi
LAB=$(command -v "$LAB") || fail "there is no program $LAB"
LAB=$(realpath "$LAB")

folder() { echo "$out/shards/$1-of-$shards"; }
folders=()
for shard in $(seq "$shards"); do folders+=("$(folder "$shard")"); done
# Merging would refuse games that are none of its shards', but only when all is played.
if { $slurm || [ "$shards" != 1 ]; } && [ -e "$out/run.json" ]; then
    for part in "${folders[@]}"; do
        [ -e "$part/run.json" ] || fail "$out holds a run, but not in $out/shards its $shards shards; give another --out"
    done
fi

on_slurm() {
    command -v sbatch >/dev/null || fail "--slurm: there is no sbatch here"
    mkdir -p "$out"
    # What a job runs is a script of its own; %q keeps every argument as it is.
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
    [ $failed = 0 ] || fail "not merged, for a shard failed; the others are kept"
    exec "$LAB" merge "$out" "${folders[@]}"
}

if $slurm; then on_slurm; else here; fi
