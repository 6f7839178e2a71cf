# The Debian packages that synthhost needs, and functions that install them. Other scripts source this file. It uses `local`, which every
# /bin/sh in Debian supports, so that the variables of those scripts do not change.

build_packages="libasound2-dev libarchive-dev libcurl4-openssl-dev"
build_packages="$build_packages libebur128-dev libespeak-ng-dev libicu-dev libmd4c-dev libmd4c-html0 libopusenc-dev libsamplerate0-dev libsndfile1-dev libsonic-dev libxml2-dev binutils pkg-config"
test_packages="$build_packages gcc g++ dbus-bin dbus-daemon espeak-ng ffmpeg man-db poppler-utils python3"

# Prints the named packages that are not installed, one per line.
missing_packages() {
    local package
    for package in "$@"; do
        [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || echo "$package"
    done
}

# Whether the distribution has a package with this name.
offers_package() {
    apt-cache policy "$1" 2>/dev/null | grep -q 'Candidate: [0-9]'
}

# Installs the named packages that are missing. Prints nothing if none are.
require_packages() {
    local missing as_root log
    missing=$(missing_packages "$@")
    [ -n "$missing" ] || return 0
    # shellcheck disable=SC2086 # One word per package.
    set -- $missing
    if ! command -v apt-get >/dev/null; then
        echo "synthhost needs these packages, but this system has no apt-get to install them: $*" >&2
        return 1
    fi
    as_root=
    if [ "$(id -u)" != 0 ]; then
        if ! command -v sudo >/dev/null; then
            echo "Only root can install the packages that synthhost needs. As root, type: apt-get install $*" >&2
            return 1
        fi
        as_root=sudo
    fi
    echo "Installing $*" >&2
    log=$(mktemp)
    # Try without downloading the package lists first. If that fails, download them and retry. Another program may be installing packages at
    # the same time.
    if $as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get install -o DPkg::Lock::Timeout=1800 -y -qq --no-install-recommends "$@" >"$log" 2>&1 ||
        { $as_root apt-get update -qq && $as_root env DEBIAN_FRONTEND=noninteractive \
            apt-get install -o DPkg::Lock::Timeout=1800 -y -qq --no-install-recommends "$@"; } >"$log" 2>&1; then
        rm "$log"
        return 0
    fi
    cat "$log" >&2
    rm "$log"
    echo "The packages could not be installed. Read the messages of apt-get, then run this command again." >&2
    return 1
}

# Debian has no Swift toolchain, so this prints where to download it.
require_swift() {
    command -v swift >/dev/null && return 0
    echo "synthhost needs the Swift toolchain, 6.3 or later. See https://www.swift.org/install/linux/." >&2
    return 1
}
