import Glibc
package import SynthSystem

extension AudioError: ErrorCause {
    package var message: String {
        switch self {
        case .outputNotCreated(let path, ENOENT):
            path.isEmpty
                ? "The output file name is empty."
                : "The folder \"\(LinkTarget.folder(of: path))\" does not exist."
        case .outputLinkLeadsNowhere(let link, let target, let folder):
            "\"\(link)\" is a link to \"\(target)\""
                + (folder == target ? ", which does not exist." : ", whose folder does not exist.")
        case .outputNotCreated(let path, EISDIR):
            "\"\(path)\" is a folder, not a file."
        case .outputNotCreated(let path, let code):
            "The file \"\(path)\" cannot be written: \(Errno(code))."
        case .outputNotReplaced(let path):
            "Cannot replace \"\(path)\": it is not empty, and its folder is not writable."
        case .outputInUse(let path, let use, let kept):
            "\"\(path)\" is \(use.words)" + (kept.map { "; the new data was saved as \"\($0)\"." } ?? ".")
        case .outputNotWritten(let name, ENOSPC), .outputNotWritten(let name, EDQUOT):
            "The disk is full: cannot write \(Self.text(name))."
        case .outputNotWritten(let name, EFBIG):
            "Cannot write \(Self.text(name)): it would exceed the file size limit."
        case .outputNotWritten(let name, let code):
            "Writing \(Self.text(name)) failed: \(Errno(code))."
        case .endingUnknown(let path):
            "Cannot write \"\(path)\": its file extension is not supported."
        case .endingContradicts(let path, let ending, let asked):
            "\"\(path)\" has the extension of a \(ending.title) file, but the requested format is \(asked.title)."
        case .formatMissing(let format, let known):
            "The installed libsndfile cannot write \(format.title). It can write "
                + "\(Wording.all(known.map(\.title)))."
        case .encoderNotLoaded(let library, let reason):
            "\(library) cannot be used to encode audio: \(reason ?? "it lacks a required function")."
        case .encodingFailed(let format, let reason):
            "Cannot encode the audio as \(format.title)\(reason.map { ": \(Wording.clause($0))" } ?? "")."
        case .tagTooLong(let tag, let bytes, let limit):
            "The \(tag == .title ? "title" : "author") is \(bytes) bytes long; the limit in audio files is \(limit)."
        case .brokenPipe:
            "The program reading the audio has exited."
        case .deviceMissing(_, let known) where known.isEmpty:
            "ALSA found no sound device on this machine."
        case .deviceMissing("default", _):
            "This machine has no sound card, or this user has no access to it."
        case .deviceMissing(let device, _):
            "The sound device \"\(device)\" does not exist."
        case .deviceNotOpened(let device, EBUSY):
            "The sound device \"\(device)\" is in use by another program."
        case .deviceNotOpened(let device, EACCES), .deviceNotOpened(let device, EPERM):
            "This user has no permission to use the sound device \"\(device)\"."
        case .deviceNotOpened(let device, ECONNREFUSED):
            "The sound server behind the device \"\(device)\" does not respond."
        case .deviceNotOpened(let device, let code):
            "The sound device \"\(device)\" cannot be opened: \(ALSADevice.reason(code))."
        case .deviceRefusesFormat(let device, let format, let code):
            "The sound device \"\(device)\" does not support \(Self.text(format)): \(ALSADevice.reason(code))."
        case .deviceFailed(let device, ENODEV):
            "The sound device \"\(device)\" was unplugged."
        case .deviceFailed(let device, let code):
            "The sound device \"\(device)\" failed: \(ALSADevice.reason(code))."
        case .deviceStalled(let device):
            "The sound device \"\(device)\" has accepted no audio for ten seconds."
        case .formatUnusable(let format):
            "Audio at \(Self.text(format)) is not supported."
        case .tempoUnusable(let tempo, let pitch):
            "The tempo \(tempo) or the pitch \(pitch) is out of range."
        case .conversionFailed(.rates(let from, let to)):
            "Cannot convert the audio from \(from) Hz to \(to) Hz."
        case .conversionFailed(.noMemory(let library)):
            "Cannot convert the audio: \(library) is out of memory."
        case .conversionFailed(.library(let reason)):
            "Cannot convert the audio: \(reason)."
        case .notMeasured(let fault): fault.message
        case .noDescriptor(let code):
            "No file descriptors are available: \(Errno(code))."
        case .clipUnusable(let flaw): flaw.message
        }
    }

    package var code: SpeechError.Code {
        switch self {
        case .outputNotCreated(let path, ENOENT): path.isEmpty ? .fileNotCreated : .folderMissing
        case .outputLinkLeadsNowhere: .folderMissing
        case .outputNotCreated, .outputNotReplaced: .fileNotCreated
        case .outputInUse: .fileInUse
        case .outputNotWritten(_, ENOSPC), .outputNotWritten(_, EDQUOT): .diskFull
        case .outputNotWritten(_, EFBIG): .fileTooLarge
        case .outputNotWritten: .fileNotWritten
        case .endingUnknown: .formatUnknown
        case .endingContradicts: .formatContradicted
        case .formatMissing, .encoderNotLoaded: .formatUnsupported
        case .encodingFailed: .encodingFailed
        case .tagTooLong: .tagTooLong
        case .brokenPipe: .readerGone
        case .deviceMissing: .deviceMissing
        case .deviceNotOpened: .deviceNotOpened
        case .deviceRefusesFormat: .deviceFormatUnsupported
        case .deviceFailed, .deviceStalled: .deviceFailed
        case .formatUnusable: .soundFormatUnsupported
        case .tempoUnusable: .speedOutOfRange
        case .conversionFailed: .soundNotConverted
        case .notMeasured: .loudnessNotMeasured
        case .noDescriptor: .descriptorsExhausted
        case .clipUnusable(let flaw): flaw.code
        }
    }

    package var facts: SpeechError.Facts {
        switch self {
        case .outputNotCreated(let path, ENOENT) where !path.isEmpty:
            .init(path: LinkTarget.folder(of: path), errno: ENOENT)
        case .outputNotCreated(let path, let code): .init(path: path, errno: code)
        case .outputLinkLeadsNowhere(let link, let target, _): .init(path: link, candidates: [target], errno: ENOENT)
        case .outputNotReplaced(let path): .init(path: path)
        case .outputInUse(let path, _, let kept): .init(path: path, candidates: kept.map { [$0] } ?? [])
        case .outputNotWritten(.file(let path), let code): .init(path: path, errno: code)
        case .outputNotWritten(let name, let code): .init(name: Self.text(name), errno: code)
        case .endingUnknown(let path): .init(path: path)
        case .endingContradicts(let path, _, let asked): .init(path: path, name: asked.title)
        case .formatMissing(let format, let known): .init(name: format.title, candidates: known.map(\.title))
        case .encoderNotLoaded(let library, let reason): .init(library: library, reason: reason)
        case .encodingFailed(let format, let reason): .init(name: format.title, reason: reason)
        case .tagTooLong(_, let bytes, let limit): .init(bytes: Int64(bytes), limit: Int64(limit))
        case .deviceMissing(let device, let known): .init(device: device, candidates: known)
        case .deviceNotOpened(let device, let code), .deviceFailed(let device, let code):
            .init(device: device, errno: code)
        case .deviceRefusesFormat(let device, let format, let code):
            .init(device: device, reason: Self.text(format), errno: code)
        case .formatUnusable(let format): .init(reason: Self.text(format))
        case .deviceStalled(let device): .init(device: device)
        case .notMeasured(.libraryNotLoaded(let library, let reason)): .init(library: library, reason: reason)
        case .conversionFailed(.noMemory(let library)): .init(library: library)
        case .conversionFailed(.library(let reason)): .init(reason: reason)
        case .noDescriptor(let code): .init(errno: code)
        case .clipUnusable(let flaw): flaw.facts
        case .brokenPipe, .tempoUnusable, .conversionFailed, .notMeasured: .init()
        }
    }

    package var remedy: SpeechError.Remedy? { remedy(for: .sound) }

    /// - Parameter output: the kind of output that failed.
    func remedy(for output: SpeechError.Remedy.Output) -> SpeechError.Remedy? {
        switch self {
        case .outputNotCreated(let path, ENOENT) where !path.isEmpty:
            .createFolder(LinkTarget.folder(of: path), for: output)
        case .outputLinkLeadsNowhere(_, _, let folder): .createFolder(folder, for: output)
        case .outputNotCreated(let path, EISDIR) where output == .sound: .chooseFileInFolder(path)
        case .outputNotReplaced(let path) where output == .sound: .overwriteFile(path)
        case .outputInUse, .outputNotCreated, .outputNotReplaced: .chooseFile(for: output)
        case .outputNotWritten(_, ENOSPC), .outputNotWritten(_, EDQUOT): .freeSpace(for: output)
        case .outputNotWritten(_, EFBIG) where output == .sound: .raiseLimit(.fileSize)
        case .outputNotWritten: .chooseFile(for: output)
        case .endingUnknown: .chooseFormat(SoundFileFormat.allCases.map(\.rawValue))
        case .endingContradicts(_, let ending, let asked): .matchFormat(asked.rawValue, insteadOf: ending.rawValue)
        case .formatMissing: .chooseWrittenFormat
        case .encoderNotLoaded(let library, _): .installEncoder(library)
        case .encodingFailed: .chooseOtherFormat
        case .tagTooLong(let tag, _, _): .shortenTag(tag == .title ? "title" : "author")
        case .brokenPipe: .keepReaderRunning
        case .deviceMissing("default", _): .writeFile
        case .deviceMissing(_, let known): known.isEmpty ? .writeFile : .chooseDevice(known)
        case .deviceNotOpened(_, EBUSY): .freeDevice(.output)
        case .deviceNotOpened(_, EACCES), .deviceNotOpened(_, EPERM): .joinAudioGroup(.output)
        case .deviceNotOpened(_, ECONNREFUSED): .startSoundServer(.output)
        case .deviceRefusesFormat(let device, _, _): .convertForDevice(device, .output)
        case .deviceNotOpened, .deviceFailed, .deviceStalled: .chooseOtherDevice
        case .formatUnusable: .useCommonFormat
        case .tempoUnusable: .chooseSpeed(rates: TempoStretch.tempoRange, pitches: TempoStretch.pitchRange)
        case .conversionFailed: .keepRateAndPitch
        case .notMeasured(.libraryNotLoaded(let library, _)): .installLibrary(library)
        case .notMeasured: .turnLoudnessOff
        case .noDescriptor: .raiseLimit(.descriptors)
        case .clipUnusable(let flaw): flaw.remedy
        }
    }

    private static func text(_ name: OutputName) -> String {
        switch name {
        case .file(let path): "\"\(path)\""
        case .descriptor(STDOUT_FILENO): "standard output"
        case .descriptor(STDERR_FILENO): "standard error"
        case .descriptor(let number): "descriptor \(number)"
        }
    }

    private static func text(_ format: AudioFormat) -> String {
        "\(format.sampleRate) Hz with \(format.channels) \(format.channels == 1 ? "channel" : "channels")"
    }
}

extension SoundFileFormat {
    /// The name shown in messages.
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

extension LoudnessFault {
    /// The error message, as one sentence.
    package var message: String {
        switch self {
        case .libraryNotLoaded(let library, let reason):
            "\(library) cannot be used: \(reason ?? "it lacks a required function")."
        case .formatUnusable(let format):
            "Audio at \(format.sampleRate) Hz with \(format.channels) \(format.channels == 1 ? "channel" : "channels") is not supported."
        case .notFinite: "Its audio contains samples that are not finite numbers."
        case .noMemory: "There is not enough memory."
        case .formatChanged: "Its audio format changes."
        case .silent: "It produces no audio, or too little to measure."
        }
    }
}

extension SpeechError {
    /// Describes why a microphone cannot record.
    package init(microphone error: AudioError) {
        let (message, remedy): (String?, Remedy?) =
            switch error {
            case .deviceMissing("default", _):
                ("This machine has no microphone, or this user has no access to it.", .connectMicrophone)
            case .deviceMissing: (nil, .connectMicrophone)
            case .deviceNotOpened(_, EBUSY): (nil, .freeDevice(.microphone))
            case .deviceNotOpened(_, EACCES), .deviceNotOpened(_, EPERM): (nil, .joinAudioGroup(.microphone))
            case .deviceNotOpened(_, ECONNREFUSED): (nil, .startSoundServer(.microphone))
            case .deviceRefusesFormat(let device, let format, let code):
                (
                    "The sound device \"\(device)\" cannot record at \(format.sampleRate) Hz: \(ALSADevice.reason(code)).",
                    .convertForDevice(device, .microphone)
                )
            case .deviceNotOpened, .deviceFailed: (nil, .reconnectMicrophone)
            default: (nil, error.remedy)
            }
        let isOfDevice =
            switch error {
            case .deviceMissing, .deviceNotOpened, .deviceRefusesFormat, .deviceFailed, .deviceStalled: true
            default: false
            }
        self.init(
            isOfDevice ? .microphoneFailed : error.code, message ?? error.message, error.facts, remedy: remedy,
            cause: error)
    }

    /// Describes why the timings file could not be written.
    package init(timings error: AudioError) {
        let remedy: Remedy? =
            switch error {
            case .brokenPipe, .outputNotCreated, .outputLinkLeadsNowhere, .outputNotWritten, .outputNotReplaced,
                .outputInUse, .noDescriptor:
                error.remedy(for: .timings)
            default: .chooseFile(for: .timings)
            }
        self.init(
            .timingsNotWritten,
            error == .brokenPipe ? "The program reading the timings has exited." : error.message, error.facts,
            remedy: remedy, cause: error)
    }
}
