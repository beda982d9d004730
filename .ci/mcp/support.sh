# Sourced by the checks that run software of others against the server, here and in ../oauth. Creates the temporary
# folder `$folder`, and ends the started processes when the check ends.

folder=$(mktemp -d)
children=()
trap 'kill "${children[@]}" 2>/dev/null || true; rm -rf "$folder"' EXIT

# Installs the packages of this folder into the temporary folder, with the versions of the lock files. The packages
# include Node.js 22, because the conformance suite does not run on older versions.
install() {
    cp "$(dirname "${BASH_SOURCE[0]}")"/*.{mjs,json,py,txt,yml} "$folder"
    install_npm "$folder" &&
        "$folder/node_modules/.bin/node" --version &&
        python3 -m venv "$folder/python" &&
        "$folder/python/bin/pip" install --quiet --disable-pip-version-check --requirement "$folder/requirements.txt"
}

# Installs the npm packages of a folder into it.
install_npm() {
    (cd "$1" && npm ci --silent --no-audit --no-fund --ignore-scripts)
}

# Says that a check was skipped. With CI=true, fails.
skip() {
    echo "NOT CHECKED: $*"
    [[ ${CI:-} != true ]]
}

# Starts a command, and waits until it prints a line that matches a pattern. Sets `printed` to all lines until then.
start() {
    local ready=$1 line output
    shift
    exec {output}< <(exec "$@" 2>>"$folder/log")
    children+=("$!")
    printed=
    while IFS= read -r line <&"$output"; do
        printed+=$line$'\n'
        [[ $line =~ $ready ]] && return
    done
    cat "$folder/log"
    echo "stopped: $*"
    return 1
}

# Starts the demo on a database. Sets `origin`.
start_demo() {
    start '^Press Ctrl-C' "$server" demo --listen 127.0.0.1:0 --rate-limit off --database "$@"
    [[ $printed =~ http://127\.0\.0\.1:[0-9]+ ]] && origin=${BASH_REMATCH[0]}
}

# Imports a note for each client to delete.
import_notes() {
    local database=$1 client
    shift
    for client in "$@"; do
        sed "s/CLIENT/$client/" "$(dirname "${BASH_SOURCE[0]}")/note.json"
    done | "$server" import - --database "$database" >/dev/null
}
