import Glibc
package import SynthAudio
package import SynthSystem

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
            "The file \"\(path)\" cannot be written: \(Errno(code))."
        case .outputNotReplaced(let path):
            "\"\(path)\" is not empty, and its folder takes no new file to put in its place."
        case .outputInUse(let path, let use, let kept):
            "\"\(path)\" is \(use.words)" + (kept.map { "; what was written meanwhile is \"\($0)\"." } ?? ".")
        case .outputNotWritten(let name, ENOSPC), .outputNotWritten(let name, EDQUOT):
            "There is no space left to write \(Self.text(name))."
        case .outputNotWritten(let name, EFBIG):
            "Writing \(Self.text(name)) failed: no file may grow so large here."
        case .outputNotWritten(let name, let code):
            "Writing \(Self.text(name)) failed: \(Errno(code))."
        case .endingUnknown(let path):
            "The ending of \"\(path)\" is no format that synthhost writes."
        case .endingContradicts(let path, let ending, let asked):
            "\"\(path)\" ends like a \(ending.title) file, and --format asks for \(asked.title)."
        case .formatMissing(let format, let known):
            "The libsndfile of this machine does not write \(format.title); with it, synthhost writes "
                + "\(Wording.all(known.map(\.title)))."
        case .encoderNotLoaded(let library, let reason):
            "\(library), which encodes sound, cannot be used: \(reason ?? "it lacks a function")."
        case .encodingFailed(let format, let reason):
            "The sound could not be encoded as \(format.title)\(reason.map { ": \($0)" } ?? ".")"
        case .tagTooLong(let tag, let bytes, let limit):
            "The \(tag == .title ? "title" : "author") has \(bytes) bytes, and a sound file takes \(limit)."
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
            "The sound device \"\(device)\" cannot be opened: \(ALSADevice.reason(code))."
        case .deviceRefusesFormat(let device, let format, let code):
            "The sound device \"\(device)\" does not play \(Self.text(format)): \(ALSADevice.reason(code))."
        case .deviceFailed(let device, ENODEV):
            "The sound device \"\(device)\" was unplugged."
        case .deviceFailed(let device, let code):
            "The sound device \"\(device)\" failed while playing: \(ALSADevice.reason(code))."
        case .deviceStalled(let device):
            "The sound device \"\(device)\" has taken no sound for ten seconds."
        case .formatUnusable(let format):
            "Sound with \(Self.text(format)) cannot be handled."
        case .tempoUnusable(let tempo, let pitch):
            "A tempo of \(tempo) with a pitch of \(pitch) is out of range."
        case .conversionFailed(.rates(let from, let to)):
            "The sound could not be converted: \(from) Hz does not convert to \(to) Hz."
        case .conversionFailed(.noMemory(let library)):
            "The sound could not be converted: \(library) has no memory."
        case .conversionFailed(.library(let reason)):
            "The sound could not be converted: \(reason)."
        case .notMeasured(let fault): fault.message
        case .noDescriptor(let code):
            "The system gave no more file descriptors: \(Errno(code))."
        }
    }

    /// One sentence: what to type or do next.
    package var remedy: String {
        switch self {
        case .outputNotCreated(let path, ENOENT) where !path.isEmpty:
            "Create it with `mkdir -p \(Wording.quoted(LinkTarget.folder(of: path)))`, or choose another file with `-o`."
        case .outputLinkLeadsNowhere(_, _, let folder):
            "Create the folder with `mkdir -p \(Wording.quoted(folder))`, or choose another file with `-o`."
        case .outputNotCreated(let path, EISDIR):
            "Name a file in it, for instance `-o \(Wording.quoted((path.hasSuffix("/") ? path : path + "/") + "speech.wav"))`."
        case .outputNotReplaced(let path):
            "Choose another file with `-o file.wav`, or have the shell overwrite it: `-o - > \(Wording.quoted(path))`."
        case .outputInUse, .outputNotCreated:
            "Choose another file with `-o file.wav`."
        case .outputNotWritten(_, ENOSPC), .outputNotWritten(_, EDQUOT):
            "Free some space, or choose a file on another disk with `-o file.wav`."
        case .outputNotWritten(_, EFBIG):
            "Lift the limit with `ulimit -f unlimited`."
        case .outputNotWritten:
            "Choose another file with `-o file.wav`."
        case .endingUnknown:
            "End the name in \(Wording.either(SoundFileFormat.allCases.map { ".\($0.rawValue)" })), or name one of them with `--format`."
        case .endingContradicts(_, let ending, let asked):
            "Leave `--format` out, or end the name in .\(asked.rawValue) instead of .\(ending.rawValue)."
        case .formatMissing:
            "Choose one of them with `--format`, or install a newer libsndfile."
        case .encoderNotLoaded(let library, _):
            "\(MissingLibrary(name: library).remedy); without it, `-o file.wav` works."
        case .encodingFailed:
            "Choose another format, such as `-o file.wav`."
        case .tagTooLong(let tag, _, _):
            "Shorten what `\(tag == .title ? "--title" : "--author")` says."
        case .brokenPipe:
            "Keep the reading program running until the speech ends."
        case .deviceMissing("default", _):
            Self.fileInstead
        case .deviceMissing(_, let known) where known.isEmpty:
            Self.fileInstead
        case .deviceMissing(_, let known):
            "Devices: \(Wording.list(known)); `synthhost speak … -d DEVICE` chooses one, \(Self.fileInsteadClause)."
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
        case .notMeasured: "Leave the loudness as it is with --loudness off."
        case .noDescriptor:
            "Close other programs, or raise the limit with `ulimit -n 1024`."
        }
    }

    private static let fileInsteadClause = "`-o file.wav` writes a file instead"
    private static let fileInstead = "`synthhost speak … -o file.wav` writes a file instead."

    private static func text(_ name: OutputName) -> String {
        switch name {
        case .file(let path): "\"\(path)\""
        case .descriptor(STDOUT_FILENO): "standard output"
        case .descriptor(STDERR_FILENO): "standard error"
        case .descriptor(let number): "descriptor \(number)"
        }
    }

    private static func text(_ format: AudioFormat) -> String {
        "\(format.sampleRate) Hz and \(format.channels) \(format.channels == 1 ? "channel" : "channels")"
    }
}

extension FileUse {
    /// What a file is to the command that reads it: "the lexicon that this command reads".
    package var words: String {
        switch self {
        case .text: "the text that this command reads"
        case .sound: "a sound that this command plays"
        case .clip: "a clip that this command plays"
        case .lexicon: "the lexicon that this command reads"
        case .configuration: "the configuration that this command reads"
        case .registry: "a registry of voices that this command reads"
        case .languageTable: "a table of a language that this command reads"
        case .voice: "a file of a voice"
        case .engine: "an engine"
        case .program: "a program of synthhost"
        }
    }
}

extension SoundFileFormat {
    /// What people call it.
    package var title: String {
        switch self {
        case .wav: "WAV"
        case .flac: "FLAC"
        case .mp3: "MP3"
        case .opus: "Opus"
        case .ogg: "Ogg Vorbis"
        }
    }
}
