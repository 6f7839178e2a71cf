import Glibc

/// The folder of this build, with the test bundle, the programs and the engines.
package enum BuildFolder {
    package static let path: String = {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        let executable = String(decoding: buffer.prefix(max(count, 0)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return String(executable[..<(executable.lastIndex(of: "/") ?? executable.startIndex)])
    }()

    /// The toolchain's libraries, for `LD_LIBRARY_PATH`. A program finds them relative to its own folder, unless it was copied
    /// or /proc is missing.
    package static let libraries = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])

    /// Whether this build includes the engines that need ONNX Runtime.
    package static let hasNeuralEngines = access("\(path)/libPiper.so", F_OK) == 0

    /// A folder with this build's programs, but only the engines with built-in voices. As a result, tests see the same
    /// voices whether or not ONNX Runtime is available, and a new user is offered only the test's own voices.
    package static let withoutNeuralEngines: String = {
        // The folder is beside the build folder, because programs also look for libraries in the folder above their own.
        let folder = "\(path)-with-built-in-voices"
        mkdir(folder, 0o755)
        for name in [
            "synthhost", "synthhost-worker", "synthhost-check", "synthhost-fetch", "synthhost-read", "sd_synthhost",
            "libEspeakNG.so", "libTone.so",
        ] {
            // The files are hard links, because a program determines its own folder from /proc. They are renamed into
            // place, because programs in other tests may be starting at the same time.
            let temporary = "\(folder)/.\(name).\(getpid())"
            link("\(path)/\(name)", temporary)
            rename(temporary, "\(folder)/\(name)")
            unlink(temporary)
        }
        return folder
    }()
}
