import CLinux
import Glibc

/// The walls around a process that is about to run foreign code. They hold for all its threads to come, and nothing takes them
/// away.
package struct Confinement: Equatable, Sendable {
    /// The version of Landlock that the kernel has; 0 = none.
    package static var landlockVersion: Int { Int(linux_landlock_version()) }
    /// Whether the kernel can refuse calls (seccomp(2)).
    package static var hasCallFilter: Bool { linux_has_filters() }

    package var files: FileRules
    /// Whether it may connect to other machines. It never listens.
    package var mayConnect: Bool
    /// Not above the kernel's; 0 = without Landlock.
    package var version: Int

    /// - Parameter version: a lower one than the kernel's watches what an older kernel would.
    package init(_ files: FileRules, mayConnect: Bool = false, version: Int = Self.landlockVersion) {
        self.files = files
        self.mayConnect = mayConnect
        self.version = min(version, Self.landlockVersion)
    }

    /// What a process lacks of its walls.
    package struct Gap: OptionSet, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        package static let files = Gap(rawValue: 1 << 0)
        package static let calls = Gap(rawValue: 1 << 1)
    }

    /// Confines this process. The calling thread must be its only one. `linux_harden` comes before.
    ///
    /// - Returns: what this kernel, or a container that forbids it, does not offer.
    package func apply() -> Gap {
        linux_limit_resources()
        var gap: Gap = []
        do {
            if version > 0 { try files.apply(mayConnect: mayConnect, version: version) } else { gap.insert(.files) }
        } catch {
            gap.insert(.files)
        }
        if !linux_refuse_calls(mayConnect) { gap.insert(.calls) }
        return gap
    }
}
