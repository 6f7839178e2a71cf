import CEBUR128
import Glibc

/// libebur128, opened when it is first needed and never closed.
struct LoudnessLibrary: Sendable {
    let functions: synth_ebur128

    private static let shared = Result { () throws(LoudnessError) in try LoudnessLibrary(name: LoudnessMeter.library) }

    /// The library of this machine.
    ///
    /// - Throws: `libraryNotLoaded`.
    static func ofMachine() throws(LoudnessError) -> LoudnessLibrary { try shared.get() }

    /// - Parameter name: as `dlopen` takes it.
    /// - Throws: `libraryNotLoaded`.
    init(name: String) throws(LoudnessError) {
        guard let library = dlopen(name, RTLD_NOW | RTLD_LOCAL) else {
            throw .libraryNotLoaded(library: name, reason: dlerror().map { String(cString: $0) })
        }
        var functions = synth_ebur128()
        guard synth_ebur128_find(library, &functions) else { throw .libraryNotLoaded(library: name, reason: nil) }
        self.functions = functions
    }
}
