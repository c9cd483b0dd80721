#!/usr/bin/env bash
# Generations of networks: play games, train on them, prove the new network against the one before, keep or drop it.
#
#   tuning/generation.sh [--generations N] [--games N] [--iterations N] [--agent SPEC] [--opponent SPEC]
#                        [--cpu SECONDS | --proof-iterations N] [--elo ELO0,ELO1] [--proof N]
#                        [--out DIR] [--from FILE] [--data DIR]... [--train OPTION]... [--sweep WORD]...
#
#   --generations N   How many to make [default: 1]. Two in a row that are dropped end it before.
#   --games N         Games that a generation plays to learn from [default: 2000].
#   --iterations N    Iterations of each of their moves [default: 4000].
#   --agent SPEC      Who plays, with NETWORK where the network's file belongs
#                     [default: mcts(evaluation=network(file=NETWORK))].
#   --opponent SPEC   Whom that agent plays against in the games to learn from [default: itself]. Without chance in
#                     playouts an agent plays the same game twice against itself, once for each side.
#   --cpu SECONDS     CPU seconds a move in the proof [default: 0.05].
#   --proof-iterations N  Iterations a move in the proof, in place of CPU seconds.
#   --elo ELO0,ELO1   A new network is kept if the sequential test accepts ELO1 [default: 0,20].
#   --proof N         At most so many games for the proof [default: 1000]; if they end without an answer, the network
#                     is dropped.
#   --out DIR         Where all is kept [default: runs/generations]: a folder for each generation with its games, its
#                     network and its proof; generations.tsv, a line for each; best.network. An error there compares
#                     with the fitted evaluation's in its own line only: each generation has other games kept apart.
#   --from FILE       The network to begin with [default: the one that comes with the engine].
#   --data DIR        Games to learn from beside its own: a run's folder, or one with runs below it; may be given again.
#   --train OPTION    An option for 'train evaluation', such as --train --epochs=12; may be given again. With one or more,
#                     those that it would use by itself are not used: --epochs=4 --rate=0.0007.
#   --sweep WORD      An option, or the value of one, for tuning/sweep.sh, which plays the games: --sweep --shards
#                     --sweep 8. On a cluster: --sweep --slurm --sweep --sbatch --sweep --wait.
#
# A generation begins with the network before and learns from the games of all generations in DIR. Started again with
# the same arguments, it goes on where it was stopped. The programs are $LAB and $TRAIN, or the release builds of this repository, made first.
set -euo pipefail
export LC_ALL=C

fail() { echo "generation.sh: $*" >&2; exit 2; }
usage() { sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p}' "$0"; }

generations=1 games=2000 iterations=4000 cpu=0.05 elo=0,20 proof=1000 out=runs/generations from=built-in proof_iterations=
agent='mcts(evaluation=network(file=NETWORK))' opponent= data=() train_options=() sweep_options=()
while [ $# -gt 0 ]; do
    case $1 in
        -h | --help) usage; exit 0 ;;
        --proof-iterations)
            [ $# -ge 2 ] || fail "$1 needs a value"
            proof_iterations=$2
            shift 2 ;;
        --generations | --games | --iterations | --agent | --opponent | --cpu | --elo | --proof | --out | --from | --data | --train | \
            --sweep)
            [ $# -ge 2 ] || fail "$1 needs a value"
            case $1 in
                --data) data+=("$2") ;;
                --train) train_options+=("$2") ;;
                --sweep) sweep_options+=("$2") ;;
                *) printf -v "${1#--}" %s "$2" ;;
            esac
            shift 2 ;;
        *) fail "there is no option $1 (see --help)" ;;
    esac
done
if [ ${#train_options[@]} -eq 0 ]; then train_options=(--epochs=4 --rate=0.0007); fi
for name in generations games iterations proof; do
    [[ ${!name} =~ ^[1-9][0-9]{0,8}$ ]] || fail "--$name ${!name}: expected a number from 1 on"
done
[[ $elo =~ ^-?[0-9.]+,-?[0-9.]+$ ]] || fail "--elo $elo: expected two numbers, such as 0,20"
[[ $agent == *NETWORK* ]] || fail "--agent $agent: it does not say NETWORK"
[[ ${opponent:=$agent} == *NETWORK* ]] || fail "--opponent $opponent: it does not say NETWORK"
[[ $cpu =~ ^[0-9]+(\.[0-9]+)?$ ]] || fail "--cpu $cpu: expected seconds, such as 0.05"
[[ ${proof_iterations:-1} =~ ^[1-9][0-9]{0,8}$ ]] || fail "--proof-iterations $proof_iterations: expected a number from 1 on"
[[ ! $out =~ [\ \(\),=] ]] || fail "--out $out: specs can't name files in a folder with blanks, brackets, commas or ="
limit=(--cpu "$cpu")
[ -z "$proof_iterations" ] || limit=(--iterations "$proof_iterations")

here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
if [ -z "${LAB:-}" ] || [ -z "${TRAIN:-}" ]; then
    cargo build --quiet --release --manifest-path "$root/Cargo.toml" -p halma-lab -p halma-train
    : "${LAB:=${CARGO_TARGET_DIR:-$root/target}/release/lab}" "${TRAIN:=${CARGO_TARGET_DIR:-$root/target}/release/train}"
fi
export LAB

mkdir -p "$out"
table=$out/generations.tsv
[ -f "$table" ] || printf 'generation\tgames\terror\tof fitted\tproof\tkept\n' >"$table"
best=$out/best.network
# A copy that is there whole or not at all.
place() {
    cp "$1" "$2.part"
    mv "$2.part" "$2"
}
if [ "$from" != built-in ] && [ ! -f "$best" ]; then place "$from" "$best"; fi
spec() { echo "${2//NETWORK/"$1"}"; }

# One generation, into the folder $1.
generation() {
    local folder=$1 number=${1##*/} before=built-in runs=(${data[@]+"${data[@]}"}) one
    mkdir -p "$folder"
    # What it begins with is written down once, so that one that goes on finds the same.
    if [ ! -f "$folder/before.network" ] && [ ! -f "$folder/before.built-in" ]; then
        if [ -f "$best" ]; then place "$best" "$folder/before.network"; else touch "$folder/before.built-in"; fi
    fi
    if [ -f "$folder/before.network" ]; then before=$folder/before.network; fi
    "$here/sweep.sh" ${sweep_options[@]+"${sweep_options[@]}"} --out "$folder/games" \
        match "$(spec "$before" "$agent")" "$(spec "$before" "$opponent")" --iterations "$iterations" --games "$games" \
        --openings random:4-16 --seed "$number" >"$folder/games.txt" 2>&1 || fail "see $folder/games.txt"
    for one in $(seq "$number"); do runs+=("$out/$one/games"); done
    if [ ! -f "$folder/errors.txt" ]; then
        "$TRAIN" evaluation "${runs[@]}" --from "$before" --out "$folder/new.network" --seed "$number" \
            ${train_options[@]+"${train_options[@]}"} >"$folder/errors.part"
        mv "$folder/errors.part" "$folder/errors.txt"
    fi
    "$LAB" match "$(spec "$folder/new.network" "$agent")" "$(spec "$before" "$agent")" "${limit[@]}" --games "$proof" \
        --sprt "${elo%,*}" "${elo#*,}" --seed "$number" --out "$folder/proof" >"$folder/proof.txt"
    local kept=no
    if grep -q "^SPRT.* $(printf '%+g' "${elo#*,}") Elo accepted" "$folder/proof.txt"; then
        kept=yes
        place "$folder/new.network" "$best"
    fi
    local error fitted result
    error=$(awk '/^in integers/ {print $3}' "$folder/errors.txt")
    fitted=$(awk '/^fitted/ {print $2}' "$folder/errors.txt")
    result=$(sed -n 's/^Elo  *//p' "$folder/proof.txt")
    printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$number" "$games" "$error" "$fitted" "$result" "$kept" | tee -a "$table"
}

dropped=0
for number in $(seq "$generations"); do
    line=$(awk -F '\t' -v number="$number" '$1 == number' "$table")
    if [ -z "$line" ]; then
        generation "$out/$number"
        line=$(tail -n 1 "$table")
    fi
    if [[ $line == *yes ]]; then dropped=0; else dropped=$((dropped + 1)); fi
    [ $dropped -lt 2 ] || break
done
