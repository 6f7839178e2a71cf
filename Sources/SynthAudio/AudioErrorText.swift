import CALSA
import Glibc

extension AudioError {
    /// One sentence: what happened.
    package var message: String {
        switch self {
        case .outputNotCreated(let path, ENOENT):
            path.isEmpty
                ? "The name of the output file is empty."
                : "The folder \"\(LinkTarget.folder(of: path))\" does not exist."
        case .outputLinkLeadsNowhere(let link, let target, let folder):
            "\"\(link)\" is a link to \"\(target)\""
                + (folder == target ? ", which does not exist." : ", whose folder does not exist.")
        case .outputNotCreated(let path, EISDIR):
            "\"\(path)\" is a folder, not a file."
        case .outputNotCreated(let path, let code):
            "The file \"\(path)\" cannot be written: \(Self.text(errno: code))."
        case .outputNotWritten(let name, ENOSPC), .outputNotWritten(let name, EDQUOT):
            "There is no space left to write \(name)."
        case .outputNotWritten(let name, EFBIG):
            "Writing \(name) failed: no file may grow so large here."
        case .outputNotWritten(let name, let code):
            "Writing \(name) failed: \(Self.text(errno: code))."
        case .outputTooLong(let name):
            "The file \(name) has reached 4 GiB, the most that a WAV file can hold."
        case .brokenPipe:
            "The program that read the sound has ended."
        case .deviceMissing(_, let known) where known.isEmpty:
            "This machine has no sound device that ALSA knows."
        case .deviceMissing("default", _):
            "This machine has no sound card, or it offers no sound to this user."
        case .deviceMissing(let device, _):
            "The sound device \"\(device)\" does not exist."
        case .deviceNotOpened(let device, EBUSY):
            "The sound device \"\(device)\" is in use by another program."
        case .deviceNotOpened(let device, EACCES), .deviceNotOpened(let device, EPERM):
            "This user may not use the sound device \"\(device)\"."
        case .deviceNotOpened(let device, ECONNREFUSED):
            "The sound server behind the device \"\(device)\" does not answer."
        case .deviceNotOpened(let device, let code):
            "The sound device \"\(device)\" cannot be opened: \(Self.text(alsa: code))."
        case .deviceRefusesFormat(let device, let format, let code):
            "The sound device \"\(device)\" does not play \(Self.text(format)): \(Self.text(alsa: code))."
        case .deviceFailed(let device, ENODEV):
            "The sound device \"\(device)\" was unplugged."
        case .deviceFailed(let device, let code):
            "The sound device \"\(device)\" failed while playing: \(Self.text(alsa: code))."
        case .deviceStalled(let device):
            "The sound device \"\(device)\" has taken no sound for ten seconds."
        case .formatUnusable(let format):
            "Sound with \(Self.text(format)) cannot be handled."
        case .tempoUnusable(let tempo, let pitch):
            "A tempo of \(tempo) with a pitch of \(pitch) is out of range."
        case .conversionFailed(let reason):
            "The sound could not be converted: \(reason)."
        case .noDescriptor(let code):
            "The system gave no more file descriptors: \(Self.text(errno: code))."
        }
    }

    /// One sentence: what to type or do next.
    package var remedy: String {
        switch self {
        case .outputNotCreated(let path, ENOENT) where !path.isEmpty:
            "Create it with `mkdir -p \(Self.quoted(LinkTarget.folder(of: path)))`, or choose another file with `-o`."
        case .outputLinkLeadsNowhere(_, _, let folder):
            "Create the folder with `mkdir -p \(Self.quoted(folder))`, or choose another file with `-o`."
        case .outputNotCreated(let path, EISDIR):
            "Name a file in it, for instance `-o \(Self.quoted((path.hasSuffix("/") ? path : path + "/") + "speech.wav"))`."
        case .outputNotCreated:
            "Choose another file with `-o file.wav`."
        case .outputNotWritten(_, ENOSPC), .outputNotWritten(_, EDQUOT):
            "Free some space, or choose a file on another disk with `-o file.wav`; what was written before is valid."
        case .outputNotWritten(_, EFBIG):
            "Lift the limit with `ulimit -f unlimited`; what was written before is valid."
        case .outputNotWritten:
            "Choose another file with `-o file.wav`; what was written before is valid."
        case .outputTooLong:
            "Split the text, or stream it with `-o - --raw`; what was written before is valid."
        case .brokenPipe:
            "Keep the reading program running until the speech ends."
        case .deviceMissing("default", _):
            Self.fileInstead
        case .deviceMissing(_, let known) where known.isEmpty:
            Self.fileInstead
        case .deviceMissing(_, let known):
            "Devices: \(Self.list(known)); `synthhost speak … -d DEVICE` chooses one, \(Self.fileInsteadClause)."
        case .deviceNotOpened(_, EBUSY):
            "End the other program, or choose another device with `-d DEVICE`; \(Self.fileInsteadClause)."
        case .deviceNotOpened(_, EACCES), .deviceNotOpened(_, EPERM):
            "Join the group with `sudo usermod -aG audio $USER` and log in again; \(Self.fileInsteadClause)."
        case .deviceNotOpened(_, ECONNREFUSED):
            "Log in to a desktop or start its sound server, or choose another device with `-d DEVICE`; "
                + "\(Self.fileInsteadClause)."
        case .deviceRefusesFormat(let device, _, _):
            "Try `-d plug:\(device)`, which converts, or `-d default`; \(Self.fileInsteadClause)."
        case .deviceNotOpened, .deviceFailed, .deviceStalled:
            "Choose another device with `-d DEVICE`; \(Self.fileInsteadClause)."
        case .formatUnusable:
            "Sample rates from 1000 to 384000 Hz with 1 to 8 channels are possible; try another voice."
        case .tempoUnusable:
            "Choose a tempo from \(TempoStretch.tempoRange.lowerBound) to \(TempoStretch.tempoRange.upperBound) and a "
                + "pitch from \(TempoStretch.pitchRange.lowerBound) to \(TempoStretch.pitchRange.upperBound)."
        case .conversionFailed:
            "Try again without a change of rate and pitch, or with another voice."
        case .noDescriptor:
            "Close other programs, or raise the limit with `ulimit -n 1024`."
        }
    }

    private static let fileInsteadClause = "`-o file.wav` writes a file instead"
    private static let fileInstead = "`synthhost speak … -o file.wav` writes a file instead."

    private static func list(_ names: [String]) -> String {
        let shown = names.prefix(12).joined(separator: ", ")
        return names.count > 12 ? shown + ", …" : shown
    }

    /// For a shell.
    private static func quoted(_ path: String) -> String {
        "'" + path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }

    private static func text(_ format: AudioFormat) -> String {
        "\(format.sampleRate) Hz and \(format.channels) \(format.channels == 1 ? "channel" : "channels")"
    }

    private static func text(errno code: Int32) -> String {
        String(cString: strerror(code))
    }

    private static func text(alsa code: Int32) -> String {
        snd_strerror(-code).map { String(cString: $0) } ?? "code \(code)"
    }
}
