package import EngineProcesses
import EngineWire
import System

/// How far engines are confined on this machine, in words.
package struct ConfinementState: Equatable, Sendable {
    private let chosen: EngineConfinement
    private let gap: Confinement.Gap

    package init(
        _ limits: EngineLimits, landlock: Int = Confinement.landlockVersion,
        hasCallFilter: Bool = Confinement.hasCallFilter
    ) {
        chosen = limits.confinement
        var gap: Confinement.Gap = []
        if landlock == 0 { gap.insert(.files) }
        if !hasCallFilter { gap.insert(.calls) }
        self.gap = gap
    }

    package var isWhole: Bool { chosen != .off && gap.isEmpty }

    /// "engines read what …".
    package var message: String {
        if chosen == .off { return "engines may do all that you may: limits.confinement is off" }
        let files = "no Landlock, which keeps engines from your files"
        let calls = "no filters for system calls, which keep engines from the network and from starting programs"
        return switch (gap.contains(.files), gap.contains(.calls)) {
        case (false, false):
            "engines read voices and system libraries, write into their cache, and reach no other files, no network and no programs"
        case (true, false): "this kernel, or a container, offers \(files)" + consequence
        case (false, true): "this kernel, or a container, offers \(calls)" + consequence
        case (true, true): "this kernel, or a container, offers \(files), and \(calls)" + consequence
        }
    }

    private var consequence: String { chosen == .required ? "; so none is loaded, as limits.confinement asks for" : "" }

    package var remedy: String? {
        if isWhole { return nil }
        if chosen == .off { return "To confine them, type: synthhost config unset limits.confinement" }
        return chosen == .required
            ? "To use engines all the same, type: synthhost config set limits.confinement usual"
            : "Use engines of people whom you trust. Linux has Landlock since 5.13."
    }
}
