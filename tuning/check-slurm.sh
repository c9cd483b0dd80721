#!/usr/bin/env bash
# Checks that runs give the same result on a cluster as in one piece. Starts a real SLURM with two nodes on this
# machine, submits a small sweep with tuning/sweep.sh --slurm, requeues one of its tasks while the task plays, waits for
# the merge, and compares the result with that of the unsharded run, byte by byte except for times. Does the same with a
# sequential test, which stops after a round, and with a tuning run, which is requeued. Prints OK and exits with 0 on
# success. Takes about four minutes.
#
#   sudo tuning/check-slurm.sh
#
# Needs root on Debian or Ubuntu, and installs slurm-wlm and munge with apt-get if they are missing. Files, keys, sockets
# and logs are in a temporary folder, ports are open on 127.0.0.1 only, and everything started is stopped again. The
# program is $LAB, or this repository's release build.
set -euo pipefail

fail() { echo "check-slurm.sh: $*" >&2; exit 1; }
say() { echo "-- $*"; }

[ "$(id -u)" = 0 ] || fail "SLURM's daemons need root"
repository=$(cd "$(dirname "$0")/.." && pwd)
if [ -z "${LAB:-}" ]; then
    cargo build --quiet --release --manifest-path "$repository/Cargo.toml" --bin lab
    LAB=${CARGO_TARGET_DIR:-$repository/target}/release/lab
fi
LAB=$(realpath "$LAB")
export LAB

# 'command -v' with several names succeeds if it finds one of them.
if ! (for program in slurmctld munged slurmd sbatch; do command -v $program || exit; done) >/dev/null; then
    say "installing slurm-wlm and munge"
    apt-get update -qq >/dev/null
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq slurm-wlm munge >/dev/null 2>&1
fi

work=$(mktemp -d)
host=$(hostname -s)
export SLURM_CONF=$work/slurm.conf

stop_all() {
    set +e
    # Stops only processes started here, by the ids in $work.
    [ -s "$work/slurmctld.pid" ] && timeout 20 scontrol shutdown 2>/dev/null
    sleep 1
    for pid in "$work"/slurmd-n1.pid "$work"/slurmd-n2.pid "$work"/slurmctld.pid "$work"/munge/munged.pid; do
        [ -s "$pid" ] && kill "$(cat "$pid")" 2>/dev/null
    done
    sleep 1
    rm -rf "$work"
}
trap stop_all EXIT

# munge authenticates SLURM's daemons. Here it has its own key and socket, so that the system's are left alone.
start_munge() {
    chmod 755 "$work"
    install -d -o munge -g munge -m 755 "$work/munge"
    dd if=/dev/urandom of="$work/munge/key" bs=1 count=1024 status=none
    chown munge:munge "$work/munge/key"
    chmod 400 "$work/munge/key"
    su -s /bin/sh munge -c "munged --key-file=$work/munge/key --socket=$work/munge/socket \
        --pid-file=$work/munge/munged.pid --log-file=$work/munge/log --seed-file=$work/munge/seed"
}

# Two nodes of one core each: two daemons on two ports. A requeued job waits until its credential has expired, so the
# expiry is short.
start_slurm() {
    cat >"$SLURM_CONF" <<CONF
ClusterName=halma
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$work/munge/socket,cred_expire=10
CredType=cred/munge
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
ReturnToService=2
KillWait=5
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool-%n
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd-%n.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd-%n.log
SlurmctldPort=26817
SchedulerType=sched/backfill
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
SlurmdParameters=config_overrides
NodeName=n1 NodeHostname=$host NodeAddr=127.0.0.1 Port=27001 CPUs=1 RealMemory=1000 State=UNKNOWN
NodeName=n2 NodeHostname=$host NodeAddr=127.0.0.1 Port=27002 CPUs=1 RealMemory=1000 State=UNKNOWN
PartitionName=all Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
CONF
    mkdir -p "$work/state" "$work/spool-n1" "$work/spool-n2"
    slurmctld
    sleep 2
    slurmd -N n1
    slurmd -N n2
    wait_until 30 "both nodes to be idle" nodes_idle
    sinfo -N -o '%N %t %c'
}

nodes_idle() { [ "$(sinfo -h -N -t idle -o %N | sort -u | wc -l)" = 2 ]; }

# wait_until SECONDS WHAT COMMAND...: waits until COMMAND succeeds.
wait_until() {
    local seconds=$1 what=$2
    shift 2
    for _ in $(seq "$((seconds * 10))"); do
        "$@" && return
        sleep 0.1
    done
    squeue || true
    tail -n 20 "$work"/*.log >&2 || true
    fail "timed out waiting for $what"
}

games() { find "$1" -name games.jsonl -exec cat {} + 2>/dev/null | wc -l; }
has_games() { [ "$(games "$1")" -ge "$2" ]; }
job_is() { scontrol show job "$1" 2>/dev/null | grep -q "JobState=$2"; }

# Prints the files in folder $1 without times: JSON without seconds, speeds and sessions, and games in the order of their
# numbers.
timeless() {
    (cd "$1" && find . -type f \( -name '*.json' -o -name '*.jsonl' -o -name '*.csv' -o -name '*.svg' \) \
        -not -path './shards/*' | LC_ALL=C sort | while read -r file; do
        echo "== $file"
        sed -E '/^  "(sessions|provenance)": /,/^  []}]/d
            s/"seconds":\[[^]]*\],?//; /"(seconds|[a-z]+_per_second|began)":/d' "$file" |
            if [[ $file = *.jsonl ]]; then LC_ALL=C sort -t: -k2,2n -k3,3n; else cat; fi
    done)
}

cat >"$work/small.toml" <<TOML
title = "A check of sweeps on a cluster"
agent = "mcts"
opponent = "mcts(playout=static)"
budgets = [{ iterations = 400 }]
games = 48
[grid]
c = [0.5, 1, 2]
TOML

start_munge
say "starting SLURM $(slurmctld -V | cut -d' ' -f2) with two nodes"
start_slurm

say "the sweep in one piece"
"$LAB" sweep "$work/small.toml" --out "$work/whole" 2>/dev/null | sed '/^$/,$d'

say "the sweep as a job array"
run=$work/run
submitted=$("$repository/tuning/sweep.sh" --slurm --shards 4 --out "$run" "$work/small.toml")
echo "$submitted"
array=$(echo "$submitted" | sed -n 's/^array //p')
merge=$(echo "$submitted" | sed -n 's/^merge //p')

victim=2
shard=$run/shards/$victim-of-4
wait_until 120 "games of task $victim" has_games "$shard" 5
squeue -o '%i %j %T %N'
scontrol requeue "${array}_$victim"
wait_until 30 "task $victim to be stopped" job_is "${array}_$victim" PENDING
before=$(games "$shard")
find "$shard" -name games.jsonl -exec cat {} + >"$work/before"
say "task $victim requeued after $before of 36 games"
[ "$before" -lt 36 ] || fail "task $victim finished before it was requeued"

wait_until 400 "the merge" job_is "$merge" COMPLETED
cat "$run/slurm-$array"-*.txt | grep '^task'
grep -q 'restarts: 1' "$run/slurm-$array-$victim.txt" || fail "task $victim was not restarted"
find "$shard" -name games.jsonl -exec cat {} + >"$work/after"
kept=$(grep -cFxf "$work/before" "$work/after" || true)
[ "$kept" = "$before" ] || fail "task $victim lost games: $kept of $before are left"
say "its earlier games are unchanged: $kept of $before"

timeless "$work/whole" >"$work/whole.txt"
timeless "$run" >"$work/run.txt"
diff "$work/whole.txt" "$work/run.txt" || fail "the merged run differs from the unsharded one"
cmp "$work/whole/sweep.csv" "$run/sweep.csv"
files=$(grep -c '^==' "$work/run.txt")
say "merged and unsharded run are equal except for times: $files files, $(games "$work/whole") games"
cat "$run/sweep.csv"

say "a sequential test in one piece, and in rounds of 40 games"
tested="match greedy random --iterations 1 --max-plies 900 --games 120 --sprt -20 20"
"$LAB" $tested --out "$work/test" 2>/dev/null | grep -e ^games -e ^SPRT
submitted=$("$repository/tuning/sweep.sh" --slurm --shards 2 --round 40 --out "$work/rounds" $tested)
for merge in $(echo "$submitted" | sed -n 's/^merge //p'); do
    wait_until 400 "a round" job_is "$merge" COMPLETED
    say "round merged by job $merge"
    grep -e ^games -e ^SPRT "$work/rounds/slurm-$merge-merge.txt"
done
# The two runs differ in their numbers of games.
result() { timeless "$1" | grep -v -e '"game":' -e '"pairs": '; }
diff <(result "$work/test") <(result "$work/rounds") || fail "the rounds have a different result"
[ "$(games "$work/rounds/shards")" = 80 ] || fail "$(games "$work/rounds/shards") games were played instead of 80"
say "the result is the same; 80 of 120 games were played, those of two rounds"

say "a tuning run in one piece, and as one job with two tasks"
cat >"$work/tune.toml" <<TOML
agent = "mcts"
budget = { iterations = 400 }
iterations = 8
pairs = 2
[parameters.c]
TOML
"$LAB" tune "$work/tune.toml" --out "$work/tuned" 2>/dev/null | head -n 2
job=$("$repository/tuning/sweep.sh" --slurm --shards 2 --out "$work/tasks" tune "$work/tune.toml" | sed -n 's/^job //p')
wait_until 120 "games of the tuning run" has_games "$work/tasks" 6
scontrol requeue "$job"
wait_until 30 "the job to be stopped" job_is "$job" PENDING
say "requeued after $(games "$work/tasks") of 32 games"
wait_until 400 "the tuning run" job_is "$job" COMPLETED
grep '^task' "$work/tasks/slurm-$job.txt"
timeless "$work/tuned" >"$work/tuned.txt"
timeless "$work/tasks" >"$work/tasks.txt"
diff "$work/tuned.txt" "$work/tasks.txt" || fail "the tuning run in shards took different steps"
cmp "$work/tuned/tune.jsonl" "$work/tasks/tune.jsonl"
say "the steps are the same"
echo OK
