# Builds the package in release mode and shows the progress. Other scripts source this file after onnxruntime.sh. They share one build and
# must use the same flags, because different flags would rebuild everything.

# Debug information is omitted, because generating it takes a tenth of the build time. No file records the folder in which it was built.
# Programs find the libraries of the toolchain in the parent folder or, in an installed tree, in lib/synthhost. The loader expands
# $ORIGIN, not the shell. shellcheck disable=SC2016
build_flags='-c release -Xswiftc -gnone -Xswiftc -no-toolchain-stdlib-rpath -Xlinker -rpath=$ORIGIN/../lib/synthhost -Xlinker -rpath=$ORIGIN/..'
# The code needed for the first sentence compiles quickly without optimization. Part of it is compiled again for the full build.
first_form=quick
# If the checkout is used for tests, all code is built with testable symbols, so that it is compiled only once, and warnings are errors. A
# package for distribution is built without these settings.
if [ -e "$root/.build/for-tests" ] && [ -z "${SYNTHHOST_PACKED-}" ]; then
    first_form=final
    build_flags="$build_flags -Xswiftc -enable-testing -Xswiftc -warnings-as-errors -Xcc -Werror"
else
    # Lets the linker remove functions that are not called: each has its own section, and no section is marked as retained.
    build_flags="$build_flags -Xswiftc -Xfrontend -Xswiftc -function-sections -Xswiftc -Xfrontend -Xswiftc -internalize-at-link"
fi

# Builds the entire package. With "first" after the file for the compiler's output, builds only the programs for the first sentence.
build_release() {
    echo "Building synthhost; the first build takes a few minutes" >&2
    if [ "${2:-}" = first ]; then
        (export SYNTHHOST_FIRST=$first_form && run_build "$1") || return 1
    else
        run_build "$1" || return 1
        say_without_neural_engines
    fi
    link_runtime
}

# Builds the package and the tests, and prints the compiler's output.
build_tests() {
    # shellcheck disable=SC2086 # One word per flag.
    swift build --package-path "$root" --build-tests $build_flags && link_runtime
}

# Runs `swift build`, and reports a failure. The argument is the file for its output.
run_build() {
    local log watch
    log=$1
    : >"$log"
    # The build runs in the foreground, so that Ctrl-C ends it. The background job ends with this shell at the latest.
    show_progress "$log" &
    watch=$!
    trap 'kill "$watch" 2>/dev/null || true; exit 130' INT TERM
    # shellcheck disable=SC2086 # One word per flag.
    if swift build --package-path "$root" $build_flags >"$log" 2>&1; then
        end_progress "$watch"
        return 0
    fi
    end_progress "$watch"
    grep -E 'error:' "$log" >&2 || tail -n 20 "$log" >&2
    echo "The build failed; $log has the details." >&2
    return 1
}

# Creates links to the libraries of the toolchain and to ONNX Runtime in the parent folder of the programs.
link_runtime() {
    local built
    built=$(cd "$root/.build/release/" && pwd -P) || return 1
    find_runtime
    link_needed "${built%/*}" "$built"/synthhost "$built"/synthhost-* "$built"/sd_synthhost "$built"/lib*.so \
        "$built"/*.xctest
}

# Creates links in the folder to the libraries that the files need, directly or indirectly.
link_needed() {
    local into file name path
    into=$1
    shift
    for file in "$@"; do
        [ -f "$file" ] || continue
        for name in $(needed "$file"); do
            path=$(runtime_library "$name") || continue
            [ "$(readlink "$into/$name")" != "$path" ] || continue
            ln -sfn "$path" "$into/$name"
            link_needed "$into" "$path"
        done
    done
}

# Sets `runtime` to the folder of the toolchain's libraries.
find_runtime() {
    runtime=$(swift -print-target-info | tr -d '\n' | sed -n 's/.*"runtimeLibraryPaths"[^"]*"\([^"]*\)".*/\1/p')
}

# Prints the path of a library from the toolchain or ONNX Runtime, and fails for any other library.
runtime_library() {
    if [ -f "$runtime/$1" ]; then
        echo "$runtime/$1"
    elif [ -f "${SYNTHHOST_ONNXRUNTIME:-/nowhere}/lib/$1" ]; then
        echo "$SYNTHHOST_ONNXRUNTIME/lib/$1"
    else
        return 1
    fi
}

# Prints the names of the libraries that a file needs.
needed() {
    readelf -d "$1" 2>/dev/null | sed -n 's/.*(NEEDED).*\[\(.*\)\]$/\1/p'
}

# Updates a line on a terminal; otherwise, prints a line every twenty seconds.
show_progress() {
    local count seconds
    seconds=0
    while kill -0 $$ 2>/dev/null; do
        # Parses lines such as "[41/77] Compiling".
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
