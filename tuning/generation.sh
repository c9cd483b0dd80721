#!/usr/bin/env bash
# Trains generations of networks: plays games, trains on them, tests the new networks against the previous ones, and
# keeps them if they are stronger.
#
#   tuning/generation.sh [--generations N] [--games N] [--iterations N] [--agent SPEC] [--opponent SPEC]
#                        [--league N] [--rival SPEC]... [--odds N]
#                        [--cpu SECONDS | --proof-iterations N] [--elo ELO0,ELO1] [--proof N]
#                        [--out DIR] [--from FILE] [--from-prior FILE] [--data DIR]...
#                        [--train OPTION]... [--train-prior OPTION]... [--sweep WORD]...
#
#   --generations N   Number of generations [default: 1]. The script stops early after two generations in a row whose
#                     networks it does not keep.
#   --games N         Games to learn from in each generation, an even number of at least 4 [default: 2000]. A game with
#                     its trees takes 0.2 MB.
#   --iterations N    Iterations per move of these games [default: 4000].
#   --agent SPEC      Agent, with NETWORK in place of the evaluation's file and PRIOR in place of the prior's
#                     [default: mcts(evaluation=network(file=NETWORK),prior=network(file=PRIOR))]. A network whose
#                     placeholder is missing is not trained.
#   --opponent SPEC   Opponent of the agent in the games to learn from [default: the agent with c=0.2,c_root=2.1 added].
#                     Without randomness in playouts, an agent would repeat its games against itself.
#   --league N        Number of games, which must be even, against each rival under each of the two rule sets, besides
#                     --games [default: 0]. The networks that the previous generation started from are a rival too.
#                     'train' prints its losses for each kind of game: see evaluation.txt and prior.txt.
#   --rival SPEC      Rival in the league. Can be repeated, and replaces the defaults: greedy, homebody, shuffler, random,
#                     minimax(depth=1), uct and alphabeta.
#   --odds N          Rivals get N times the agent's iterations [default: 2].
#   --cpu SECONDS     CPU seconds per move in the proof match [default: 0.01].
#   --proof-iterations N  Iterations per move in the proof match, instead of CPU seconds.
#   --elo ELO0,ELO1   Keep the new networks if the sequential test accepts ELO1 [default: 0,20, which usually drops
#                     gains below 10 Elo].
#   --proof N         Maximum number of games in the proof match [default: 4000]. Without a verdict, the networks are
#                     dropped.
#   --out DIR         Folder for everything [default: runs/generations]: a folder per generation with games, networks
#                     and proof; best.network and best.prior; and generations.tsv with a line per generation. Compare an
#                     error there only with that of the fitted weights on the same line, because each generation is
#                     tested on different games.
#   --from FILE, --from-prior FILE
#                     Networks to start from [default: the built-in ones].
#   --data DIR        More games to learn from: a run's folder, or a folder with runs below it. Can be repeated.
#   --train OPTION, --train-prior OPTION
#                     Option for 'train evaluation' or 'train prior', such as --train --epochs=12. Can be repeated, and
#                     replaces the defaults: --epochs=4 --rate=0.0015 --results=0.25 and --epochs=4 --rate=0.0012.
#   --sweep WORD      Word for the command line of tuning/sweep.sh, which plays the games: --sweep --shards --sweep 8.
#                     On a cluster: --sweep --slurm --sweep --sbatch --sweep --wait.
#
# A generation starts from the best networks so far and learns from the games of all generations in DIR. Of their league
# games, it uses only those against rivals of this command that had the same number in their league. The same command
# continues an interrupted run. The programs are $LAB and $TRAIN, or this repository's release builds.
set -euo pipefail
export LC_ALL=C

fail() { echo "generation.sh: $*" >&2; exit 2; }
usage() { sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p}' "$0"; }

generations=1 games=2000 iterations=4000 cpu=0.01 elo=0,20 proof=4000 out=runs/generations
proof_iterations= from= from_prior= opponent= league=0 odds=2
agent='mcts(evaluation=network(file=NETWORK),prior=network(file=PRIOR))'
data=() train=() train_prior=() sweep=() rival=()
while [ $# -gt 0 ]; do
    name=${1#--} name=${name//-/_}
    case $1 in
        -h | --help) usage; exit 0 ;;
        --generations | --games | --iterations | --agent | --opponent | --league | --rival | --odds | --cpu | \
            --proof-iterations | --elo | --proof | --out | --from | --from-prior | --data | --train | --train-prior | --sweep)
            [ $# -ge 2 ] || fail "$1 needs a value" ;;
        *) fail "unknown option $1 (see --help)" ;;
    esac
    case $name in
        data | train | train_prior | sweep | rival) declare -n list=$name; list+=("$2") ;;
        *) printf -v "$name" %s "$2" ;;
    esac
    shift 2
done
[ ${#train[@]} -gt 0 ] || train=(--epochs=4 --rate=0.0015 --results=0.25)
[ ${#train_prior[@]} -gt 0 ] || train_prior=(--epochs=4 --rate=0.0012)

[ ${#rival[@]} -gt 0 ] || rival=(greedy homebody shuffler random 'minimax(depth=1)' uct alphabeta)

for name in generations games iterations odds proof proof_iterations; do
    [[ $name = proof_iterations && -z $proof_iterations || ${!name} =~ ^[1-9][0-9]{0,8}$ ]] ||
        fail "--${name//_/-} ${!name}: expected a number of at least 1"
done
[ "$games" -ge 4 ] && [ $((games % 2)) = 0 ] ||
    fail "--games $games: expected an even number of at least 4, because some pairs of games are kept for testing"
[[ $league =~ ^(0|[1-9][0-9]{0,8})$ ]] && [ $((league % 2)) = 0 ] || fail "--league $league: expected an even number"
real='-?[0-9]+(\.[0-9]+)?'
[[ $elo =~ ^$real,$real$ ]] && awk -v low="${elo%,*}" -v high="${elo#*,}" 'BEGIN { exit !(low < high) }' ||
    fail "--elo $elo: expected two numbers, the smaller one first, such as 0,20"
[[ $agent == *NETWORK* || $agent == *PRIOR* ]] ||
    fail "--agent $agent: expected a spec with NETWORK or PRIOR in place of a file"
[[ $agent == *\) ]] || fail "--agent $agent: expected ')' at the end"
# The agent's own parameters, without those of its parts.
own=${agent#*(} own=${own%)}
while [[ $own =~ \([^\(\)]*\) ]]; do own=${own/"${BASH_REMATCH[0]}"/}; done
[[ -n $opponent || ! ,$own =~ ,\ *c(_root)?\ *= ]] ||
    fail "--agent $agent: the default opponent sets c and c_root too; give --opponent as well"
: "${opponent:=${agent%)},c=0.2,c_root=2.1)}"
[[ $cpu =~ ^[0-9]+(\.[0-9]+)?$ && $cpu =~ [1-9] ]] || fail "--cpu $cpu: expected seconds, such as 0.05"
[[ ! $out =~ [\ \(\),=] ]] ||
    fail "--out $out: specs can't name files in a folder with spaces, parentheses, commas or '='"
[[ $out != *NETWORK* && $out != *PRIOR* ]] || fail "--out $out: NETWORK and PRIOR are placeholders in specs"
limit=(--cpu "$cpu")
[ -z "$proof_iterations" ] || limit=(--iterations "$proof_iterations")

here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
if [ -z "${LAB:-}" ] || [ -z "${TRAIN:-}" ]; then
    cargo build --quiet --release --manifest-path "$root/Cargo.toml" -p halma-lab -p halma-train
    built=${CARGO_TARGET_DIR:-$root/target}/release
    : "${LAB:=$built/lab}" "${TRAIN:=$built/train}"
fi
export LAB

best=$out/best
table=$out/generations.tsv

# Checks that the file $1 of the option $3 holds a network of the kind $2, unless there is a best network already.
check() {
    local description kind=network
    [ -n "$1" ] || return 0
    if [ -f "$best.$2" ]; then
        # The same command continues a run, in which the best network may have changed since.
        cmp -s "$1" "$best.$2" || cmp -s "$1" "$out/1/before.$2" ||
            echo "generation.sh: note: $3 $1 is ignored, because $best.$2 exists" >&2
        return
    fi
    description=$("$LAB" network "$1") || exit 2
    if [[ $description == *$'\nkind         a prior'* ]]; then kind=prior; fi
    [ $kind = "$2" ] || fail "$1: the wrong kind of network"
}
check "$from" network --from
check "$from_prior" prior --from-prior

# Copies the file $1 to $2 in one step, if it exists.
place() {
    [ -f "$1" ] || return 0
    cp "$1" "$2.part"
    mv "$2.part" "$2"
}
mkdir -p "$out"
[ -f "$table" ] || printf 'generation\tgames\terror\tof fitted\tcross-entropy\tof fitted\tproof\tkept\n' >"$table"
[ -f "$best.network" ] || place "$from" "$best.network"
[ -f "$best.prior" ] || place "$from_prior" "$best.prior"

# A pair of networks is named by the common stem of its files, $1.network and $1.prior. A missing file stands for the
# built-in network.
file() { if [ -f "$1.$2" ]; then echo "$1.$2"; else echo built-in; fi; }
spec() {
    local text=${2//NETWORK/"$(file "$1" network)"}
    echo "${text//PRIOR/"$(file "$1" prior)"}"
}

# Plays the match that the arguments after $1 describe, in the folder $1, with seed $number, and records trees.
play() {
    local folder=$1
    shift
    "$here/sweep.sh" ${sweep[@]+"${sweep[@]}"} --out "$folder" match "$@" --openings random:4-18 --tree-nodes 128 \
        --seed "$number" >"$folder.txt" 2>&1 || fail "see $folder.txt"
    [ -f "$folder/run.json" ] ||
        fail "there are no games in $folder; on a cluster, wait for the jobs with --sweep --sbatch --sweep --wait"
}

# Sets rivals to the league of generation $1, and names to the names of its runs without the rule set.
find_rivals() {
    local at
    rivals=() names=()
    [ "$league" -gt 0 ] || return 0
    rivals=("${rival[@]}")
    [ "$1" -eq 1 ] || rivals+=("$(spec "$out/$(($1 - 1))/before" "$agent")")
    for at in "${!rivals[@]}"; do names+=("$((at + 1))-${rivals[at]%%(*}"); done
}

# Plays the league of the generation in the folder $1: a run for each rival and rule set, below $1/league.
play_league() {
    local folder=$1 at rules rivals names
    find_rivals "$number"
    mkdir -p "$folder/league"
    for at in "${!rivals[@]}"; do
        for rules in addendum original; do
            play "$folder/league/${names[at]}-$rules" "$(spec "$folder/before" "$agent")" "${rivals[at]}" \
                --iterations "$iterations,$((iterations * odds))" --games "$league" --rules "$rules"
        done
    done
}

# Runs 'train $2' with the options after $3, unless the same command has run on the same folders. Its output goes to
# $1/$2.txt and its network to $1/new.$3.
train_network() {
    local folder=$1 which=$2 kind=$3 command
    shift 3
    command=("$which" "${runs[@]}" --from "$(file "$folder/before" "$kind")" --out "$folder/new.$kind" "$@")
    if [ -f "$folder/$which.txt" ] && [ "$(cat "$folder/$which.trained" 2>/dev/null)" = "${command[*]}" ]; then
        return
    fi
    # The proof of another network says nothing about this one.
    rm -rf "$folder/proof" "$folder/$which.trained"
    if [ "$(cat "$folder/$which.training" 2>/dev/null)" != "${command[*]}" ]; then
        # 'train' resumes only the command that was interrupted.
        rm -f "$folder/new.$kind.checkpoint"
        echo "${command[*]}" >"$folder/$which.training"
    fi
    "$TRAIN" "${command[@]}" >"$folder/$which.part"
    mv "$folder/$which.part" "$folder/$which.txt"
    mv "$folder/$which.training" "$folder/$which.trained"
}
# Prints column $3 of the line that begins with $2 in the table in $1, if the file exists.
column() { if [ -f "$1" ]; then awk -F '\t' -v line="$2" -v column="$3" '$1 == line {print $column}' "$1"; fi; }

# Makes one generation in the folder $1.
generation() {
    local folder=$1 number=${1##*/} runs=(${data[@]+"${data[@]}"}) one name kind rivals names
    mkdir -p "$folder"
    # The starting networks are copied once, so that a continued generation starts from the same ones.
    if [ ! -f "$folder/begun" ]; then
        for kind in network prior; do place "$best.$kind" "$folder/before.$kind"; done
        touch "$folder/begun"
    fi
    # If the arguments have changed, lab either extends the games or refuses them. Networks have to learn from new games.
    local arguments="$games $iterations $agent $opponent $league $odds ${rival[*]}"
    if [ "$(cat "$folder/played" 2>/dev/null)" != "$arguments" ]; then
        play "$folder/games" "$(spec "$folder/before" "$agent")" "$(spec "$folder/before" "$opponent")" \
            --iterations "$iterations" --games "$games"
        play_league "$folder"
        rm -f "$folder"/{evaluation,prior}.train{ed,ing}
        echo "$arguments" >"$folder/played"
    fi
    for one in $(seq "$number"); do
        runs+=("$out/$one/games")
        find_rivals "$one"
        for name in ${names[@]+"${names[@]}"}; do
            for kind in "$out/$one/league/$name"-{addendum,original}; do [ ! -d "$kind" ] || runs+=("$kind"); done
        done
    done
    # A network that is not trained stays as it was.
    for kind in network prior; do
        [ -f "$folder/new.$kind" ] || place "$folder/before.$kind" "$folder/new.$kind"
    done
    [[ $agent != *NETWORK* ]] || train_network "$folder" evaluation network --seed "$number" "${train[@]}"
    [[ $agent != *PRIOR* ]] || train_network "$folder" prior prior --seed "$number" "${train_prior[@]}"
    "$LAB" match "$(spec "$folder/new" "$agent")" "$(spec "$folder/before" "$agent")" "${limit[@]}" --games "$proof" \
        --sprt "${elo%,*}" "${elo#*,}" --seed "$number" --out "$folder/proof" >"$folder/proof.txt"
    local kept=no
    if grep -q '"verdict": "h1"' "$folder/proof/result.json"; then
        kept=yes
        for kind in network prior; do place "$folder/new.$kind" "$best.$kind"; done
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
