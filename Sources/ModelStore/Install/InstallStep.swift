/// What an installation is doing.
enum InstallStep: Sendable {
    case waiting(process: Int32?)
    /// `bytes` of the file called `file` are on the disk.
    case arrived(bytes: Int64, file: String)
    /// A message for the user who is waiting.
    case note(DownloadNotice)
    case verifying
    case unpacking
}
