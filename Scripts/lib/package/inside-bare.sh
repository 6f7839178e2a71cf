#!/bin/sh
# Unpacks the archive in a minimal Debian system with the libraries that it needs, and speaks as an ordinary user. This is the short version
# of inside-tar.sh. Scripts/release/test-install runs it as root, in a disposable system.
#
# Usage: inside-bare.sh FOLDER
set -eu
packages=$1
suite="in a bare Debian"
cd "$packages"
# shellcheck source=trial.sh
. "$packages/trial.sh"

archive=$(echo "$packages"/synthhost-*.tar.xz)
ok "the archive's digest matches" sha256sum -c --quiet "$archive.sha256"
ok "the archive is unpacked" user tar -xf "$archive"
program=$home/$(basename "$archive" .tar.xz)/bin/synthhost
ok "synthhost speaks from the unpacked archive" is_sound "Hello from an archive." -o out.wav
if [ -d voices ]; then
    cp voices/en_US-tern* "$home"
    ok "a neural voice is added" user "$program" models add en_US-tern-x_low.onnx
    ok "the neural voice speaks" is_sound -v Tern "Hello from an archive." -o out.wav
fi
conclude
