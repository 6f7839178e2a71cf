import CSynthLinux
import Glibc

/// The confinement of a process that is about to run untrusted code. It covers all threads that the process creates
/// later and cannot be lifted.
package struct Confinement: Equatable, Sendable {
    /// The kernel's Landlock version; 0 if the kernel does not support Landlock.
    package static var landlockVersion: Int { max(0, Int(linux_landlock_version())) }

    package var files: FileRules
    package var network: Network
    /// Whether writable memory may be made executable.
    package var mayWriteCode: Bool
    /// The Landlock version to use, which must not be newer than the kernel's version; 0 disables Landlock.
    package var version: Int

    /// - Parameter version: if this is older than the kernel's version, only the restrictions of this version apply.
    package init(
        _ files: FileRules, network: Network = .none, mayWriteCode: Bool = false, version: Int = Self.landlockVersion
    ) {
        self.files = files
        self.network = network
        self.mayWriteCode = mayWriteCode
        self.version = min(version, Self.landlockVersion)
    }

    /// The outgoing connections that the process may open. The process may never listen for connections or open Unix
    /// sockets.
    package enum Network: Equatable, Sendable {
        case none
        /// TCP connections to these ports only. Requires Landlock version 4.
        case ports([UInt16])
        case all
    }

    /// The parts of the confinement that are not in effect.
    package struct Gap: OptionSet, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        package static let files = Gap(rawValue: 1 << 0)
        package static let calls = Gap(rawValue: 1 << 1)
    }

    /// Confines this process. The calling thread must be the process's only thread. Call `linux_harden` first.
    ///
    /// - Returns: the parts that this kernel does not support, or that a container forbids.
    package func apply() -> Gap { apply { permissions, _ in linux_refuse_calls(permissions) } }

    /// Confines this process with a custom system call filter.
    ///
    /// - Parameter refuse: installs the filter. Receives the permissions to keep (`linux_permission`) and the gaps so far; returns false if
    ///   it cannot install the filter.
    package func apply(refusingCallsBy refuse: (_ permissions: UInt32, _ missing: Gap) -> Bool) -> Gap {
        linux_limit_resources()
        var gap: Gap = []
        do {
            if version > 0 { try files.apply(network, version: version) } else { gap.insert(.files) }
        } catch {
            gap.insert(.files)
        }
        if !refuse(permissions, gap) { gap.insert(.calls) }
        return gap
    }

    private var permissions: UInt32 {
        (network == .none ? 0 : LINUX_MAY_CONNECT.rawValue) | (mayWriteCode ? LINUX_MAY_WRITE_CODE.rawValue : 0)
            | (files.runnable.isEmpty ? 0 : LINUX_MAY_BECOME.rawValue)
            | (files.devices.isEmpty ? 0 : LINUX_MAY_CONTROL.rawValue)
    }
}

extension Confinement {
    /// Why a part of the confinement is unavailable.
    package enum Obstacle: Equatable, Sendable {
        /// The kernel was built without this feature.
        case absent
        /// The feature was disabled when the kernel started.
        case turnedOff
        /// A system call filter, such as the filter of a container or a systemd unit, blocks the feature.
        case filtered(Errno)
    }

    /// Why Landlock is unavailable; nil if it is available.
    package static var landlockObstacle: Obstacle? { obstacle(of: linux_landlock_version()) }
    /// Why the kernel cannot filter system calls (seccomp(2)); nil if it can.
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
