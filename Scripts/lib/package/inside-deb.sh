#!/bin/sh
# Installs the packages from a folder in a minimal Debian system, tests them as an ordinary user, upgrades them and removes them.
# Scripts/release/test-package runs it as root, in a disposable system.
#
# Usage: inside-deb.sh FOLDER SUITE; packages of an older version are in FOLDER/old
set -eu
packages=$1
suite="$2, deb"
cd "$packages"
program=/usr/bin/synthhost
# shellcheck source=trial.sh
. "$packages/trial.sh"

# ---- Host with only its dependencies ----

version=$(dpkg-deb -f synthhost_*.deb Version)
apt update
ok "the host installs alone" apt install --no-install-recommends ./synthhost_*.deb
ok "synthhost prints the version of the package" says "^synthhost $version\$" user synthhost --version
ok "synthhost speaks into a file" is_sound "Hello from a package." -o out.wav
ok "doctor names the package of a missing optional library" says 'sudo apt install libebur128-1' user synthhost doctor
ok "the host is removed" apt purge synthhost

# ---- Installing older versions of all packages, with recommended packages ----

ok "an older host installs with its recommended packages" apt install ./old/synthhost_*.deb
ok "the other packages install" apt install --no-install-recommends ./old/*.deb
ok "all packages are configured" sh -c '[ -z "$(dpkg --audit)" ]'
try_texts
try_voices
for page in synthhost synthhost-speak synthhost-serve; do ok "man shows $page" says "NAME" user man "$page"; done
ok "bash completes the command" bash -c '. /usr/share/bash-completion/completions/synthhost && complete -p synthhost'

units=/usr/lib/systemd/user
ok "systemd accepts the units" no_complaint \
    systemd-analyze verify --man=no "$units/synthhost.socket" "$units/synthhost.service"
started=$(sed -n 's/^ExecStart=//p' "$units/synthhost.service")
# shellcheck disable=SC2086 # One word per argument.
ok "a service is started by its socket" start_service systemd-socket-activate -l "$socket" $started
ok "the service speaks" with_service "Speaking through the service at" "Hello from a service."

# ---- Upgrading ----

ok "a setting is changed" try_settings
# Simulate a system that was booted with systemd, has one user, and allows packages to start and stop services.
rm -f /usr/sbin/policy-rc.d
mkdir -p /run/systemd/system
mv /usr/bin/systemctl /usr/bin/systemctl.real
cat >/usr/bin/systemctl <<'SYSTEMCTL'
#!/bin/sh
echo "$*" >>/tmp/asked
case $* in
*--version*) /usr/bin/systemctl.real "$@" ;;
*list-units*) echo 'user@65534.service loaded active running User Manager for UID 65534' ;;
esac
SYSTEMCTL
chmod 755 /usr/bin/systemctl
ok "all packages are upgraded while the service runs" apt install --no-install-recommends ./synthhost*.deb
mv /usr/bin/systemctl.real /usr/bin/systemctl
rm -r /run/systemd/system
upgraded() { dpkg-query -W -f '${Version}\n' 'synthhost*' | grep -vxF "$version" | grep . && return 1 || return 0; }
ok "all packages have the new version" upgraded
ok "the service of the older version is stopped" grep -qE 'stop .*synthhost\.service' /tmp/asked
ok "if the old service keeps running, a command speaks without it" with_service "The service at .* would speak differently" "Hello beside a service."
end_service
ok "the setting is kept" keeps_settings
ok "a voice that was installed before the upgrade speaks" is_sound -v Flock "Hello after an upgrade." -o out.wav
# shellcheck disable=SC2086 # One word per argument.
ok "a service starts" start_service systemd-socket-activate -l "$socket" $started
ok "the new service speaks" with_service "Speaking through the service at" "Hello from a new service."
end_service

# ---- Desktop ----

desktop() {
    cp -R /etc/speech-dispatcher "$home/speech-dispatcher"
    printf 'AudioOutputMethod "alsa"\nAudioALSADevice "null"\nLogLevel 5\n' >>"$home/speech-dispatcher/speechd.conf"
    mkdir -p "$home/log"
    chown -R nobody "$home/speech-dispatcher" "$home/log"
    user speech-dispatcher -s -C "$home/speech-dispatcher" -S "$home/speechd" -P "$home/pid" -L "$home/log" -t 0 \
        >/tmp/desktop 2>&1 &
    desktop=$!
    until [ -S "$home/speechd" ]; do
        kill -0 "$desktop" || return 1
        sleep 0.1
    done
}
spd_say() { user env "SPEECHD_ADDRESS=unix_socket:$home/speechd" timeout 60 spd-say "$@"; }
ok "speech-dispatcher starts" desktop
ok "speech-dispatcher finds the module" says '^synthhost$' spd_say -O
ok "speech-dispatcher lists the voices" says 'English' spd_say -o synthhost -L
ok "speech-dispatcher speaks through the module" spd_say -w -o synthhost "Hello from a package."
kill "$(cat "$home/pid")" && wait "$desktop" || true

# ---- Removing ----

dpkg-query -W -f '${Package}\n' 'synthhost*' | xargs dpkg -L | LC_ALL=C sort -u >/tmp/installed
ok "all packages are removed" apt purge 'synthhost*'
ok "no file is left" nothing_left
ok "the user's voices are kept" keeps_voices
conclude
