#!/usr/bin/env bash
# Plays a sweep on this machine or on a cluster, in one piece or in shards that are merged at the end.
#
#   tuning/sweep.sh [--slurm] [--shards N] [--round GAMES] [--out DIR] [--sbatch OPTION]... EXPERIMENT [OPTION]...
#
# EXPERIMENT is a sweep's file, such as tuning/exploration.toml, or a complete lab command that takes --shard:
# 'match A B', 'tournament A B C', 'tournament --file tuning/panel.toml' or 'tune tuning/search.toml'. Everything after
# EXPERIMENT is passed to lab.
#
#   --shards N        Number of shards [default: 1, or 4 with --slurm]. On this machine they run in parallel, on one
#                     core each; a run in one piece uses all cores.
#   --slurm           Submit a job array with one shard per task, and a job that merges the shards when all tasks have
#                     succeeded; print the job ids and exit. A task that is requeued, for example after a node failure,
#                     continues where it stopped. DIR must be on a file system shared by all nodes. The shards of a
#                     tuning run need each other's games, so they are the tasks of one job, which starts when there is
#                     room for all of them.
#   --round GAMES     For a match with a sequential test (--sprt) in shards: merge the shards after every GAMES games,
#                     which applies the test, and stop once the test is decided [default: a tenth of the match]. With
#                     --slurm, the rounds are jobs that depend on each other; those after the decision end at once.
#   --sbatch OPTION   Option for sbatch, such as --sbatch --partition=long. Can be repeated. For parallel games in each
#                     task: --sbatch --cpus-per-task=8.
#   --out DIR         Folder for the run [default: runs/ and the experiment's name]. The shards are in DIR/shards/, and
#                     the merged run is in DIR itself.
#
# The same command continues an interrupted run. The program is $LAB, or this repository's release build.
set -euo pipefail

fail() { echo "sweep.sh: $*" >&2; exit 2; }
usage() { sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p}' "$0"; }

slurm=false shards= round= out= sbatch_options=()
while [ $# -gt 0 ]; do
    case $1 in
        --slurm) slurm=true; shift ;;
        --shards | --round | --out | --sbatch)
            [ $# -ge 2 ] || fail "$1 needs a value"
            case $1 in
                --shards) shards=$2 ;;
                --round) round=$2 ;;
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
    match | tournament | sweep | tune)
        name=$1 command=("$@")
        for argument; do
            [[ $argument != *.toml ]] || { name=$(basename -- "${argument#--file=}" .toml); break; }
        done ;;
    *)
        [ -f "$1" ] || fail "$1: expected a file, or match, tournament, sweep, tune"
        name=$(basename -- "$1" .toml)
        command=(sweep "$@") ;;
esac
: "${out:=runs/$name}"

if [ -z "${LAB:-}" ]; then
    root=$(cd "$(dirname "$0")/.." && pwd)
    echo "building lab ..." >&2
    cargo build --quiet --release --manifest-path "$root/Cargo.toml" --bin lab
    LAB=${CARGO_TARGET_DIR:-$root/target}/release/lab
fi
found=$(command -v "$LAB") || fail "no such program: $LAB"
LAB=$(realpath "$found")

folder() { echo "$out/shards/$1-of-$shards"; }
folders=()
for shard in $(seq "$shards"); do folders+=("$(folder "$shard")"); done
# The merge would refuse games of other shards, but only after everything has been played.
if { $slurm || [ "$shards" != 1 ]; } && [ -e "$out/run.json" ]; then
    for part in "${folders[@]}"; do
        [ -e "$part/run.json" ] || fail "$out holds a run but not its $shards shards in $out/shards; use another --out"
    done
fi

# The option to print the merged result as JSON, if the command has it.
json=
for option in "${command[@]}"; do [ "$option" != --json ] || json=$option; done

# The number of games at the end of each round, for --games; empty if everything is played at once. The match of a round
# extends that of the round before.
rounds=("")
plan_rounds() {
    # Without --games, lab plays up to 20,000 games of a sequential test. It prints this number only in its help.
    local tested=false games=20000 kept=() played=0 size
    set -- "${command[@]}"
    while [ $# -gt 0 ]; do
        case $1 in
            --sprt) tested=true kept+=("$1") ;;
            --games) games=${2:-}; shift ;;
            --games=*) games=${1#*=} ;;
            *) kept+=("$1") ;;
        esac
        [ $# = 0 ] || shift
    done
    if ! $tested || [ "$shards" = 1 ]; then
        [ -z "$round" ] || fail "--round $round: only a match with --sprt in several shards is played in rounds"
        return
    fi
    # A whole number that may have an exponent, and a decimal point in every locale.
    size=$(LC_ALL=C; printf '%.0f' "$games" 2>/dev/null) && [[ $size =~ ^[1-9][0-9]{0,11}$ ]] ||
        fail "--games $games: expected a number of at least 1"
    games=$size
    [[ ${round:-1} =~ ^0*[1-9][0-9]{0,8}$ ]] || fail "--round $round: expected a number of games of at least 1"
    : "${round:=$((games / 10))}"
    # Pairs of games are not split, and each shard needs one.
    round=$((10#$round > 2 * shards ? (10#$round + 1) / 2 * 2 : 2 * shards))
    ((games / round <= 500)) || fail "--round $round: $games games would take more than 500 rounds; use larger ones"
    # An interrupted run goes on with the round that it was in.
    for part in "${folders[@]}"; do
        [ -e "$part/run.json" ] || continue
        size=$(sed -n '/^ *"pairs": \([0-9]*\),\{0,1\}$/{s//\1/p;q;}' "$part/run.json")
        ((2 * ${size:-0} <= played)) || played=$((2 * size))
    done
    rounds=()
    for ((size = round; size < games; size += round)); do
        ((size < played)) || rounds+=("$size")
    done
    rounds+=("$games")
    command=("${kept[@]}")
}
plan_rounds

# Whether the merged run has a sequential test with a verdict.
decided='[ -e RESULT ] && grep -q "\"verdict\": \"h[01]\"" RESULT'
decided=${decided//RESULT/"$(printf '%q' "$out/result.json")"}

on_slurm() {
    command -v sbatch >/dev/null || fail "--slurm: sbatch is not installed"
    mkdir -p "$out"
    # Each job runs its own script; %q quotes the arguments in it.
    quoted() { printf '%q ' "$@"; }
    local array merge= log parts play options=(${sbatch_options[@]+"${sbatch_options[@]}"}) games shard
    log=$(realpath "$out")/slurm
    parts=$(printf '%q' "$out/shards")
    # sbatch prints ID, or ID;CLUSTER.
    submit() {
        local id
        id=$(sbatch --parsable --requeue --open-mode=append "$@" ${options[@]+"${options[@]}"}) && echo "${id%%;*}"
    }
    after() { [ -z "$1" ] || echo "--dependency=afterok:$1 --kill-on-invalid-dep=yes"; }
    # The command of a shard whose number is the value of the variable $1.
    play_shard() {
        echo "$play --out $parts/\"\$$1-of-$shards\" --shard \"\$$1/$shards\" --jobs \"\${SLURM_CPUS_PER_TASK:-1}\""
    }
    if [ "${command[0]}" = tune ]; then
        play=$(quoted "$LAB" "${command[@]}")
        shard="shard=\$((SLURM_PROCID + 1)); echo task \$shard on \$SLURMD_NODENAME; exec $(play_shard shard)"
        # Job steps do not inherit the number of cores.
        array=$(submit --job-name="$name" --ntasks="$shards" --output="$log-%j.txt" <<SCRIPT
#!/bin/bash
srun --kill-on-bad-exit=1 --cpus-per-task="\${SLURM_CPUS_PER_TASK:-1}" bash -c $(printf '%q' "$shard") || exit
exec $(quoted "$LAB" merge $json "$out" "${folders[@]}")
SCRIPT
        )
        echo "job $array"
        return
    fi
    # The first round never ends early, so that lab compares the arguments with those of an earlier run.
    for games in "${rounds[@]}"; do
        play=$(quoted "$LAB" "${command[@]}" ${games:+--games "$games"})
        # shellcheck disable=SC2046
        array=$(submit --job-name="$name" --array="1-$shards" --output="$log-%A-%a.txt" $(after "$merge") <<SCRIPT
#!/bin/bash
echo "task \$SLURM_ARRAY_TASK_ID on \$SLURMD_NODENAME, restarts: \${SLURM_RESTART_COUNT:-0}"
${merge:+if $decided; then exit; fi}
exec $(play_shard SLURM_ARRAY_TASK_ID)
SCRIPT
        )
        merge=$(submit --job-name="$name-merge" --output="$log-%j-merge.txt" $(after "$array") <<SCRIPT
#!/bin/bash
exec $(quoted "$LAB" merge $json "$out" "${folders[@]}")
SCRIPT
        )
        echo "array $array"
        echo "merge $merge"
    done
}

here() {
    if [ "$shards" = 1 ]; then
        exec "$LAB" "${command[@]}" --out "$out"
    fi
    local pids failed games shard result code log why warnings warned=
    trap 'kill "${pids[@]}" 2>/dev/null || true; exit 130' INT TERM
    for games in "${rounds[@]}"; do
        pids=() failed=0
        for shard in $(seq "$shards"); do
            mkdir -p "$(folder "$shard")"
            "$LAB" "${command[@]}" ${games:+--games "$games"} --out "$(folder "$shard")" --shard "$shard/$shards" \
                --jobs 1 >"$(folder "$shard")/log.txt" 2>&1 &
            pids+=($!)
        done
        # The shards of a tuning run wait for each other's games, so a shard that fails ends them all.
        for _ in "${pids[@]}"; do
            wait -n || { [ "${command[0]}" != tune ] || kill "${pids[@]}" 2>/dev/null || true; }
        done
        for shard in $(seq "$shards"); do
            code=0
            wait "${pids[$((shard - 1))]}" || code=$?
            [ $code != 0 ] || continue
            failed=1
            # 143 is 128 + SIGTERM; 130 is lab's own code for a signal.
            case $code-${command[0]} in
                130-tune | 143-tune) why="stopped because another shard failed" ;;
                130-* | 143-*) why="was stopped" ;;
                *)
                    # The error may be followed by advice.
                    log=$(folder "$shard")/log.txt
                    why=$(sed -n '/^warning: /d;/^note: /d;/^[^ ]*: /{p;q;}' "$log")
                    why="failed: ${why:-$(tail -n 1 "$log")}" ;;
            esac
            echo "shard $shard $why" >&2
        done
        [ $failed = 0 ] || fail "not merged, because a shard failed; the others are kept"
        warnings=$(for part in "${folders[@]}"; do grep '^warning: ' "$part/log.txt" || true; done | sort -u)
        [ "$warnings" = "$warned" ] || echo "$warnings" >&2
        warned=$warnings
        result=$("$LAB" merge "$out" "${folders[@]}")
        if [ "$games" = "${rounds[-1]}" ] || eval "$decided"; then
            if [ -n "$json" ]; then cat "$out/result.json"; else echo "$result"; fi
            return
        fi
        echo "after $games games: $(grep ^SPRT <<<"$result" | tr -s ' ')" >&2
    done
}

if $slurm; then on_slurm; else here; fi
