# Builds the package and shows the progress. Sourced by the scripts beside this folder, after
# onnxruntime.sh.

# Runs `swift build`. The first argument is the file for its output, the others are passed on. Reports a failure.
build_package() {
    local log watch
    log=$1
    shift
    echo "Building synthhost, which takes some minutes the first time" >&2
    : >"$log"
    # The build runs in the foreground, so that Ctrl-C ends it. The watcher ends with this shell at the latest.
    show_progress "$log" &
    watch=$!
    trap 'kill "$watch" 2>/dev/null || true; exit 130' INT TERM
    if swift build "$@" >"$log" 2>&1; then
        end_progress "$watch"
        say_without_neural_engines
        return 0
    fi
    end_progress "$watch"
    grep -E 'error:' "$log" >&2 || tail -n 20 "$log" >&2
    echo "The build failed; $log says more." >&2
    return 1
}

# Rewrites one line on a terminal; elsewhere prints a line every twenty seconds.
show_progress() {
    local count seconds
    seconds=0
    while kill -0 $$ 2>/dev/null; do
        # As in "[41/77] Compiling".
        count=$(sed -n 's/^\[\([0-9]*\)\/\([0-9]*\)\].*/\1 of \2/p' "$1" | tail -n 1)
        if [ -z "$count" ]; then
            :
        elif shows_live; then
            printf '\r\033[KBuilding synthhost: %s' "$count" >&2
        else
            [ $((seconds % 20)) != 0 ] || echo "Building synthhost: $count" >&2
            seconds=$((seconds + 1))
        fi
        sleep 1
    done
}

end_progress() {
    trap - INT TERM
    kill "$1" 2>/dev/null || true
    wait "$1" 2>/dev/null || true
    ! shows_live || printf '\r\033[K' >&2
}

# Whether messages go to a terminal that can rewrite a line.
shows_live() { [ -t 2 ] && [ "${TERM:-dumb}" != dumb ]; }
