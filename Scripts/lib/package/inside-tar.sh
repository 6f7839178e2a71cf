#!/bin/sh
# Unpacks the archive in a minimal Debian system as an ordinary user, tests it in place, installs it, upgrades it and removes it.
# Scripts/release/test-package runs it as root, in a disposable system.
#
# Usage: inside-tar.sh FOLDER SUITE; an archive of an older version is in FOLDER/old
set -eu
packages=$1
suite="$2, tar"
cd "$packages"
program=/tmp/home/unpacked
# shellcheck source=trial.sh
. "$packages/trial.sh"

archive=$(echo "$packages"/synthhost-*.tar.xz)
old=$(echo "$packages"/old/synthhost-*.tar.xz)
top=$(basename "$archive" .tar.xz)
prefix=$home/.local

# ---- Unpacked archive ----

ok "the archive's digest matches" sha256sum -c --quiet "$archive.sha256"
apt update
ok "xz installs" apt install xz-utils
ok "the archive is unpacked" user tar -xf "$archive"
program=$home/$top/bin/synthhost
ok "without its libraries, the program says which one is missing" says 'error while loading shared libraries' user "$program" --version
# The installer prints the packages to install. When they are installed, the unpacked tree can speak.
ok "the installer lists the packages that the system lacks" says '^To install the packages, type: sudo apt install ' \
    user "$home/$top/install" "$home/elsewhere"
told=$(sed -n 's/^To install the packages, type: sudo apt install //p' /tmp/output)
# shellcheck disable=SC2086 # One word per package.
ok "these packages are installed" apt install $told
lacks_nothing() {
    user "$@" >/tmp/output 2>&1 || return 1
    cat /tmp/output
    # An older version used the second wording.
    ! grep -q -e '^Missing libraries:' -e 'This system lacks' /tmp/output
}
ok "after that, no library is missing" lacks_nothing "$home/$top/install" "$home/elsewhere"
ok "synthhost speaks from the unpacked folder" is_sound "Hello from an archive." -o out.wav
ok "an installation in another folder is removed" user "$home/$top/install" --uninstall "$home/elsewhere"
ok "no file is left in the other folder" test ! -e "$home/elsewhere"

# ---- Installing an older version ----

ok "an older archive is unpacked" user tar -xf "$old"
older=$home/$(basename "$old" .tar.xz)
ok "the older version is installed, and no library is missing" lacks_nothing "$older/install"
program=$prefix/bin/synthhost
user rm -r "$older"
try_texts
try_voices
ok "the user can add an engine" user cp "$prefix/lib/synthhost/plugins/libTone.so" "$prefix/lib/synthhost/plugins/libMine.so"

# ---- Upgrading ----

ok "a service starts" start_service "$program" serve
ok "the service speaks" with_service "Speaking through the service at" "Hello from a service."
ok "a setting is changed" try_settings
ok "an upgrade while the service runs prints a notice" says 'still uses the previous version' user "$home/$top/install"
ok "if the old service keeps running, a command speaks without it" with_service "The service at .* would speak differently" "Hello beside a service."
end_service
ok "a file that only the older version had is removed" test ! -e "$prefix/lib/synthhost/libOld.so"
ok "the setting is kept" keeps_settings
ok "a voice from before the upgrade speaks" is_sound -v Flock "Hello after an upgrade." -o out.wav
ok "a service starts" start_service "$program" serve
ok "the new service speaks" with_service "Speaking through the service at" "Hello from a new service."
end_service

# ---- Removing ----

sed "/\/\$/d; s,^,$prefix/," "$prefix/lib/synthhost/manifest" >/tmp/installed
ok "the installation is removed" user "$prefix/share/synthhost/install" --uninstall
only_own() {
    while read -r path; do [ ! -e "$path" ] || echo "$path"; done </tmp/installed
    find "$prefix" -type f ! -path "$prefix/share/synthhost/*" ! -path "$prefix/lib/synthhost/plugins/libMine.so" >/tmp/left
    cat /tmp/left
    [ ! -s /tmp/left ]
}
ok "only the user's files are left" only_own
ok "the user's engine is kept" test -e "$prefix/lib/synthhost/plugins/libMine.so"
ok "the user's voices are kept" keeps_voices
conclude
