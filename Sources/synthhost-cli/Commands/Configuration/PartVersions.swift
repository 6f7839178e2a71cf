import CSynthEngine
import SynthCommandSyntax
import SynthHost

/// `synthhost --version --verbose`: the versions of all parts, a line each, for whoever reports a fault.
struct PartVersions {
    let context: CommandContext
    let arguments: ParsedArguments

    func lines() -> [String] {
        [
            "synthhost \(context.version)", "Swift: \(Self.compiler), runtime \(_SwiftStdlibVersion.current)",
            "engine interface: \(SYNTH_ABI)",
        ] + engines() + LibraryVersion.all.flatMap(Self.lines)
    }

    /// A program cannot ask its compiler, which answers only whether it is at least of a version.
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

    /// What the cache of the scan knows is not asked again. Without a configuration that can be read, there are no folders to
    /// look into.
    private func engines() -> [String] {
        let listings: [EngineListing]
        do {
            listings = try context.host(arguments, try context.configuration(arguments)).snapshot(.usual).listings
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
