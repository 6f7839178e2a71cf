#!/bin/sh
# Installs the tree of synthhost that contains this file, or removes it. Needs neither root nor a toolchain.
#
# Usage: ./install [PREFIX]              into ~/.local by default; replaces an older version and removes its files
#        ./install --uninstall [PREFIX]
#        ./install --speech-dispatcher [PREFIX]   makes the voices of an installation available on your desktop
#
# An installation contains this file as PREFIX/share/synthhost/install, for removal. Scripts/install sources it, and appends a call
# of `main` when it builds a tree.
set -eu
umask 022
manifest=lib/synthhost/manifest

fail() {
    printf '%s\n' "$@" >&2
    exit 1
}

# ---- Files ----

unit=share/systemd/user/synthhost.service

# Prints the systemd unit, which contains the program's path, quoted as systemd requires.
unit() {
    program=$(printf %s "$prefix/bin/synthhost" | sed 's/[\\"]/\\&/g; s/%/%%/g; s/\$/$$/g')
    awk -v program="\"$(printf %s "$program" | sed 's/\\/\\\\/g')\"" '{
        at = index($0, "@PROGRAM@")
        if (at) $0 = substr($0, 1, at - 1) program substr($0, at + 9)
        print
    }'
}

# Reads the list of installed files, with one path per line: a file or, with a trailing slash, a folder that did not exist before. Paths
# outside PREFIX are ignored, even if the list was edited.
read_manifest() {
    [ ! -f "$1" ] || grep -vE '^/|(^|/)\.\.(/|$)|^$' "$1" || true
}

# Prevents other processes from changing this installation. The lock is released when the process exits.
lock() {
    exec 9<"$prefix"
    flock -n 9 || fail "Another $installer is changing $prefix; try again when it has finished."
}

# Replaces each file with a rename within PREFIX, so that running programs keep their old files. Even if this process is killed, the list on
# disk contains every installed file, and possibly some that were not installed.
install_tree() {
    first=$prefix
    made=
    while [ ! -d "$first" ]; do
        first=$(dirname "$first")
        made=./
    done
    mkdir -p "$prefix"
    lock
    new=$prefix/.synthhost-new
    rm -rf "$new"
    trap 'rm -rf "$new"' EXIT
    trap 'exit 130' HUP INT TERM
    # The folder itself is not copied, because it may be a link. The permissions allow everyone to read, regardless of the umask during
    # unpacking.
    cp -R "$tree/." "$new"
    chmod -R u=rwX,go=rX "$new"
    unit <"$tree/$unit" >"$new/$unit"
    lists=$new/.lists
    mkdir "$lists"
    read_manifest "$prefix/$manifest" >"$lists/old"
    {
        [ -z "$made" ] || echo "$made"
        grep '/$' "$lists/old" || true
        (cd "$tree" && find . -mindepth 1 -type d | sed 's|^\./||') | while read -r folder; do
            [ -d "$prefix/$folder" ] || echo "$folder/"
        done
        cat "$tree/$manifest"
    } | LC_ALL=C sort -u >"$lists/now"
    LC_ALL=C sort -u "$lists/old" "$lists/now" >"$lists/both"
    mkdir -p "$prefix/lib/synthhost"
    mv -f "$lists/both" "$prefix/$manifest"
    rm -f "$new/$manifest"
    # Install libraries before the programs that need them.
    for part in lib include share bin; do
        (cd "$new" && find "$part" ! -type d) | while read -r file; do
            mkdir -p "$prefix/$(dirname "$file")"
            mv -f "$new/$file" "$prefix/$file"
        done
    done
    LC_ALL=C comm -23 "$lists/old" "$lists/now" | remove_listed
    mv -f "$lists/now" "$prefix/$manifest"
}

# Removes files first, then empty folders, innermost first.
remove_listed() {
    LC_ALL=C sort -r | while read -r path; do
        case $path in
        ./) rmdir "$prefix" 2>/dev/null || true ;;
        */) rmdir "$prefix/$path" 2>/dev/null || true ;;
        *) rm -f "$prefix/$path" ;;
        esac
    done
}

# Runs systemctl for this user's systemd, if it is running and its service belongs to this installation.
of_systemd() {
    command -v systemctl >/dev/null || return 0
    [ "$(systemctl --user show -P FragmentPath synthhost.service 2>/dev/null)" = \
        "$prefix/share/systemd/user/synthhost.service" ] || return 0
    systemctl --user "$@" 2>/dev/null || true
}

uninstall() {
    [ -f "$prefix/$manifest" ] || fail "synthhost is not installed in $prefix." "Pass the folder in which it was installed."
    lock
    list=$(read_manifest "$prefix/$manifest")
    rm -rf "$prefix/.synthhost-new"
    # Remove the list last, so that an interrupted removal can be finished.
    printf '%s\n' "$list" | grep -vxF "$manifest" | grep -v '/$' | remove_listed
    rm -f "$prefix/$manifest"
    printf '%s\n' "$list" | grep '/$' | remove_listed
    echo "Removed synthhost from $prefix"
    if [ -d "$prefix/lib/synthhost" ]; then
        echo "Kept files that $installer did not install: $prefix/lib/synthhost"
    fi
}

# Runs a function, as root if only root may write to PREFIX.
as_owner() {
    first=$prefix
    while [ ! -e "$first" ]; do first=$(dirname "$first"); done
    [ -d "$first" ] || fail "$first is not a folder. Pass another PREFIX."
    if [ -w "$first" ] && { [ ! -d "$prefix/lib" ] || [ -w "$prefix/lib" ]; }; then
        "$@"
    elif [ "$(id -u)" != 0 ] && command -v sudo >/dev/null; then
        echo "Only root may write to $first" >&2
        sudo sh "$self" --only "$1" "$prefix"
    else
        fail "You have no permission to write to $first." "Pass another PREFIX, such as: $installer ~/.local"
    fi
}

# Sets `prefix` to the folder from the command line. Rejects values that scripts pass by mistake, such as an unset variable: an empty value
# would be the working directory.
absolute() {
    case $1 in
    '')
        fail "PREFIX is empty." "Pass the folder, as in: $installer ~/.local"
        ;;
    *'
'*)
        fail "PREFIX contains a line break." "Pass a folder without one, as in: $installer ~/.local"
        ;;
    /*) prefix=$1 ;;
    *) prefix=$PWD/$1 ;;
    esac
    while [ "$prefix" != / ] && [ "${prefix%/}" != "$prefix" ]; do prefix=${prefix%/}; done
    case $(realpath -m -- "$prefix") in
    /) fail "PREFIX is the root of the file system." "Pass a folder in it, as in: $installer /usr/local" ;;
    "$(realpath -m -- "${tree:-/dev/null}")")
        # An installation removes itself with its own installer; an unpacked archive was never installed.
        [ -n "${is_installed-}" ] || fail "$prefix is the folder from which synthhost is installed." \
            "Pass another folder, as in: $installer ~/.local"
        ;;
    esac
}

quoted() {
    printf "'%s'" "$(printf %s "$1" | sed "s/'/'\\\\''/g")"
}

# ---- Missing libraries ----

# Prints the Debian 12 package for each missing library. Later releases use different names for some of them.
packages() {
    late=
    icu=libicu72
    if grep -qE '^(1[3-9]|[2-9][0-9]|trixie|forky|sid)' /etc/debian_version 2>/dev/null; then
        late=t64
        icu=libicu76
    fi
    # Each release has its own version of ICU.
    icu=$(apt-cache pkgnames libicu 2>/dev/null | grep -xE 'libicu[0-9]+' | sort -V | tail -n 1 | grep . || echo "$icu")
    while read -r library; do
        case $library in
        libasound.so.2) echo "libasound2$late" ;;
        libarchive.so.13) echo "libarchive13$late" ;;
        libcurl.so.4) echo "libcurl4$late" ;;
        libxml2.so.2) echo libxml2 ;;
        libsonic.so.0) echo libsonic0 ;;
        libsamplerate.so.0) echo libsamplerate0 ;;
        libespeak-ng.so.1) echo libespeak-ng1 ;;
        libsndfile.so.1) echo libsndfile1 ;;
        libopusenc.so.0) echo libopusenc0 ;;
        libebur128.so.1) echo libebur128-1 ;;
        libmd4c.so.0) echo libmd4c0 ;;
        libmd4c-html.so.0) echo libmd4c-html0 ;;
        libicui18n.so) echo "$icu" ;;
        *) echo "$library" ;;
        esac
    done
}

# The libraries that the programs open on demand, in addition to ICU.
opened="libsndfile.so.1 libopusenc.so.0 libebur128.so.1 libmd4c.so.0 libmd4c-html.so.0"

# Whether the loader finds a library or a replacement. Any version of ICU is suitable.
is_on_system() {
    set -- "$1" "${1%%.so*}"
    case $1 in
    libicu*) set -- "$2.so.[0-9]*" ;;
    *) set -- "$1" ;;
    esac
    for name in "$@"; do
        ! PATH=$PATH:/sbin:/usr/sbin ldconfig -p 2>/dev/null | grep -q "^[[:space:]]*$name " || return 0
    done
    return 1
}

# Prints the libraries that a program or engine needs or opens on demand, and that are not installed.
missing_libraries() {
    for binary in "$prefix"/bin/synthhost "$prefix"/lib/synthhost/synthhost-* "$prefix"/lib/synthhost/plugins/*.so; do
        [ ! -f "$binary" ] || ldd "$binary" 2>/dev/null | sed -n 's/^[[:space:]]*\([^ ]*\) => not found.*/\1/p'
    done
    for library in $opened libicui18n.so; do
        is_on_system "$library" || echo "$library"
    done
}

# Prints all missing libraries. Programs would name only the first one, and features would be missing silently.
say_what_is_missing() {
    missing=$(missing_libraries | LC_ALL=C sort -u)
    [ -n "$missing" ] || return 0
    echo "Missing libraries: $(echo "$missing" | tr '\n' ' ')" >&2
    echo "To install the packages, type: sudo apt install $(echo "$missing" | packages | tr '\n' ' ')" >&2
}

# ---- Messages ----

say_what_next() {
    say_what_is_missing
    version=$("$prefix/bin/synthhost" --version 2>/dev/null) || version=synthhost
    echo "Installed $version in $prefix ($(du -sh "$tree/" | cut -f 1))"
    case :$PATH: in
    *":$prefix/bin:"*) ;;
    *) echo "To add it to your PATH, type: export PATH=$(quoted "$prefix/bin"):\"\$PATH\"" ;;
    esac
    echo "To see whether it works, type: synthhost doctor"
    # Restart the service, because a service of the previous version no longer works.
    of_systemd daemon-reload
    of_systemd try-restart synthhost.service
    ! "$prefix/bin/synthhost" serve --status >/dev/null 2>&1 ||
        [ "$(systemctl --user is-active synthhost.service 2>/dev/null)" = active ] ||
        echo "A running service still uses the previous version. Restart the service to use this one."
    # The locations that systemd searches.
    case $prefix in
    /usr | /usr/local | "${HOME-}/.local")
        if command -v systemctl >/dev/null; then
            echo "To keep voices loaded, type: systemctl --user enable --now synthhost.socket"
        fi
        ;;
    esac
    ! command -v speech-dispatcher >/dev/null ||
        echo "To use its voices on your desktop, type: $installer --speech-dispatcher $(quoted "$prefix")"
}

# ---- speech-dispatcher ----

# speech-dispatcher searches for a user's modules next to the user's data folder, which must exist.
data=${XDG_DATA_HOME:-${HOME-}/.local/share}
modules=$(dirname "$data")/libexec/speech-dispatcher-modules

# Makes the module available to this user's speech-dispatcher, which finds it automatically unless its configuration lists modules.
offer_module() {
    program=$prefix/lib/synthhost/sd_synthhost
    [ -x "$program" ] || fail "synthhost is not installed in $prefix." "To install it, type: $installer $(quoted "$prefix")"
    [ -n "${HOME-}" ] || fail "HOME is not set, so the folder for the module is unknown." "Set HOME to your home folder, then run this command again."
    if [ -e "$modules/sd_synthhost" ] && [ ! -L "$modules/sd_synthhost" ]; then
        fail "$modules/sd_synthhost exists, and this installer did not create it." "Move it out of the way, then run this command again."
    fi
    mkdir -p "$data" "$modules"
    ln -sfn "$program" "$modules/sd_synthhost"
    settings=${XDG_CONFIG_HOME:-$HOME/.config}/speech-dispatcher
    echo "speech-dispatcher finds synthhost the next time it starts. To try it, type: spd-say -o synthhost Hello"
    echo "If your speechd.conf has AddModule lines, add this one:"
    echo "    AddModule \"synthhost\" \"$program\" \"synthhost.conf\""
    echo "To make it the default, add: DefaultModule synthhost"
    echo "To change its options, copy $prefix/share/synthhost/speech-dispatcher/synthhost.conf to"
    echo "    $settings/modules/"
}

# Removes the link to the module, unless it points to another installation.
withdraw_module() {
    [ "$(readlink "$modules/sd_synthhost" 2>/dev/null)" != "$prefix/lib/synthhost/sd_synthhost" ] ||
        rm -f "$modules/sd_synthhost"
}

usage() {
    sed -n 's/^# \{0,1\}//; 4,6p' "$0" >&2
    exit 64
}

# Stops the service of an installation and removes it.
remove() {
    [ ! -f "$prefix/$manifest" ] || of_systemd disable --now synthhost.socket synthhost.service
    as_owner uninstall
    withdraw_module
}

# Sets `tree` to the folder of the archive or the installation that contains this file.
find_tree() {
    case $0 in */*) self=$0 ;; *) self=./$0 ;; esac
    link=share/synthhost/install
    [ ! -L "$self" ] || [ "$(readlink "$self")" = "$link" ] || self=$(readlink -f "$self")
    tree=$(cd "$(dirname "$self")" && pwd)
    tree=${tree%/share/synthhost}
    [ -f "$tree/$manifest" ] || fail "synthhost is not installed in $tree." "Run the install script of an unpacked archive."
    # Only the archive has this link.
    [ "$(readlink "$tree/install")" = "$link" ] || is_installed=yes
}

main() {
    is_installed=
    find_tree
    if [ -n "$is_installed" ]; then
        installer=$self
        prefix=$tree
    else
        installer=./install
        prefix=${HOME-}/.local
    fi
    action=install
    case ${1-} in
    --only)
        [ $# = 3 ] || usage
        absolute "$3"
        case $2 in install_tree | uninstall) "$2" ;; *) usage ;; esac
        return
        ;;
    --uninstall | --speech-dispatcher)
        action=$1
        shift
        ;;
    -*) usage ;;
    esac
    [ $# -le 1 ] || usage
    [ $# = 0 ] || absolute "$1"
    [ "$prefix" != /.local ] || fail "HOME is not set." "Pass the installation folder."
    case $action in
    install)
        # An installed tree is mixed with other files.
        [ -z "$is_installed" ] || fail "synthhost is already installed in $tree." "To install into another folder, use the archive: ./install PREFIX"
        as_owner install_tree
        say_what_next
        ;;
    --uninstall) remove ;;
    --speech-dispatcher) offer_module ;;
    esac
}
