# Finds ONNX Runtime for the neural engines. Other scripts source this file after packages.sh.

# Includes the neural engines in the build if ONNX Runtime is available. If not, prints the reason; everything else is
# still built.
use_onnxruntime() {
    # Debian 13 has this package.
    ! offers_package libonnxruntime-dev || require_packages libonnxruntime-dev || true
    python3 -m pip --version >/dev/null 2>&1 || require_packages python3 python3-pip || true
    local folder
    if folder=$("$root/Scripts/onnxruntime" 2>"$root/.build/onnxruntime.log"); then
        SYNTHHOST_ONNXRUNTIME=$folder
        PKG_CONFIG_PATH=$folder/lib/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
        export SYNTHHOST_ONNXRUNTIME PKG_CONFIG_PATH
    else
        unset SYNTHHOST_ONNXRUNTIME
        echo "Building without the neural engines, which need ONNX Runtime:" >&2
        tail -n 1 "$root/.build/onnxruntime.log" >&2
    fi
}

# Repeats the message at the end of a build, because the first message has scrolled out of view.
say_without_neural_engines() {
    [ -z "${SYNTHHOST_ONNXRUNTIME-}" ] || return 0
    echo "Built without the neural engines Piper and Kokoro: ONNX Runtime was not found." >&2
    tail -n 1 "$root/.build/onnxruntime.log" >&2
}
