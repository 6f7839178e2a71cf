# The Debian packages that synthhost needs, and how they get onto a machine. Sourced by the scripts beside this folder.

build_packages="libasound2-dev libarchive-dev libespeak-ng-dev libsonic-dev libsamplerate0-dev pkg-config"
test_packages="$build_packages gcc g++ espeak-ng man-db"

# Says what is missing of the packages named, one per line.
missing_packages() {
    for package in "$@"; do
        [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || echo "$package"
    done
}

# Installs what is missing of the packages named; silent where nothing is.
require_packages() {
    missing=$(missing_packages "$@")
    [ -n "$missing" ] || return 0
    # shellcheck disable=SC2086 # One word for each package.
    set -- $missing
    if ! command -v apt-get >/dev/null; then
        echo "synthhost needs these packages, and this system has no apt-get to install them: $*" >&2
        return 1
    fi
    root=
    if [ "$(id -u)" != 0 ]; then
        if ! command -v sudo >/dev/null; then
            echo "synthhost needs packages that only root can install. As root, type: apt-get install $*" >&2
            return 1
        fi
        root=sudo
    fi
    echo "Installing $*" >&2
    # The first try saves a fresh machine's second run the download of the lists; a machine without lists needs them.
    install_packages "$root" "$@" >/dev/null 2>&1 && return 0
    $root apt-get update -qq >&2 && install_packages "$root" "$@" >&2
}

install_packages() {
    root=$1
    shift
    $root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@"
}

# The Swift toolchain cannot be had from Debian; says where it is had.
require_swift() {
    command -v swift >/dev/null && return 0
    echo "synthhost needs the Swift toolchain, 6.3 or later. https://www.swift.org/install/linux/ says how to get it." >&2
    return 1
}
