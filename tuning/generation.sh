#!/usr/bin/env bash
# Generations of networks: play games, train on them, prove the new networks against those before, keep or drop them.
#
#   tuning/generation.sh [--generations N] [--games N] [--iterations N] [--agent SPEC] [--opponent SPEC]
#                        [--cpu SECONDS | --proof-iterations N] [--elo ELO0,ELO1] [--proof N]
#                        [--out DIR] [--from FILE] [--from-prior FILE] [--data DIR]...
#                        [--train OPTION]... [--train-prior OPTION]... [--sweep WORD]...
#
#   --generations N   How many to make [default: 1]. Two in a row that are dropped end it before.
#   --games N         Games that a generation plays to learn from, 0.2 MB each with their trees; an even number, 4 or
#                     more [default: 2000].
#   --iterations N    Iterations of each of their moves [default: 4000].
#   --agent SPEC      Who plays, with NETWORK where the evaluation's file belongs and PRIOR where the prior's does
#                     [default: mcts(evaluation=network(file=NETWORK),prior=network(file=PRIOR))]. Without PRIOR, or
#                     without NETWORK, only the other is trained.
#   --opponent SPEC   Whom that agent plays against in the games to learn from [default: the agent with
#                     c=0.2,c_root=2.1 in its brackets]. Without chance in playouts an agent plays the same game twice
#                     against itself.
#   --cpu SECONDS     CPU seconds a move in the proof [default: 0.01].
#   --proof-iterations N  Iterations a move in the proof, in place of CPU seconds.
#   --elo ELO0,ELO1   New networks are kept if the sequential test accepts ELO1 [default: 0,20, which most often drops
#                     what is worth less than 10].
#   --proof N         At most so many games for the proof [default: 4000]; if they end without an answer, the networks
#                     are dropped.
#   --out DIR         Where all is kept [default: runs/generations]: a folder for each generation with its games, its
#                     networks and its proof; generations.tsv, a line for each; best.network and best.prior. An error
#                     there compares with that of the fitted one in its own line only: each generation has other games
#                     kept apart.
#   --from FILE, --from-prior FILE
#                     The networks to begin with [default: those that come with the engine].
#   --data DIR        Games to learn from beside its own: a run's folder, or one with runs below it; may be given again.
#   --train OPTION, --train-prior OPTION
#                     An option for 'train evaluation' or 'train prior', such as --train --epochs=12; may be given
#                     again. With one or more, those that it would use by itself are not used: --epochs=4
#                     --rate=0.0015 --results=0.25 and --epochs=4 --rate=0.0012.
#   --sweep WORD      An option, or the value of one, for tuning/sweep.sh, which plays the games: --sweep --shards
#                     --sweep 8. On a cluster: --sweep --slurm --sweep --sbatch --sweep --wait.
#
# A generation begins with the networks before and learns from the games of all generations in DIR. Started again with
# the same arguments, it goes on where it was stopped. The programs are $LAB and $TRAIN, or the release builds of this
# repository, made first.
set -euo pipefail
export LC_ALL=C

fail() { echo "generation.sh: $*" >&2; exit 2; }
usage() { sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p}' "$0"; }

generations=1 games=2000 iterations=4000 cpu=0.01 elo=0,20 proof=4000 out=runs/generations
proof_iterations= from= from_prior=
agent='mcts(evaluation=network(file=NETWORK),prior=network(file=PRIOR))' opponent=
data=() train_options=() prior_options=() sweep_options=()
while [ $# -gt 0 ]; do
    case $1 in
        -h | --help) usage; exit 0 ;;
        --proof-iterations)
            [ $# -ge 2 ] || fail "$1 needs a value"
            proof_iterations=$2
            shift 2 ;;
        --from-prior)
            [ $# -ge 2 ] || fail "$1 needs a value"
            from_prior=$2
            shift 2 ;;
        --generations | --games | --iterations | --agent | --opponent | --cpu | --elo | --proof | --out | --from | \
            --data | --train | --train-prior | --sweep)
            [ $# -ge 2 ] || fail "$1 needs a value"
            case $1 in
                --data) data+=("$2") ;;
                --train) train_options+=("$2") ;;
                --train-prior) prior_options+=("$2") ;;
                --sweep) sweep_options+=("$2") ;;
                *) printf -v "${1#--}" %s "$2" ;;
            esac
            shift 2 ;;
        *) fail "there is no option $1 (see --help)" ;;
    esac
done
if [ ${#train_options[@]} -eq 0 ]; then train_options=(--epochs=4 --rate=0.0015 --results=0.25); fi
if [ ${#prior_options[@]} -eq 0 ]; then prior_options=(--epochs=4 --rate=0.0012); fi
for name in generations games iterations proof; do
    [[ ${!name} =~ ^[1-9][0-9]{0,8}$ ]] || fail "--$name ${!name}: expected a number from 1 on"
done
[ "$games" -ge 4 ] && [ $((games % 2)) = 0 ] ||
    fail "--games $games: expected an even number, 4 or more: games come in pairs, of which some are kept apart to test on"
real='-?[0-9]+(\.[0-9]+)?'
[[ $elo =~ ^$real,$real$ ]] && awk -v low="${elo%,*}" -v high="${elo#*,}" 'BEGIN { exit !(low < high) }' ||
    fail "--elo $elo: expected two numbers, the smaller one first, such as 0,20"
[[ $agent == *NETWORK* || $agent == *PRIOR* ]] || fail "--agent $agent: it says neither NETWORK nor PRIOR"
[[ $agent == *\) ]] || fail "--agent $agent: it does not end with a bracket"
: "${opponent:=${agent%)},c=0.2,c_root=2.1)}"
[[ $cpu =~ ^[0-9]+(\.[0-9]+)?$ && $cpu =~ [1-9] ]] || fail "--cpu $cpu: expected seconds, such as 0.05"
[[ ${proof_iterations:-1} =~ ^[1-9][0-9]{0,8}$ ]] || fail "--proof-iterations $proof_iterations: expected a number from 1 on"
[[ ! $out =~ [\ \(\),=] ]] || fail "--out $out: specs can't name files in a folder with blanks, brackets, commas or ="
[[ $out != *NETWORK* && $out != *PRIOR* ]] || fail "--out $out: NETWORK and PRIOR stand for files in specs"
limit=(--cpu "$cpu")
[ -z "$proof_iterations" ] || limit=(--iterations "$proof_iterations")

here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
if [ -z "${LAB:-}" ] || [ -z "${TRAIN:-}" ]; then
    cargo build --quiet --release --manifest-path "$root/Cargo.toml" -p halma-lab -p halma-train
    : "${LAB:=${CARGO_TARGET_DIR:-$root/target}/release/lab}" "${TRAIN:=${CARGO_TARGET_DIR:-$root/target}/release/train}"
fi
export LAB

# Whether the file $1 holds a network of the kind $2.
check() {
    local told kind=network
    told=$("$LAB" network "$1") || exit 2
    if [[ $told == *$'\nkind         a prior'* ]]; then kind=prior; fi
    [ $kind = "$2" ] || fail "$1: a network of another kind"
}
best=$out/best
[ -z "$from" ] || [ -f "$best.network" ] || check "$from" network
[ -z "$from_prior" ] || [ -f "$best.prior" ] || check "$from_prior" prior

mkdir -p "$out"
table=$out/generations.tsv
[ -f "$table" ] || printf 'generation\tgames\terror\tof fitted\tcross-entropy\tof fitted\tproof\tkept\n' >"$table"
# A copy that is there whole or not at all.
place() {
    cp "$1" "$2.part"
    mv "$2.part" "$2"
}
# Networks go by the name that their files share: $1.network and $1.prior. One that is not there is the built-in one.
file() { if [ -f "$1.$2" ]; then echo "$1.$2"; else echo built-in; fi; }
spec() {
    local text=${2//NETWORK/"$(file "$1" network)"}
    echo "${text//PRIOR/"$(file "$1" prior)"}"
}
if [ -n "$from" ] && [ ! -f "$best.network" ]; then place "$from" "$best.network"; fi
if [ -n "$from_prior" ] && [ ! -f "$best.prior" ]; then place "$from_prior" "$best.prior"; fi

# Runs 'train $2' with the options after $3: what it prints goes into $1/$2.txt, its network is $1/new.$3.
train() {
    local folder=$1 which=$2 kind=$3
    shift 3
    if [ -f "$folder/$which.txt" ]; then return; fi
    "$TRAIN" "$which" "${runs[@]}" --from "$(file "$folder/before" "$kind")" --out "$folder/new.$kind" "$@" \
        >"$folder/$which.part"
    mv "$folder/$which.part" "$folder/$which.txt"
}
# The column $3 of the line that begins with $2 in the table that training printed into $1, if it did.
column() { if [ -f "$1" ]; then awk -F '\t' -v line="$2" -v column="$3" '$1 == line {print $column}' "$1"; fi; }

# One generation, into the folder $1.
generation() {
    local folder=$1 number=${1##*/} runs=(${data[@]+"${data[@]}"}) one kind
    mkdir -p "$folder"
    # What it begins with is written down once, so that one that goes on finds the same.
    if [ ! -f "$folder/begun" ]; then
        for kind in network prior; do
            if [ -f "$best.$kind" ]; then place "$best.$kind" "$folder/before.$kind"; fi
        done
        touch "$folder/begun"
    fi
    # Other arguments are for lab to judge: it plays more games, or refuses them.
    local asked="$games $iterations $agent $opponent"
    [ "$(cat "$folder/played" 2>/dev/null)" = "$asked" ] || "$here/sweep.sh" ${sweep_options[@]+"${sweep_options[@]}"} --out "$folder/games" \
        match "$(spec "$folder/before" "$agent")" "$(spec "$folder/before" "$opponent")" --iterations "$iterations" \
        --games "$games" --openings random:4-18 --tree-nodes 128 --seed "$number" >"$folder/games.txt" 2>&1 ||
        fail "see $folder/games.txt"
    [ -f "$folder/games/run.json" ] ||
        fail "there are no games in $folder/games; on a cluster the jobs are waited for with --sweep --sbatch --sweep --wait"
    echo "$asked" >"$folder/played"
    for one in $(seq "$number"); do runs+=("$out/$one/games"); done
    # What is not trained stays as it was.
    for kind in network prior; do
        if [ -f "$folder/before.$kind" ] && [ ! -f "$folder/new.$kind" ]; then
            place "$folder/before.$kind" "$folder/new.$kind"
        fi
    done
    if [[ $agent == *NETWORK* ]]; then train "$folder" evaluation network --seed "$number" "${train_options[@]}"; fi
    if [[ $agent == *PRIOR* ]]; then train "$folder" prior prior --seed "$number" "${prior_options[@]}"; fi
    "$LAB" match "$(spec "$folder/new" "$agent")" "$(spec "$folder/before" "$agent")" "${limit[@]}" --games "$proof" \
        --sprt "${elo%,*}" "${elo#*,}" --seed "$number" --out "$folder/proof" >"$folder/proof.txt"
    local kept=no
    if grep -q "^SPRT.* $(printf '%+g' "${elo#*,}") Elo accepted" "$folder/proof.txt"; then
        kept=yes
        for kind in network prior; do
            if [ -f "$folder/new.$kind" ]; then place "$folder/new.$kind" "$best.$kind"; fi
        done
    fi
    printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$number" "$games" \
        "$(column "$folder/evaluation.txt" 'in integers' 2)" "$(column "$folder/evaluation.txt" fitted 2)" \
        "$(column "$folder/prior.txt" 'in integers' 2)" "$(column "$folder/prior.txt" fitted 3)" \
        "$(sed -n 's/^Elo  *//p' "$folder/proof.txt")" "$kept" | tee -a "$table"
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
