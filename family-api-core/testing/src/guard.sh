# Stands between a test process and its server: sh guard.sh PROGRAMS
#
# Makes a folder, says where, and makes an empty cluster in it. Each line of standard input is then an order to pg_ctl.
# All these are answered with an exit code. The input is the end of a pipe that only the test process holds: however that
# process ends, the pipe does too, and then the server is stopped and the folder removed.

# Whoever ends the tests may end all that they started; what they leave is put away even so.
trap '' HUP INT PIPE QUIT TERM

# A database is hundreds of files: in memory, where there is room for them (in KiB), that takes a tenth of the time.
parent=${TMPDIR:-/tmp}
if [ -z "$TMPDIR" ] && [ "$(df -Pk /dev/shm | awk 'NR == 2 { print $4 }')" -gt 2000000 ]; then
    parent=/dev/shm
fi

umask 077
folder=$(mktemp -d "$parent/family-api-XXXXXX") && cd "$folder" && folder=$(pwd -P) || exit
echo "$folder"

# A locale that does not sort by code point: who forgets COLLATE "C" shall see it.
"$1/initdb" --pgdata=data --auth=trust --username=postgres --encoding=UTF8 --no-sync \
    --locale=C --locale-provider=icu --icu-locale=en-US </dev/null >log 2>&1
echo $?

while read -r order; do
    # Unquoted, because an order has several words.
    "$1/pg_ctl" --pgdata=data --silent --wait $order </dev/null >>log 2>&1
    echo $?
done

"$1/pg_ctl" --pgdata=data --silent --wait --mode=fast stop </dev/null >>log 2>&1
cd / && rm -rf "$folder"
