extension FileFailure: ErrorCause {
    package var code: SpeechError.Code {
        switch reason {
        case .noSpace, .quotaExceeded: .diskFull
        case .fileTooLarge where call != "read": .fileTooLarge
        default: .storeFailed
        }
    }

    package var facts: SpeechError.Facts { .init(path: path, reason: "\(reason)", errno: reason.code) }

    package var remedy: SpeechError.Remedy? {
        switch reason {
        case .noSpace, .quotaExceeded: .freeSpace(for: .voices)
        case .fileTooLarge where call != "read": .raiseLimit(.fileSize)
        case .noAccess, .notPermitted, .readOnly: .checkPermissions(path)
        case .crossesLinks: .replaceLink(path)
        case .notFolder: .moveAway(path)
        case .notOrdinaryFile, .isFolder: .putFileInPlace
        default: .runAgainOrCheckDisk
        }
    }

    package var message: String {
        switch reason {
        case .noSpace, .quotaExceeded: "The disk is full: \(path) could not be written."
        case .fileTooLarge where call != "read": "\(path) could not be written: no file may grow so large here."
        case .noAccess, .notPermitted, .readOnly: "\(path) is not yours to change: \(reason)."
        case .crossesLinks: "\(path) is a link, and synthhost changes nothing through a link."
        case .notFolder: "\(path) is no folder, and one is needed there."
        case .notOrdinaryFile, .isFolder: "\(path) is no ordinary file but a folder, a pipe, a socket or a device."
        default: "\(path): \(call) failed: \(reason)."
        }
    }
}
