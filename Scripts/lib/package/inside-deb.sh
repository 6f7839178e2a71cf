#!/bin/sh
# Installs the packages of a folder in a bare Debian, tries them as an ordinary user, and removes them. Scripts/test-package runs it
# as root, in a system that is thrown away.
#
# Usage: inside.sh FOLDER SUITE
set -eu
packages=$1
suite=$2
cd "$packages"
export DEBIAN_FRONTEND=noninteractive LANG=C.UTF-8 PAGER=cat
passed=0
failed=0

# ok SENTENCE COMMAND...: counts whether the command succeeds, and shows its output if not.
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

home=/tmp/home
mkdir -m 700 "$home" "$home/run"
chown -R nobody "$home"
user() {
    (cd "$home" && env -i "HOME=$home" "XDG_RUNTIME_DIR=$home/run" PATH=/usr/bin:/bin LANG=C.UTF-8 \
        setpriv --reuid nobody --regid nogroup --clear-groups --no-new-privs "$@")
}
says() {
    wanted=$1
    shift
    # Without a sound card the exit code of doctor is 1.
    "$@" >/tmp/output 2>&1 || true
    cat /tmp/output
    grep -qE -- "$wanted" /tmp/output
}
least=20000
is_sound() {
    user synthhost speak "$@" || return 1
    for file in "$home"/out.*; do
        [ "$(wc -c <"$file")" -gt "$least" ] || return 1
        rm "$file"
    done
}
apt() { apt-get -qq -y "$@"; }
only_sound_is_bad() {
    user synthhost doctor >/tmp/output 2>&1 || true
    cat /tmp/output
    grep -q '^ok' /tmp/output && ! grep -E '^BAD' /tmp/output | grep -v '^BAD *sound'
}

# ---- the host, with what it needs and no more ----

version=$(dpkg-deb -f synthhost_*.deb Version)
apt update
ok "the host installs alone" apt install --no-install-recommends ./synthhost_*.deb
ok "it tells the version of the package" says "^synthhost $version\$" user synthhost --version
ok "it speaks into a file" is_sound "Hello from a package." -o out.wav
ok "it names the package of a library that it would open" says 'sudo apt install libebur128-1' user synthhost doctor
ok "it is removed" apt purge synthhost

# ---- all of it, with what is recommended ----

ok "the host installs with what is recommended" apt install ./synthhost_*.deb
ok "so do the others" apt install --no-install-recommends ./synthhost*.deb
ok "all is configured" sh -c '[ -z "$(dpkg --audit)" ]'
ok "doctor finds nothing bad but that there is no sound card" only_sound_is_bad
ok "it speaks" is_sound "Hello from a package." -o out.wav
least=2000
for form in flac opus mp3; do
    ok "it writes $form" is_sound "Hello from a package." -o "out.$form"
done
least=20000
printf '# Hello\n\n* from a **package**\n' >"$home/text.md"
ok "it reads Markdown" is_sound -f text.md -o out.wav
ok "it shows a guide" says '^SERVICES' user synthhost help services
ok "it says numbers by ICU" says 'vingt' user synthhost speak --show-text -l fr "21"
ok "it has the neural engines" says 'kokoro' user synthhost engines list
ok "and Piper" says 'piper' user synthhost engines list
cp voices/* "$home"
ok "a voice of Piper is added" user synthhost models add en_US-tern-x_low.onnx
ok "it speaks" is_sound -v Tern "Hello from a package." -o out.wav
for page in synthhost synthhost-speak synthhost-serve; do ok "man shows $page" says "NAME" user man "$page"; done
ok "bash completes" bash -c '. /usr/share/bash-completion/completions/synthhost && complete -p synthhost'

units=/usr/lib/systemd/user
no_complaint() { "$@" >/tmp/complaint 2>&1 && cat /tmp/complaint && [ ! -s /tmp/complaint ]; }
ok "systemd understands the units" no_complaint \
    systemd-analyze verify --man=no "$units/synthhost.socket" "$units/synthhost.service"
activated() {
    program=$(sed -n 's/^ExecStart=//p' "$units/synthhost.service")
    # shellcheck disable=SC2086 # One word for each argument.
    user systemd-socket-activate -l "$home/run/synthhost/socket" $program >/tmp/service 2>&1 &
    until [ -S "$home/run/synthhost/socket" ]; do
        kill -0 "$!" || return 1
        sleep 0.1
    done
    says '^The service at .* speaks' user synthhost speak --verbose -o out.wav "Hello" || return 1
    user synthhost serve --status || return 1
    pkill -u nobody -x synthhost || kill "$!"
    wait "$!" || true
}
ok "a service that is started by its socket speaks" activated

# ---- the desktop ----

desktop() {
    cp -R /etc/speech-dispatcher "$home/speech-dispatcher"
    printf 'AudioOutputMethod "alsa"\nAudioALSADevice "null"\nLogLevel 5\n' >>"$home/speech-dispatcher/speechd.conf"
    mkdir -p "$home/log"
    chown -R nobody "$home/speech-dispatcher" "$home/log"
    user speech-dispatcher -s -C "$home/speech-dispatcher" -S "$home/speechd" -P "$home/pid" -L "$home/log" -t 0 \
        >/tmp/desktop 2>&1 &
    until [ -S "$home/speechd" ]; do
        kill -0 "$!" || return 1
        sleep 0.1
    done
}
spd_say() { user env "SPEECHD_ADDRESS=unix_socket:$home/speechd" timeout 60 spd-say "$@"; }
ok "speech-dispatcher starts" desktop
ok "it finds the module" says '^synthhost$' spd_say -O
ok "it lists the voices" says 'English' spd_say -o synthhost -L
ok "it speaks by it" spd_say -w -o synthhost "Hello from a package."
kill "$(cat "$home/pid")" || true
wait

# ---- removing ----

dpkg-query -W -f '${Package}\n' 'synthhost*' | xargs dpkg -L | LC_ALL=C sort -u >/tmp/installed
ok "all are removed" apt purge 'synthhost*'
nothing_left() {
    while read -r path; do [ -d "$path" ] || [ ! -e "$path" ] && [ ! -L "$path" ] || echo "$path"; done </tmp/installed >/tmp/left
    find / -xdev -name '*synthhost*' ! -path '/tmp/*' ! -path '/proc/*' ! -path "$packages/*" >>/tmp/left
    cat /tmp/left
    [ ! -s /tmp/left ]
}
ok "nothing is left" nothing_left

echo "$suite: $passed passed, $failed failed"
[ "$failed" = 0 ]
