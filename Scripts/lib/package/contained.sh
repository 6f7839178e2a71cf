#!/bin/sh
# Runs containers of an image that bundle.py has unpacked, and checks them. Scripts/release/test-image runs it as root, in a network
# namespace that has only the loopback device, and in a separate mount namespace.
#
# Usage: contained.sh CHECKOUT WORK [addon]
set -eu
umask 022
root=$1
work=$2
kind=${3-image}
parts=$root/Scripts/lib/package
volume=$work/$kind-volume
user=65532
options=
passed=0
failed=0
served=
server=

# ok SENTENCE COMMAND...: runs a check, counts the result, and shows the command's output if it fails.
ok() {
    sentence=$1
    shift
    if "$@" >"$work/said" 2>&1; then
        passed=$((passed + 1))
        echo "ok      $kind: $sentence"
    else
        failed=$((failed + 1))
        echo "FAILED  $kind: $sentence"
        sed 's/^/        /' "$work/said"
    fi
}

finish() {
    [ -z "$server" ] || kill "$server" 2>/dev/null || true
    [ -z "$served" ] || crun --root "$work/crun" delete -f "$served" 2>/dev/null || true
}
trap finish EXIT
trap 'exit 130' HUP INT TERM

ip link set lo up
# crun does not support hosts with both cgroup versions, and this test needs no cgroups.
[ ! -d /sys/fs/cgroup/unified ] || umount /sys/fs/cgroup/unified

# ---- Containers ----

count=0
# spec ARGUMENT...: writes the configuration of the next container for the bundle $bundle. Sets `name`.
spec() {
    count=$((count + 1))
    name=$kind-$count
    # shellcheck disable=SC2086 # One word per option.
    "$parts/bundle.py" spec "$bundle" "$volume" $options -- "$@"
}
start() { crun --root "$work/crun" --cgroup-manager=disabled "$@"; }
synthhost() {
    spec "$@"
    start run --bundle "$bundle" "$name" </dev/null
}

# serve [ARGUMENT...]: starts a container in the background, and waits until it is healthy. Its log is $work/log.
serve() {
    spec "$@"
    served=$name
    start run --bundle "$bundle" "$name" </dev/null >"$work/log" 2>&1 &
    running=$!
    until healthy >/dev/null 2>&1; do
        kill -0 "$running" || { cat "$work/log" && return 1; }
        sleep 0.2
    done
}
# Runs the image's health check as the image's user.
healthy() {
    # shellcheck disable=SC2046 # One word per argument.
    crun --root "$work/crun" exec --user "$user:$user" "$served" $(python3 -c 'import json, sys
print(*json.load(open(sys.argv[1]))["config"]["Healthcheck"]["Test"][1:])' "$bundle/image.json")
}
stopped() {
    crun --root "$work/crun" kill "$served" TERM
    status=0
    wait "$running" || status=$?
    served=
    [ "$status" = 0 ] || { echo "The program exited with code $status." && cat "$work/log" && return 1; }
}

says() {
    wanted=$1
    shift
    # Without a sound card, the exit status of doctor is 1.
    "$@" >"$work/output" 2>&1 || true
    cat "$work/output"
    grep -qE -- "$wanted" "$work/output"
}
is_sound() {
    synthhost speak "$@" || return 1
    for file in "$volume"/out.*; do
        seconds=$(ffprobe -v error -show_entries format=duration -of csv=p=0 "$file") && [ "${seconds%.*}" -ge 1 ] &&
            rm "$file" || return 1
    done
}
only_sound_is_bad() {
    synthhost doctor >"$work/output" 2>&1 || true
    cat "$work/output"
    grep -q '^ok' "$work/output" && ! grep -E '^BAD' "$work/output" | grep -v '^BAD *sound'
}
probe() { "$parts/contained.py" "$@"; }
token() { cat "$volume/state/synthhost/http-token"; }
# Lists all files with their metadata.
listed() { (cd "$bundle/rootfs" && find . -printf '%p %y %m %U %G %s %T@ %l\n' | LC_ALL=C sort); }

# ---- Image ----

serve_voices() {
    python3 -u -m http.server --bind 127.0.0.1 --directory "$root/Tests/Fixtures/Voices" 0 >"$work/voices" 2>&1 &
    server=$!
    until port=$(sed -n 's/.* port \([0-9]*\).*/\1/p' "$work/voices") && [ -n "$port" ]; do
        kill -0 "$server"
        sleep 0.1
    done
    mkdir -p "$volume/synthhost"
    probe registry "$root/Tests/Fixtures/Voices" "http://127.0.0.1:$port/" >"$volume/synthhost/models.json"
}

try_image() {
    bundle=$work/image
    mkdir "$volume"
    chown "$user:$user" "$volume"
    listed >"$work/files"
    ok "the container prints the version" says '^synthhost [0-9]' synthhost --version
    ok "the container cannot write to its own files" cannot_write
    ok "the container speaks" is_sound "Hello from a container." -o out.wav
    ok "doctor reports only the missing sound card" only_sound_is_bad
    ok "the container has the neural engines" says 'kokoro' synthhost engines list

    serve_voices
    chown -R "$user:$user" "$volume"
    ok "a voice is downloaded" synthhost models pull Tern
    ok "the downloaded voice speaks" is_sound -v Tern "Hello from a voice that was downloaded." -o out.wav
    kill "$server"
    for ending in onnx onnx.json; do
        cp "$root/Tests/Fixtures/Voices/en_US-tern-x_low.$ending" "$volume/mine.$ending"
    done
    chown "$user:$user" "$volume"/mine.*
    ok "a custom voice is added" synthhost models add mine.onnx --name Mine --id mine --language en-US
    rm "$volume"/mine.*
    ok "the custom voice speaks" is_sound -v Mine "Hello from a voice that was added." -o out.wav
    printf '# Hello\n\n* from a **container**, and it is written in Markdown\n' >"$volume/text.md"
    ok "Markdown is spoken into an MP3 file, with subtitles" is_sound -v Tern -f text.md -o out.mp3 --timings words.srt
    ok "the Markdown characters are not spoken" sh -c 'cat "$0" && grep -q container "$0" && ! grep -q "[*#]" "$0"' "$volume/words.srt"
    rm "$volume"/text.md "$volume"/words.srt

    ok "a service starts in the container, and is healthy" serve
    ok "the service runs as an unprivileged user" is_users
    ok "the service responds over HTTP" probe http 8880 "$(token)"
    ok "Wyoming lists installed voices first, then recommended ones" probe wyoming 10200 Tern Mine
    ok "the status of the service is available inside the container" says '^The service has been running for' healthy
    ok "the service stops on request" stopped

    # An update replaces the container and keeps the volume.
    cp -a "$bundle" "$work/later"
    bundle=$work/later
    before=$(token)
    ok "a service starts in a later container" serve
    ok "the service in the later container speaks with the voices" probe wyoming 10200 Tern Mine
    ok "the later container has the same token" [ "$(token)" = "$before" ]
    ok "the service in the later container stops on request" stopped

    options=--writable
    ok "a service starts in a container with writable files" serve
    ok "the service in that container responds over HTTP" probe http 8880 "$(token)"
    ok "the service in that container stops" stopped
    options=
    ok "no file is left in the later container" same_files
    bundle=$work/image
    ok "no file is left in the first container" same_files
    ok "all files in the volume belong to the container's user" sh -c '[ -z "$(find "$0" ! -uid "$1" | tee /dev/stderr)" ]' \
        "$volume" "$user"
    echo "Remaining files in the volume: $(cd "$volume" && find . -maxdepth 2 | LC_ALL=C sort | tr '\n' ' ')"
}
same_files() { listed | diff "$work/files" -; }
cannot_write() { ! synthhost speak Hello -o /usr/out.wav && [ ! -e "$bundle/rootfs/usr/out.wav" ]; }
is_users() {
    pid=$(crun --root "$work/crun" state "$served" | sed -n 's/.*"pid": *\([0-9]*\).*/\1/p')
    grep -E '^(Uid|Gid|CapEff|NoNewPrivs):' "/proc/$pid/status"
    [ "$(awk '/^Uid:/ { print $2, $3, $4, $5 }' "/proc/$pid/status")" = "$user $user $user $user" ] &&
        grep -q '^CapEff:.0*$' "/proc/$pid/status"
}

# ---- Add-on ----

try_addon() {
    user=0
    addon=$root/.build/package/home-assistant/synthhost
    bundle=$work/addon
    mkdir -p "$bundle/rootfs" "$volume"
    tar -C "$bundle/rootfs" --numeric-owner -xzf "$addon/rootfs.tar.gz"
    # Do what the Supervisor does: run as root, with the options in a file that only root may read.
    /usr/bin/python3 "$parts/addon_checks.py" "$addon" --run "$bundle/image.json" "$volume/options.json"
    chmod 600 "$volume/options.json"
    options="--root $(/usr/bin/python3 "$parts/addon_checks.py" "$addon" --environment)"
    listed >"$work/files"
    ok "a service starts in the add-on, and is healthy" serve
    ok "the recommended voices are offered" probe wyoming 10200 --offered Thorsten
    ok "the service stops on request" stopped
    ok "an option takes effect" says '^espeak-ng$' with_option
    ok "files are left only in the volume" same_files
}
with_option() {
    echo '{"autoDownload": false, "voices": {}, "engine": "espeak-ng"}' >"$volume/options.json"
    synthhost config get engine
}

"try_$kind"
echo "$kind: $passed passed, $failed failed"
[ "$failed" = 0 ]
