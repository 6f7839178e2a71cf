#!/bin/sh
# Unpacks the archive in a bare Debian as an ordinary user, tries it where it lies, installs, upgrades and removes it.
# Scripts/release/test-package runs it as root, in a system that is thrown away.
#
# Usage: inside-tar.sh FOLDER SUITE; an archive of an older version is in FOLDER/old
set -eu
packages=$1
suite="$2, tar"
cd "$packages"
program=/tmp/home/unpacked
# shellcheck source=trial.sh
. "$packages/trial.sh"

archive=$(echo "$packages"/synthhost-*.tar.zst)
old=$(echo "$packages"/old/synthhost-*.tar.zst)
top=$(basename "$archive" .tar.zst)
prefix=$home/.local

# ---- where it was unpacked ----

ok "its digest is right" sha256sum -c --quiet "$archive.sha256"
apt update
ok "zstd installs" apt install zstd
ok "it is unpacked" user tar -xf "$archive"
program=$home/$top/bin/synthhost
ok "without libraries it says which one is missing" says 'error while loading shared libraries' user "$program" --version
# The installer tells what to install. It speaks where it was unpacked after that.
ok "the installer tells what the system lacks" says '^To install what has them, type: sudo apt install ' \
    user "$home/$top/install" "$home/elsewhere"
told=$(sed -n 's/^To install what has them, type: sudo apt install //p' /tmp/output)
# shellcheck disable=SC2086 # One word for each package.
ok "that installs" apt install $told
lacks_nothing() {
    user "$@" >/tmp/output 2>&1 || return 1
    cat /tmp/output
    ! grep -q 'This system lacks' /tmp/output
}
ok "and then it lacks nothing" lacks_nothing "$home/$top/install" "$home/elsewhere"
ok "it speaks where it was unpacked" is_sound "Hello from an archive." -o out.wav
ok "it is removed from elsewhere" user "$home/$top/install" --uninstall "$home/elsewhere"
ok "nothing is left there" test ! -e "$home/elsewhere"

# ---- an older version, installed ----

ok "an older archive is unpacked" user tar -xf "$old"
older=$home/$(basename "$old" .tar.zst)
ok "it is installed, and lacks nothing" lacks_nothing "$older/install"
program=$prefix/bin/synthhost
user rm -r "$older"
try_texts
try_voices
ok "its engines are the user's to add to" user cp "$prefix/lib/synthhost/plugins/libTone.so" "$prefix/lib/synthhost/plugins/libMine.so"

# ---- the upgrade ----

ok "a service starts" start_service "$program" serve
ok "it speaks" with_service speaks "Hello from a service."
ok "a setting is made" try_settings
ok "it is upgraded while the service runs, and tells of it" says 'still speaks' user "$home/$top/install"
ok "beside it, a command speaks itself" with_service "would speak otherwise" "Hello beside a service."
end_service
ok "a file that only the older version had is gone" test ! -e "$prefix/lib/synthhost/libOld.so"
ok "the setting is kept" keeps_settings
ok "a voice of before speaks" is_sound -v Flock "Hello after an upgrade." -o out.wav
ok "a service starts" start_service "$program" serve
ok "it speaks" with_service speaks "Hello from a new service."
end_service

# ---- removing ----

sed "/\/\$/d; s,^,$prefix/," "$prefix/lib/synthhost/manifest" >/tmp/installed
ok "it is removed" user "$prefix/share/synthhost/install" --uninstall
only_own() {
    while read -r path; do [ ! -e "$path" ] || echo "$path"; done </tmp/installed
    find "$prefix" -type f ! -path "$prefix/share/synthhost/*" ! -path "$prefix/lib/synthhost/plugins/libMine.so" >/tmp/left
    cat /tmp/left
    [ ! -s /tmp/left ]
}
ok "nothing is left but what is the user's" only_own
ok "the engine is" test -e "$prefix/lib/synthhost/plugins/libMine.so"
ok "so are the voices" keeps_voices
conclude
