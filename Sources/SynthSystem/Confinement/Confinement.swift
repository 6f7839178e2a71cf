import CSynthLinux
import Glibc

/// The walls around a process that is about to run foreign code. They hold for all its threads to come, and nothing takes them
/// away.
package struct Confinement: Equatable, Sendable {
    /// The version of Landlock that the kernel has; 0 = none.
    package static var landlockVersion: Int { max(0, Int(linux_landlock_version())) }

    package var files: FileRules
    package var network: Network
    /// Whether it may write machine code into its memory and run it.
    package var mayWriteCode: Bool
    /// Not above the kernel's; 0 = without Landlock.
    package var version: Int

    /// - Parameter version: a lower one than the kernel's watches what an older kernel would.
    package init(
        _ files: FileRules, network: Network = .none, mayWriteCode: Bool = false, version: Int = Self.landlockVersion
    ) {
        self.files = files
        self.network = network
        self.mayWriteCode = mayWriteCode
        self.version = min(version, Self.landlockVersion)
    }

    /// What it may connect to. It never listens, and opens no Unix socket.
    package enum Network: Equatable, Sendable {
        case none
        /// By TCP to these ports only, from version 4 on.
        case ports([UInt16])
        case all
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
    package func apply() -> Gap { apply { freedoms, _ in linux_refuse_calls(freedoms) } }

    /// The same, with another way to refuse calls than that of the kernel alone.
    ///
    /// - Parameter refuse: it gets the freedoms (`linux_freedom`) and what is missing already; false = it cannot.
    package func apply(refusingCallsBy refuse: (_ freedoms: UInt32, _ missing: Gap) -> Bool) -> Gap {
        linux_limit_resources()
        var gap: Gap = []
        do {
            if version > 0 { try files.apply(network, version: version) } else { gap.insert(.files) }
        } catch {
            gap.insert(.files)
        }
        if !refuse(freedoms, gap) { gap.insert(.calls) }
        return gap
    }

    private var freedoms: UInt32 {
        (network == .none ? 0 : LINUX_MAY_CONNECT.rawValue) | (mayWriteCode ? LINUX_MAY_WRITE_CODE.rawValue : 0)
            | (files.runnable.isEmpty ? 0 : LINUX_MAY_BECOME.rawValue)
            | (files.devices.isEmpty ? 0 : LINUX_MAY_CONTROL.rawValue)
    }
}

extension Confinement {
    /// Why a part of the walls cannot be had here.
    package enum Obstacle: Equatable, Sendable {
        /// The kernel was built without it.
        case absent
        /// The kernel was started without it.
        case turnedOff
        /// A filter around this process, as of a container or a unit of systemd, refuses it.
        case filtered(Errno)
    }

    /// Why there is no Landlock; nil = there is.
    package static var landlockObstacle: Obstacle? { obstacle(of: linux_landlock_version()) }
    /// Why the kernel refuses no calls (seccomp(2)); nil = it can.
    package static var callFilterObstacle: Obstacle? { obstacle(of: linux_has_filters()) }

    private static func obstacle(of answer: Int32) -> Obstacle? {
        guard answer < 0 else { return nil }
        let error = Errno.last
        return switch error.code {
        case ENOSYS, EINVAL: .absent
        case EOPNOTSUPP: .turnedOff
        default: .filtered(error)
        }
    }
}
