# Guards the server of a test process. Usage: sh guard.sh PROGRAMS
#
# Creates a folder, prints its path, and creates an empty cluster in it. Each line of standard input is then a pg_ctl
# command. After initdb and after each command, the exit code is printed. Standard input is a pipe from the test
# process. When the test process ends in any way, the pipe closes. Then the server is stopped and the folder is removed.

# A signal that ends the tests can reach this process too. It ignores the signal, so that it can clean up.
trap '' HUP INT PIPE QUIT TERM

# A database has hundreds of files. Creating them in /dev/shm (memory) takes a tenth of the time. It needs 2 GB of
# space.
parent=${TMPDIR:-/tmp}
if [ -z "$TMPDIR" ] && [ "$(df -Pk /dev/shm | awk 'NR == 2 { print $4 }')" -gt 2000000 ]; then
    parent=/dev/shm
fi

umask 077
folder=$(mktemp -d "$parent/family-api-XXXXXX") && cd "$folder" && folder=$(pwd -P) || exit
echo "$folder"

# This locale does not sort by code point, so a missing COLLATE "C" makes a test fail.
"$1/initdb" --pgdata=data --auth=trust --username=postgres --encoding=UTF8 --no-sync \
    --locale=C --locale-provider=icu --icu-locale=en-US </dev/null >log 2>&1
echo $?

while read -r command; do
    # $command is not quoted, because it has several words.
    "$1/pg_ctl" --pgdata=data --silent --wait $command </dev/null >>log 2>&1
    echo $?
done

"$1/pg_ctl" --pgdata=data --silent --wait --mode=fast stop </dev/null >>log 2>&1
cd / && rm -rf "$folder"
