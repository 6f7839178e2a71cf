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
        case .noSpace, .quotaExceeded: "The disk is full: cannot write \(path)."
        case .fileTooLarge where call != "read": "Cannot write \(path): it would exceed the file size limit."
        case .noAccess, .notPermitted, .readOnly: "You do not have permission to change \(path): \(reason)."
        case .crossesLinks: "\(path) is a link, and synthhost does not follow links when writing."
        case .notFolder: "\(path) must be a folder, but it is not."
        case .notOrdinaryFile, .isFolder: "\(path) is not a regular file: it is a folder, a pipe, a socket or a device."
        default: "\(path): \(call) failed: \(reason)."
        }
    }
}
