package import SynthEngineProcesses
import SynthEngineWire
package import SynthSystem

/// Describes how strictly this machine confines engines.
package struct ConfinementState: Equatable, Sendable {
    private let chosen: EngineConfinement
    private let missing: [MissingPart]

    /// - Parameters:
    ///   - landlock: why Landlock is not available, or nil if it is.
    ///   - calls: why system call filters are not available, or nil if they are.
    package init(
        _ limits: EngineLimits, landlock: Confinement.Obstacle? = Confinement.landlockObstacle,
        calls: Confinement.Obstacle? = Confinement.callFilterObstacle
    ) {
        chosen = limits.confinement
        missing = [landlock.map { .files($0) }, calls.map { .calls($0) }].compactMap(\.self)
    }

    /// Whether engines are fully confined.
    package var isWhole: Bool { chosen != .off && missing.isEmpty }

    /// A clause that describes what engines can access, such as "engines can read …".
    package var message: String {
        if chosen == .off { return "engines run with all your permissions: limits.confinement is off" }
        if missing.isEmpty {
            return
                "engines can read voices and system libraries and write to their cache; they cannot access any other files, "
                + "the network or other programs"
        }
        return missing.map(\.words).joined(separator: ", and ")
            + (chosen == .required ? "; engines are not loaded, because limits.confinement is set to required" : "")
    }

    /// Advice for the user, or nil if engines are fully confined.
    package var remedy: String? {
        if isWhole { return nil }
        if chosen == .off { return "To confine engines, type: synthhost config unset limits.confinement" }
        return chosen == .required
            ? "To use engines without full confinement, type: synthhost config set limits.confinement usual"
            : (["Use only engines that you trust."] + missing.map(\.remedy)).joined(separator: " ")
    }

    /// The warning before an engine is used for the first time, or nil if none is needed.
    package func warning(of engine: String) -> String? {
        if isWhole { return nil }
        return chosen == .off
            ? "The engine \(engine) runs with all your permissions: limits.confinement is off."
            : "The engine \(engine) is not fully confined: \(message)."
    }
}

/// A part of the confinement that is not available on this machine.
private enum MissingPart: Equatable {
    case files(Confinement.Obstacle)
    case calls(Confinement.Obstacle)

    private var obstacle: Confinement.Obstacle {
        switch self {
        case .files(let obstacle), .calls(let obstacle): obstacle
        }
    }

    private var name: String {
        switch self {
        case .files: "Landlock, which prevents engines from accessing your files"
        case .calls: "system call filters, which prevent engines from using the network and starting programs"
        }
    }

    var words: String {
        switch obstacle {
        case .absent: "this kernel or its container does not support \(name)"
        case .turnedOff: "this kernel was started without \(name)"
        case .filtered(let error):
            "a seccomp filter, such as the filter of a container or a service, blocks \(name) (\(error))"
        }
    }

    /// A sentence that explains how to make this part available.
    var remedy: String {
        switch (self, obstacle) {
        case (.files, .absent): "Landlock needs Linux 5.13 or later."
        case (.files, .turnedOff): "To enable Landlock, add landlock to the lsm= list on the kernel's command line."
        case (.calls, .absent), (.calls, .turnedOff):
            "The filters require a kernel built with CONFIG_SECCOMP_FILTER."
        case (.files, .filtered):
            "To enable Landlock, allow the container or the service to call landlock_create_ruleset, landlock_add_rule "
                + "and landlock_restrict_self."
        case (.calls, .filtered): "To enable the filters, allow the container or the service to call prctl and seccomp."
        }
    }
}
