import Glibc
import SpeechServices
import System

/// The module's configuration, which the server names.
enum OptionsFile {
    private static let largest = 1 << 20

    /// - Parameter path: nil = none, as for a file that is not there.
    static func read(_ path: String?, _ say: (String) -> Void) -> ModuleOptions {
        guard let path, !path.isEmpty else { return ModuleOptions() }
        let bytes: [UInt8]
        do throws(Errno) {
            bytes = try readWholeFile(path, limit: largest)
        } catch {
            if error != Errno(ENOENT) { say("\(path) cannot be read: \(error).") }
            return ModuleOptions()
        }
        let (options, mistakes) = ModuleOptions.read(String(decoding: bytes, as: UTF8.self))
        for mistake in mistakes { say("\(path), line \(mistake.line): \(mistake.reason.sentence)") }
        return options
    }
}
