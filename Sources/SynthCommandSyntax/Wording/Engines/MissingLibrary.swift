/// A shared library that an engine needs but the loader cannot find.
package struct MissingLibrary: Equatable, Sendable {
    /// The file name, such as "libespeak-ng.so.1".
    package let name: String

    package init(name: String) { self.name = name }

    /// The libraries that synthhost and its engines use and whose packages follow Debian's naming scheme. Libraries in
    /// the same array are always required together.
    private static let packaged = [
        ["libarchive"], ["libasound"], ["libcurl"], ["libebur128"], ["libespeak-ng"], ["libicui18n"],
        ["libmd4c", "libmd4c-html"], ["libonnxruntime"], ["libopusenc"], ["libpcaudio"], ["libsamplerate"],
        ["libsndfile"],
        ["libsonic"], ["libstdc++"], ["libxml2"],
    ]

    /// The Debian packages that contain the library, or nil if they are unknown.
    private var packages: [String]? {
        let parts = name.split(separator: ".so.", maxSplits: 1).map(String.init)
        guard parts.count == 2, let needed = Self.packaged.first(where: { $0.contains(parts[0]) }) else { return nil }
        // All ICU libraries are in one package.
        if parts[0] == "libicui18n" { return ["libicu\(parts[1])"] }
        // "libsonic.so.0" is in libsonic0, and "libebur128.so.1" is in libebur128-1.
        return needed.map { $0 + ($0.last?.isNumber == true ? "-" : "") + parts[1] }
    }

    /// A sentence that explains how to install the library.
    package var remedy: String {
        if let packages { return "Type: sudo apt install \(packages.joined(separator: " "))" }
        let isOfSwift = ["libswift", "libFoundation", "lib_Foundation", "libdispatch.", "libBlocksRuntime."]
            .contains { name.hasPrefix($0) }
        if isOfSwift {
            return
                "This library is part of the Swift runtime; the engine's author can link it statically with "
                + "-static-stdlib."
        }
        return "To find the package that provides the library, type: apt-file search \(name)"
    }
}
