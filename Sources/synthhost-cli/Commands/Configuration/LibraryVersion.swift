import CSynthEngine
import CSynthICU
import CSynthLinux
import Glibc
import SynthAudio
import SynthCommandSyntax
import SynthHost
import SynthScript
import SynthSystem

/// The version of a library that synthhost or an engine uses. The version is read from the library that the loader
/// finds, because the package may have been updated since synthhost was built.
struct LibraryVersion: Sendable {
    enum Answer: Equatable {
        case version(String)
        /// The library is installed but does not report its version.
        case unknown
        case missing
    }

    let title: String
    /// A sentence that explains how to install the library.
    let remedy: String
    /// Returns the version. Opens the library, which then stays loaded.
    let ask: @Sendable () -> Answer

    static let all = [
        LibraryVersion("libcurl", "libcurl.so.4") { $0.text(of: "curl_version") },
        LibraryVersion("libarchive", "libarchive.so.13") { $0.text(of: "archive_version_string") },
        LibraryVersion("libespeak-ng", "libespeak-ng.so.1", espeak),
        LibraryVersion("ONNX Runtime", remedy: "It is installed with the neural engines.") {
            answer(of: onnxNames, onnx)
        },
        LibraryVersion("libsonic", "libsonic.so.0") { $0.versionOfFile(with: "sonicCreateStream") },
        LibraryVersion("libsamplerate", "libsamplerate.so.0") { $0.text(of: "src_get_version") },
        LibraryVersion("libsndfile", SoundFileFormat.library) { $0.text(of: "sf_version_string") },
        LibraryVersion("libopusenc", "libopusenc.so.0") { $0.text(of: "ope_get_version_string") },
        LibraryVersion("libebur128", LoudnessMeter.library, loudness),
        LibraryVersion("ICU", remedy: MissingLibrary(name: String(cString: icu_numbers_library())).remedy) {
            icu_numbers_version().map { .version(String(cString: $0)) } ?? .missing
        },
        LibraryVersion("md4c", MarkdownScript.library) { $0.versionOfFile(with: "md_parse") },
        LibraryVersion("ALSA", "libasound.so.2") { $0.text(of: "snd_asoundlib_version") },
    ]

    init(_ title: String, remedy: String, ask: @escaping @Sendable () -> Answer) {
        self.title = title
        self.remedy = remedy
        self.ask = ask
    }

    /// - Parameter name: the file name by which the loader finds the library.
    init(_ title: String, _ name: String, _ version: @escaping @Sendable (LoadedLibrary) -> String?) {
        self.init(title, remedy: MissingLibrary(name: name).remedy) { Self.answer(of: [name], version) }
    }

    /// Uses the first name that the loader finds.
    private static func answer(of names: [String], _ version: (LoadedLibrary) -> String?) -> Answer {
        guard let library = names.lazy.compactMap(LoadedLibrary.init).first else { return .missing }
        return version(library).map { .version(number(in: $0)) } ?? .unknown
    }

    /// Extracts the number from a version string such as "libcurl/7.88.1 OpenSSL/3.0.17" or "libsndfile-1.2.0".
    static func number(in text: String) -> String {
        let words = text.split { " /-()".contains($0) }
        return words.first { $0.first?.isNumber == true && $0.contains(".") }.map(String.init) ?? text
    }

    // MARK: - Libraries with their own version functions

    private static func espeak(_ library: LoadedLibrary) -> String? {
        typealias Info =
            @convention(c) (UnsafeMutablePointer<UnsafePointer<CChar>?>?) -> UnsafePointer<CChar>?
        return library.function("espeak_Info", as: Info.self)?(nil).map { String(cString: $0) }
    }

    /// The build that synthhost downloads has the first name. Debian's packages use a different name for each version.
    private static let onnxNames = ["libonnxruntime.so.1"] + (17...40).reversed().map { "libonnxruntime.so.1.\($0)" }

    private static func onnx(_ library: LoadedLibrary) -> String? {
        /// A function that returns a table of two functions, the second of which returns the version.
        typealias Base = @convention(c) () -> UnsafePointer<UnsafeRawPointer?>?
        typealias Version = @convention(c) () -> UnsafePointer<CChar>?
        guard let table = library.function("OrtGetApiBase", as: Base.self)?(), let address = table[1] else {
            return nil
        }
        return unsafeBitCast(address, to: Version.self)().map { String(cString: $0) }
    }

    private static func loudness(_ library: LoadedLibrary) -> String? {
        typealias Version =
            @convention(c) (UnsafeMutablePointer<Int32>?, UnsafeMutablePointer<Int32>?, UnsafeMutablePointer<Int32>?) ->
            Void
        guard let version = library.function("ebur128_get_version", as: Version.self) else { return nil }
        var (major, minor, patch) = (Int32(0), Int32(0), Int32(0))
        version(&major, &minor, &patch)
        return "\(major).\(minor).\(patch)"
    }
}

/// A library that the loader has opened. It is never closed.
struct LoadedLibrary {
    private let handle: UnsafeMutableRawPointer

    init?(_ name: String) {
        guard let handle = dlopen(name, RTLD_LAZY | RTLD_LOCAL) else { return nil }
        self.handle = handle
    }

    /// - Parameter type: the C function type.
    func function<Function>(_ name: String, as type: Function.Type) -> Function? {
        dlsym(handle, name).map { unsafeBitCast($0, to: type) }
    }

    /// Calls a C function without parameters that returns a string.
    func text(of name: String) -> String? {
        typealias Text = @convention(c) () -> UnsafePointer<CChar>?
        return function(name, as: Text.self)?().map { String(cString: $0) }
    }

    /// Returns the version from the file name of the library that contains a function, such as 0.2.0 for
    /// libsonic.so.0.2.0. Links are resolved.
    func versionOfFile(with name: String) -> String? {
        guard let address = dlsym(handle, name), let file = linux_file_with(address),
            let path = LinkTarget.real(String(cString: file))
        else { return nil }
        let parts = path.split(separator: ".so.", maxSplits: 1)
        return parts.count == 2 ? String(parts[1]) : nil
    }
}

/// `synthhost --version --verbose`: prints the versions of all components, one per line, for bug reports.
struct PartVersions: CommandPart {
    let context: CommandContext

    func lines() -> [String] {
        [
            "synthhost \(context.version)", "Swift: \(Self.compiler), runtime \(_SwiftStdlibVersion.current)",
            "engine interface: \(SYNTH_ABI)",
        ] + engines() + LibraryVersion.all.flatMap(Self.lines)
    }

    /// The compiler version, which may be a range because a program can only test for minimum versions.
    private static var compiler: String {
        #if compiler(>=6.5)
            "6.5 or later"
        #elseif compiler(>=6.4)
            "6.4"
        #elseif compiler(>=6.3.3)
            "6.3.3 or later"
        #elseif compiler(>=6.3.2)
            "6.3.2"
        #elseif compiler(>=6.3.1)
            "6.3.1"
        #else
            "6.3 or earlier"
        #endif
    }

    /// Lists the engines from the scan cache without starting them again. If the configuration cannot be read, the
    /// plugins folders are unknown.
    private func engines() -> [String] {
        let listings: [EngineListing]
        do {
            listings = try context.host(try context.configuration()).snapshot(.usual).listings
        } catch {
            let failure = CommandFailure(error)
            return ["engines: unknown"] + [failure.message, failure.remedy].compactMap { $0 }.map { "      \($0)" }
        }
        return listings.map { listing in
            switch listing.verdict {
            case .usable(let engine): "engine: \(engine.id) \(engine.version), \(listing.path)"
            case .shadowed(let engine, _): "engine: \(engine.id) \(engine.version), not used, \(listing.path)"
            case .unusable: "engine: unusable, \(listing.path)"
            }
        }
    }

    static func lines(_ library: LibraryVersion) -> [String] {
        switch library.ask() {
        case .version(let version): ["\(library.title): \(version)"]
        case .unknown: ["\(library.title): unknown version"]
        case .missing: ["\(library.title): missing", "      \(library.remedy)"]
        }
    }
}
