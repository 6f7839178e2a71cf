/// What an installation is doing, as it goes.
enum InstallStep: Sendable {
    case waiting(process: Int32?)
    /// `bytes` of the file called `file` are on the disk.
    case arrived(bytes: Int64, file: String)
    /// Something that the user should read while waiting.
    case note(DownloadNotice)
    case verifying
    case unpacking
}
