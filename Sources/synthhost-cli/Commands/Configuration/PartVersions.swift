import CSynthEngine
import SynthCommandSyntax
import SynthHost

/// `synthhost --version --verbose`: prints the versions of all components, one per line, for bug reports.
struct PartVersions {
    let context: CommandContext
    let arguments: ParsedArguments

    func lines() -> [String] {
        [
            "synthhost \(context.version)", "Swift: \(Self.compiler), runtime \(_SwiftStdlibVersion.current)",
            "engine interface: \(SYNTH_ABI)",
        ] + engines() + LibraryVersion.all.flatMap(Self.lines)
    }

    /// The compiler version, as precisely as conditional compilation can determine it.
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

    /// Lists the engines from the scan cache, so that they are not started again. The list is empty if the configuration is unreadable,
    /// because the plugins folders are then unknown.
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
