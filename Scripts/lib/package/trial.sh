# The checks in a minimal Debian system that all package formats share. The scripts in this folder source this file.
# Scripts/release/test-package and Scripts/release/test-install run these scripts as root in a disposable system. Each script sets `suite`,
# `packages` (the folder with the built files) and `program`.

export DEBIAN_FRONTEND=noninteractive LANG=C.UTF-8 PAGER=cat
passed=0
failed=0

# ok SENTENCE COMMAND...: runs a check, counts the result, and shows the command's output if it fails.
ok() {
    sentence=$1
    shift
    if "$@" >/tmp/said 2>&1; then
        passed=$((passed + 1))
        echo "ok      $suite: $sentence"
    else
        failed=$((failed + 1))
        echo "FAILED  $suite: $sentence"
        sed 's/^/        /' /tmp/said
    fi
}

# Prints the results and exits.
conclude() {
    rm -f /usr/local/share/ca-certificates/trial.crt
    update-ca-certificates --fresh >/dev/null 2>&1 || true
    echo "$suite: $passed passed, $failed failed"
    [ "$failed" = 0 ]
    exit
}

# mmdebstrap sets its own options for apt, which omit recommended packages.
unset APT_CONFIG
apt() { apt-get -qq -y -o APT::Install-Recommends=true "$@"; }

# ---- User ----

home=/tmp/home
rm -rf "$home"
mkdir -m 700 "$home" "$home/run"
chown -R nobody "$home"
user() {
    (cd "$home" && env -i "HOME=$home" "XDG_RUNTIME_DIR=$home/run" PATH=/usr/bin:/bin LANG=C.UTF-8 \
        setpriv --reuid nobody --regid nogroup --clear-groups --no-new-privs "$@")
}
says() {
    wanted=$1
    shift
    # Without a sound card, the exit status of doctor is 1.
    "$@" >/tmp/output 2>&1 || true
    cat /tmp/output
    grep -qE -- "$wanted" /tmp/output
}
no_complaint() { "$@" >/tmp/complaint 2>&1 && cat /tmp/complaint && [ ! -s /tmp/complaint ]; }
least=20000
is_sound() {
    user "$program" speak "$@" || return 1
    for file in "$home"/out.*; do
        [ "$(wc -c <"$file")" -gt "$least" ] || return 1
        rm "$file"
    done
}

# ---- Behavior ----

only_sound_is_bad() {
    user "$program" doctor >/tmp/output 2>&1 || true
    cat /tmp/output
    grep -q '^ok' /tmp/output && ! grep -E '^BAD' /tmp/output | grep -v '^BAD *sound'
}

# Tests features that need optional libraries.
try_texts() {
    ok "doctor reports only the missing sound card" only_sound_is_bad
    ok "synthhost speaks" is_sound "Hello from a package." -o out.wav
    least=2000
    for form in flac opus mp3; do
        ok "synthhost writes $form" is_sound "Hello from a package." -o "out.$form"
    done
    ok "synthhost writes subtitles next to an MP3 file" is_sound "Hello from a package." -o out.mp3 --timings text.srt
    least=20000
    ok "the subtitles contain the words" grep -q '^Hello' "$home/text.srt"
    printf '# Hello\n\n* from a **package**\n' >"$home/text.md"
    ok "synthhost reads Markdown" is_sound -f text.md -o out.wav
    ok "synthhost shows a guide" says '^SERVICES: KEEP VOICES LOADED$' user "$program" help services
    ok "synthhost converts numbers to words with ICU" says 'vingt' user "$program" speak --show-text -l fr "21"
}

# Installs one voice from a file and another from servers. The certificate of the second server is not trusted at first.
try_voices() {
    ok "synthhost has the engine Kokoro" says 'kokoro' user "$program" engines list
    ok "synthhost has the engine Piper" says 'piper' user "$program" engines list
    cp "$packages"/voices/en_US-tern* "$home"
    ok "a Piper voice is added" user "$program" models add en_US-tern-x_low.onnx
    ok "the Piper voice speaks" is_sound -v Tern "Hello from a package." -o out.wav
    user mkdir -p "$home/.local/share/synthhost"
    cp "$packages/served/models.json" "$home/.local/share/synthhost"
    { read -r plain && read -r safe; } <"$packages/served/mirrors"
    ok "a voice is downloaded" user env "SYNTHHOST_MIRROR=$plain" "$program" models pull Flock
    ok "the downloaded voice speaks" is_sound -v Flock "Hello from a package." -o out.wav
    ok "the downloaded voice is removed" user "$program" models remove Flock
    mv /etc/ssl/certs/ca-certificates.crt /tmp/authorities
    ok "without certificates, an error names the package to install" says 'ca-certificates package' \
        user env "SYNTHHOST_MIRROR=$safe" "$program" models pull Flock
    mv /tmp/authorities /etc/ssl/certs/ca-certificates.crt
    ok "a server with an untrusted certificate is rejected" says 'local issuer certificate|self.signed certificate' \
        user env "SYNTHHOST_MIRROR=$safe" "$program" models pull Flock
    mkdir -p /usr/local/share/ca-certificates
    cp "$packages/served/authority.crt" /usr/local/share/ca-certificates/trial.crt
    update-ca-certificates >/dev/null 2>&1 || true
    ok "a voice is downloaded over TLS" user env "SYNTHHOST_MIRROR=$safe" "$program" models pull Flock
    ok "the voice that was downloaded over TLS speaks" is_sound -v Flock "Hello from a package." -o out.wav
}

# start_service COMMAND...: starts a service for the user, and waits for its socket.
socket=$home/run/synthhost/socket
start_service() {
    # shellcheck disable=SC2016 # The process id is that of the inner shell.
    user sh -c 'echo $$ >service; exec "$@"' sh "$@" >/tmp/service 2>&1 &
    service=$!
    until [ -S "$socket" ]; do
        kill -0 "$service" || { cat /tmp/service; return 1; }
        sleep 0.1
    done
}
end_service() {
    kill "$(cat "$home/service")" && wait "$service" || true
}
# with_service FOUND TEXT: speaks a text, and checks what the command reports about a service.
with_service() {
    says "^$1" user "$program" speak --verbose -o out.wav "$2" || return 1
    [ "$(wc -c <"$home/out.wav")" -gt 20000 ] || return 1
    rm "$home/out.wav"
    user "$program" serve --status
}

# Changes the user's settings, which must survive an upgrade.
try_settings() { user "$program" config set rate 1.25; }
keeps_settings() { says '1\.25' user "$program" config get rate; }

# Checks that only the user's own files remain. Reads the list of installed files from /tmp/installed.
nothing_left() {
    while read -r path; do [ -d "$path" ] || [ ! -e "$path" ] && [ ! -L "$path" ] || echo "$path"; done </tmp/installed >/tmp/left
    find / -xdev -name '*synthhost*' ! -path '/tmp/*' ! -path '/proc/*' ! -path "$packages/*" >>/tmp/left
    cat /tmp/left
    [ ! -s /tmp/left ]
}
keeps_voices() { [ -s "$home/.local/share/synthhost/models.json" ] && find "$home/.local/share/synthhost" -name '*.onnx' | grep -q .; }
