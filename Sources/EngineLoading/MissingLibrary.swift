/// A shared library that an engine needs and the loader does not find.
struct MissingLibrary: Equatable, Sendable {
    /// Such as "libespeak-ng.so.1".
    let name: String

    /// - Parameter words: the loader's; they start with the library's name where it is the library that is missing.
    init?(_ words: String) {
        let name = words.split(separator: ":").first.map(String.init) ?? ""
        guard name.hasPrefix("lib"), !name.contains("/"), words.contains("cannot open shared object file") else {
            return nil
        }
        self.name = name
    }

    /// The Debian packages of the libraries that synthhost and its engines use.
    private static let packages = [
        "libarchive.so.13": "libarchive13",
        "libasound.so.2": "libasound2",
        "libespeak-ng.so.1": "libespeak-ng1",
        "libonnxruntime.so.1.21": "libonnxruntime1.21",
        "libpcaudio.so.0": "libpcaudio0",
        "libsamplerate.so.0": "libsamplerate0",
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
