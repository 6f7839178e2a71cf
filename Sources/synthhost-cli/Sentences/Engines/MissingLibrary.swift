/// A shared library that an engine needs and the loader does not find.
struct MissingLibrary: Equatable, Sendable {
    /// Such as "libespeak-ng.so.1".
    let name: String

    /// The Debian packages of the libraries that synthhost and its engines use.
    private static let packages = [
        "libarchive.so.13": "libarchive13",
        "libasound.so.2": "libasound2",
        "libebur128.so.1": "libebur128-1",
        "libespeak-ng.so.1": "libespeak-ng1",
        "libonnxruntime.so.1.21": "libonnxruntime1.21",
        "libpcaudio.so.0": "libpcaudio0",
        "libsamplerate.so.0": "libsamplerate0",
        "libsndfile.so.1": "libsndfile1",
        "libsonic.so.0": "libsonic0",
        "libstdc++.so.6": "libstdc++6",
    ]

    /// What to do about it: a sentence.
    var remedy: String {
        if let package = Self.packages[name] { return "Type: sudo apt install \(package)" }
        let isOfSwift = ["libswift", "libFoundation", "lib_Foundation", "libdispatch.", "libBlocksRuntime."]
            .contains { name.hasPrefix($0) }
        if isOfSwift { return "It belongs to Swift; its author can link it in with -static-stdlib." }
        return "`apt-file search \(name)` names its package."
    }
}
