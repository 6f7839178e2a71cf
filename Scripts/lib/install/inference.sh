# Links once what all neural engines share. Sourced by Scripts/install.
#
# SwiftPM links every engine with its own copy of the modules that run models, a megabyte each. In an installed tree these modules are
# one library beside ONNX Runtime, and the engines are linked again without them.

inference=lib/synthhost/libSynthInference.so
inference_modules='CSynthFileHoles|CSynthVectorKernels|EngineKit|SynthGraphRewriting|SynthJSON|SynthGraphs|SynthInference'

# Whether SwiftPM has linked an engine with these modules.
has_inference() { grep -qsE "/SynthInference\.build/" "$built/$1.product/Objects.LinkFileList"; }

# link_library FILE ENGINE OPTION...: links the objects that are listed in $scratch/objects, with the libraries of the distribution that
# the engine needs.
link_library() {
    file=$1
    libraries=
    for library in $(needed "$built/lib$2.so"); do
        case $library in libonnxruntime.* | libespeak-ng.* | libarchive.*) libraries="$libraries -l:$library" ;; esac
    done
    shift 2
    mkdir -p "$(dirname "$tree/$file")"
    # shellcheck disable=SC2086 # One word for each library.
    swiftc -emit-library -o "$tree/$file" "@$scratch/objects" -L "${SYNTHHOST_ONNXRUNTIME:-/usr}/lib" $libraries "$@" \
        -no-toolchain-stdlib-rpath -Xlinker "-soname=${file##*/}" -Xlinker --gc-sections -Xlinker '-rpath=$ORIGIN' \
        -Xlinker '-rpath=$ORIGIN/..'
}

# place_engine NAME: an engine that runs models is linked with the shared library, which the first one makes; any other is copied.
place_engine() {
    list=$built/$1.product/Objects.LinkFileList
    if ! has_inference "$1"; then
        place 755 "$built/lib$1.so" "lib/synthhost/plugins/lib$1.so"
        return
    fi
    if [ ! -e "$tree/$inference" ]; then
        # The modules are the same in all lists, and one that an engine does not use is in none of its own.
        cat "$built"/*.product/Objects.LinkFileList | grep -E "/($inference_modules)\.build/" | sort -u >"$scratch/objects"
        link_library "$inference" "$1" -Xlinker --as-needed
    fi
    grep -vE "/($inference_modules)\.build/" "$list" >"$scratch/objects"
    link_library "lib/synthhost/plugins/lib$1.so" "$1" -L "$tree/lib/synthhost" -l:libSynthInference.so \
        -Xlinker "--version-script=$root/Plugins/Shared/entries.map"
}
