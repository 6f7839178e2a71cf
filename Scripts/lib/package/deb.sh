# Creates Debian packages from the tree that Scripts/install creates. Scripts/package sources this file.

deb_packages="synthhost synthhost-neural synthhost-speech-dispatcher"

# Builds the packages in $folder. The argument is the compression level, from 1 to 9.
make_debs() {
    local package
    parts=$root/Scripts/lib/package
    work=$root/.build/install/deb
    debian=$work/debian
    rm -rf "$work"
    mkdir -p "$debian"
    place_files
    describe_packages
    for package in $deb_packages; do
        case $package in *-dev | *-speech-dispatcher) ;; *) find_dependencies "$package" ;; esac
    done
    for package in $deb_packages; do
        place_documents "$package"
        seal "$debian/$package"
        (cd "$work" && dpkg-gencontrol "-p$package" "-P$debian/$package" "-T$debian/$package.substvars")
        find "$debian/$package" -exec touch -h -d "@$moment" {} +
        dpkg-deb --root-owner-group --threads-max=1 -Zxz "-z$1" --build "$debian/$package" "$folder" >/dev/null
    done
}

# ---- Files ----

# give PACKAGE FROM TO: copies a file or a folder from the tree to its location in Debian.
give() {
    mkdir -p "$(dirname "$debian/$1/$3")"
    cp -R "$tree/$2" "$debian/$1/$3"
}

# put PACKAGE MODE FILE TO: adds a file that is not in the tree.
put() {
    mkdir -p "$(dirname "$debian/$1/$4")"
    install -m "$2" "$3" "$debian/$1/$4"
}

place_files() {
    local program file
    give synthhost bin/synthhost usr/bin/synthhost
    for program in "$tree"/lib/synthhost/synthhost-*; do
        give synthhost "lib/synthhost/${program##*/}" "usr/lib/synthhost/${program##*/}"
    done
    for program in EspeakNG Hibari Tone; do
        give synthhost "lib/synthhost/plugins/lib$program.so" "usr/lib/synthhost/plugins/lib$program.so"
    done
    # Include the complete Swift runtime, because users' engines also need it, and the code that Hibari and Kokoro share. The code that the
    # neural engines share is in their package.
    for file in "$tree"/lib/synthhost/lib*.so; do
        [ "${file##*/}" = libSynthInference.so ] || give synthhost "lib/synthhost/${file##*/}" "usr/lib/synthhost/${file##*/}"
    done
    for file in models.json languages page guides; do
        give synthhost "lib/synthhost/$file" "usr/lib/synthhost/$file"
    done
    give synthhost share/systemd/user/synthhost.socket usr/lib/systemd/user/synthhost.socket
    give synthhost share/systemd/user/synthhost.service usr/lib/systemd/user/synthhost.service
    sed -i 's|@PROGRAM@|/usr/bin/synthhost|' "$debian/synthhost/usr/lib/systemd/user/synthhost.service"
    # These documents cover the entire tree, from which all packages are created.
    for file in third-party.md synthhost.spdx.json; do
        give synthhost "share/doc/synthhost/$file" "usr/share/doc/synthhost/$file"
    done
    give synthhost share/man usr/share/man
    give synthhost share/bash-completion usr/share/bash-completion
    give synthhost share/zsh/site-functions usr/share/zsh/vendor-completions
    give synthhost share/fish usr/share/fish

    if [ -e "$tree/lib/synthhost/plugins/libPiper.so" ]; then
        for program in Piper Kokoro Whisper Parakeet Silero; do
            give synthhost-neural "lib/synthhost/plugins/lib$program.so" "usr/lib/synthhost/plugins/lib$program.so"
        done
        give synthhost-neural lib/synthhost/libSynthInference.so usr/lib/synthhost/libSynthInference.so
        for file in "$tree"/lib/synthhost/libonnxruntime.so.*; do
            # The tree contains no such file if the engines link the distribution's library.
            [ ! -f "$file" ] || give synthhost-neural "lib/synthhost/${file##*/}" "usr/lib/synthhost/${file##*/}"
        done
    else
        echo "Skipping the package of the neural engines, because they were not built." >&2
        deb_packages=$(echo "$deb_packages" | sed 's/ synthhost-neural//')
    fi

    # speech-dispatcher finds a module in its modules folder, and the module's options in the configuration file of the same name.
    mkdir -p "$debian/synthhost-speech-dispatcher/usr/lib/speech-dispatcher-modules"
    ln -s ../../bin/synthhost "$debian/synthhost-speech-dispatcher/usr/lib/speech-dispatcher-modules/sd_synthhost"
    give synthhost-speech-dispatcher share/synthhost/speech-dispatcher/synthhost.conf \
        etc/speech-dispatcher/modules/synthhost.conf

    for program in $deb_packages; do mkdir "$debian/$program/DEBIAN"; done
    place_library
    # dpkg refuses to install a file that belongs to another package.
    twice=$(for program in $deb_packages; do (cd "$debian/$program" && find . ! -type d ! -path "./DEBIAN/*"); done | sort | uniq -d)
    [ -z "$twice" ] || { echo "Two packages have the same file: $twice" >&2 && exit 1; }
}

# The library is packaged as source, because a Swift module only works with the compiler that built it.
place_library() {
    mkdir -p "$debian/synthhost-dev/DEBIAN" "$debian/synthhost-dev/usr/share/swift"
    "$parts/library.py" "$root" "$debian/synthhost-dev/usr/share/swift/synthhost" >"$work/library"
    for header in synth_engine.h synth_recognizer.h; do
        give synthhost-dev "include/synthhost/$header" "usr/include/synthhost/$header"
    done
    give synthhost-dev share/doc/synthhost/engines.md usr/share/doc/synthhost-dev/engines.md
    give synthhost-dev share/doc/synthhost/tone.c usr/share/doc/synthhost-dev/examples/tone.c
    ln -s ../../swift/synthhost/Sources/SynthHost/SynthHost.docc "$debian/synthhost-dev/usr/share/doc/synthhost-dev/articles"
    deb_packages="$deb_packages synthhost-dev"
}

# ---- Metadata ----

# Sets `maintainer`. The variables of Debian's packaging tools take precedence over the author of the commit.
describe_packages() {
    maintainer=$(git -C "$root" log -1 --format='%an <%ae>' 2>/dev/null) || maintainer="Unknown <unknown@localhost>"
    maintainer="${DEBFULLNAME:-${maintainer% <*}} <${DEBEMAIL:-$(echo "$maintainer" | sed 's/.*<\(.*\)>/\1/')}>"
    awk -v maintainer="$maintainer" -v packages=" $deb_packages " '
        BEGIN { RS = ""; ORS = "\n\n" }
        { sub(/@MAINTAINER@/, maintainer) }
        /^Source:/ || index(packages, " " $2 " ")' "$parts/control" >"$debian/control"
    cat >"$debian/changelog" <<END
synthhost ($version) unstable; urgency=medium

  * For the changes, see /usr/share/doc/synthhost/NEWS.md.gz.

 -- $maintainer  $(LC_ALL=C date -u -R -d "@$moment")
END
    echo "swift:Depends=$(paste -s -d , "$work/library" | sed 's/,/, /g')" >"$debian/synthhost-dev.substvars"
}

# Prints the packages of the libraries that a package's files link or load on demand, except libraries in the package itself.
find_dependencies() {
    local package
    package=$1
    find "$debian/$package" -type f | LC_ALL=C sort | while read -r file; do
        ! readelf -h "$file" >/dev/null 2>&1 || echo "$file"
    done >"$work/binaries"
    if ! (cd "$work" && xargs -d '\n' dpkg-shlibdeps "-T$debian/$package.substvars" "-l$tree/lib/synthhost" \
        --ignore-missing-info <"$work/binaries") 2>"$work/log"; then
        cat "$work/log" >&2
        return 1
    fi
    [ "$package" = synthhost ] || return 0
    eval "$(sed -n '/^opened=/p' "$tree/share/synthhost/install")"
    for library in $opened; do
        with_alternatives "$(dpkg-query -S "*/$library" | sed -n 's/[:,].*//; 1p')"
    done >"$work/opened"
    with_alternatives "libicu$(pkg-config --modversion icu-i18n | cut -d . -f 1)" >>"$work/opened"
    echo "opened:Recommends=$(LC_ALL=C sort -u "$work/opened" | paste -s -d , | sed 's/,/, /g')" >>"$debian/$package.substvars"
}

# Prints the package of a library, and compatible alternatives in the other Debian release.
with_alternatives() {
    {
        echo "$1"
        case $1 in
        libicu*) printf '%s\n' libicu76 libicu72 ;;
        esac | grep -vxF "$1"
    } | paste -s -d '|' | sed 's/|/ | /g'
}

place_documents() {
    local documents file
    documents=usr/share/doc/$1
    put "$1" 644 "$debian/changelog" "$documents/changelog"
    write_copyright "$1" >"$work/copyright"
    put "$1" 644 "$work/copyright" "$documents/copyright"
    [ "$1" != synthhost ] || put "$1" 644 "$root/CHANGELOG.md" "$documents/NEWS.md"
    file=share/doc/synthhost/onnxruntime/ThirdPartyNotices.txt.gz
    if [ "$1" = synthhost-neural ] && [ -f "$tree/$file" ]; then give "$1" "$file" "$documents/ThirdPartyNotices.txt.gz"; fi
    for file in postinst prerm; do
        [ ! -f "$parts/$1.$file" ] || put "$1" 755 "$parts/$1.$file" "DEBIAN/$file"
    done
    # List files in /etc as conffiles, because the administrator may edit them.
    if [ -d "$debian/$1/etc" ]; then (cd "$debian/$1" && find etc -type f | sed 's|^|/|') >"$debian/$1/DEBIAN/conffiles"; fi
}

# Prints the copyright file. Each line "@PATH@" is replaced with a license text that came with the licensed work.
write_copyright() {
    local line
    while IFS= read -r line; do
        case $line in
        @*@)
            line=${line#@}
            sed 's/[[:space:]]*$//; s/^$/./; s/^/ /' "$root/${line%@}"
            ;;
        *) printf '%s\n' "$line" ;;
        esac
    done <"$parts/$1.copyright"
}

# Compresses the documents, and records the checksums.
seal() {
    find "$1/usr/share" -type f \( -path '*/man/*' -o -name changelog -o -name 'NEWS.md' \) \
        -exec gzip -9n {} +
    chmod -R u=rwX,go=rX "$1"
    find "$1" -name '*.so*' -type f -exec chmod 644 {} +
    (cd "$1" && find . -type f ! -path './DEBIAN/*' | sed 's|^\./||' | LC_ALL=C sort | xargs -d '\n' md5sum) >"$1/DEBIAN/md5sums"
    chmod 644 "$1/DEBIAN/md5sums"
}
