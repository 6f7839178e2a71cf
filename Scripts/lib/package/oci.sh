# Creates a container image of the packages from deb.sh, and an add-on for Home Assistant with that image. Scripts/package sources this
# file.

# Builds the image as a file in $folder. Call `make_debs` first. The argument is the compression level, from 1 to 9. Sets `image` to the
# name of the file, and `sizes` to the unpacked and packed sizes in bytes and the number of packages.
make_image() {
    local debs
    parts=$root/Scripts/lib/package
    work=$root/.build/install/oci
    archives=$work/archives
    rm -rf "$work"
    mkdir -p "$archives/partial" "$work/lists/partial"
    debs=$folder/synthhost_$version"_"$(dpkg --print-architecture).deb
    [ ! -f "$(echo "$debs" | sed 's/synthhost_/synthhost-neural_/')" ] ||
        debs="$debs $(echo "$debs" | sed 's/synthhost_/synthhost-neural_/')"
    # shellcheck disable=SC2046,SC2086 # One word per package.
    {
        bring install base-files libc-bin $(named_by $debs)
        # Installing the package would add Perl and a program that concatenates the certificates.
        bring download ca-certificates
    }
    image=synthhost-$version-image-$(dpkg --print-architecture).tar
    # shellcheck disable=SC2086 # One word per package.
    sizes=$(PYTHONDONTWRITEBYTECODE=1 "$parts/oci.py" "$version" "$moment" "$1" "$folder/$image" \
        $(find "$archives" -name '*.deb' | LC_ALL=C sort) $debs)
}

# Prints the packages that the given packages depend on or recommend. If there are alternatives, prints the first one.
named_by() {
    local package
    for package in "$@"; do
        dpkg-deb -f "$package" Depends Recommends | sed 's/^[A-Za-z]*: //' | tr , '\n'
    done | sed 's/^ *//; s/[ |(].*//' | LC_ALL=C sort -u | grep -vxE 'synthhost|ca-certificates'
}

# bring install|download PACKAGE...: downloads packages, and for "install" also their dependencies, as if no packages were installed. Does
# not require root, because nothing is installed and missing package lists are downloaded into a separate folder.
bring() {
    local lists
    lists=
    if ! fetch "$@" >"$work/log" 2>&1; then
        lists="-o Dir::State::Lists=$work/lists"
        # shellcheck disable=SC2086 # Two words.
        if ! { apt-get $lists -o "Dir::Cache=$work" -qq update && fetch "$@"; } >"$work/log" 2>&1; then
            cat "$work/log" >&2
            echo "The packages of the image could not be downloaded. Read the messages of apt-get, then run this command again." >&2
            return 1
        fi
    fi
}

fetch() {
    local options
    options="-y -qq --download-only"
    [ "$1" = install ] || options=-qq
    # shellcheck disable=SC2086 # One word per option.
    (cd "$archives" && apt-get $lists -o Dir::State::Status=/dev/null -o "Dir::Cache=$work" -o "Dir::Cache::Archives=$archives" \
        -o APT::Install-Recommends=false -o APT::Sandbox::User="$(id -un)" -o Debug::NoLocking=true \
        -o pkgCacheGen::Essential=none $options "$@")
}
