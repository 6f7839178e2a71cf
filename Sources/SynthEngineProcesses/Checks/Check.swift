package import SynthEngineWire

/// A check for engines, recognizers, or both. The raw value is its command-line name. Checks run in the order of these
/// cases.
package enum Check: String, CaseIterable, Sendable {
    case fileIsTrusted = "file-is-trusted"
    case loadsWithRTLDNow = "loads-with-rtld-now"
    case exportsOnlyEntry = "exports-only-entry"
    case tableIsComplete = "table-is-complete"
    case refusesUnknownABI = "refuses-unknown-abi"
    case scanTime = "scan-time"
    case fieldsAreValid = "fields-are-valid"
    case voiceIDsUnique = "voice-ids-unique"
    case modelIDsUnique = "model-ids-unique"
    case thousandVoicesQuick = "thousand-voices-quick"
    case rolesAndSourcesAreComplete = "roles-and-sources-are-complete"
    case loadWithoutFiles = "load-without-files-reports-missing-file"
    case loadWithDamagedFile = "load-with-damaged-file-fails-cleanly"
    case speaksAShortText = "speaks-a-short-text"
    case understandsAShortSound = "understands-a-short-sound"
    case tableIsStable = "table-is-stable"
    case beginBeforeAudio = "begin-before-audio"
    case soundIsSane = "sound-is-sane"
    case wordEventsAreValid = "word-events-are-valid"
    case deterministicAsDeclared = "deterministic-as-declared"
    case textsAreValid = "texts-are-valid"
    case stablePartsStay = "stable-parts-stay"
    case speechEventsAlternate = "speech-events-alternate"
    case wantsChangeNoFinal = "wants-change-no-final"
    case alikeAsDeclared = "alike-as-declared"
    case asksWhetherToStop = "asks-whether-to-stop"
    case emptyAndBlankText = "empty-and-blank-text"
    case strangeTexts = "strange-texts"
    case textOf64KiB = "text-of-64-kib"
    case longWord = "long-word"
    case emptySound = "empty-sound"
    case strangeSounds = "strange-sounds"
    case strangeHints = "strange-hints"
    case sinkFalseStops = "sink-false-stops"
    case endThatIsAStop = "end-that-is-a-stop"
    case callsNothingAfterwards = "calls-nothing-afterwards"
    case cancelFromAnotherThread = "cancel-from-another-thread"
    case cancelIsQuick = "cancel-is-quick"
    case lanesInParallel = "lanes-in-parallel"
    case rateAndPitchExtremes = "rate-and-pitch-extremes"
    case rateIsReached = "rate-is-reached"
    case pitchIsShaped = "pitch-is-shaped"
    case unknownVoiceFails = "unknown-voice-fails"
    case unknownSpeakerFails = "unknown-speaker-fails"
    case unknownModelOrLanguage = "unknown-model-or-language"
    case errorBufferRespected = "error-buffer-respected"
    case structOfTheFuture = "struct-of-the-future"
    case loadUnloadDoesNotGrow = "load-unload-100-times-does-not-grow"
    case utterancesDoNotGrow = "utterances-1000-do-not-grow"
    case soundsDoNotGrow = "sounds-1000-do-not-grow"
    case leavesNoThread = "leaves-no-thread-after-unload"
    case leavesSurroundings = "leaves-signals-environment-locale-cwd"
    case writesOnlyToCache = "writes-only-to-cache"
    case opensNoNetwork = "opens-no-network"
    case startsNoProcess = "starts-no-process"
    case asksOnlyForWhatItMay = "asks-only-for-what-it-may"

    /// A one-line description of the check.
    package var summary: String {
        switch self {
        case .fileIsTrusted: "the file is a regular file, and only its owner can write to it or to its parent folders"
        case .loadsWithRTLDNow:
            "the file is complete and built for this machine, with all symbols resolved and an entry function"
        case .exportsOnlyEntry: "only the entry functions and symbols that compilers add are exported (warning)"
        case .refusesUnknownABI:
            "the entry function returns NULL for an unknown ABI, and then the table for the current ABI"
        case .tableIsComplete: "struct_size and abi are correct, and no required function is NULL"
        case .scanTime: "loading and listing roles and voices or models takes at most 100 ms (warning)"
        case .fieldsAreValid:
            "IDs, names, version, SPDX license, BCP 47 languages, ranges, rates and capabilities are valid"
        case .voiceIDsUnique: "voice IDs are unique"
        case .modelIDsUnique: "model IDs are unique"
        case .thousandVoicesQuick: "listing the voices again takes at most 10 ms per thousand voices (warning)"
        case .rolesAndSourcesAreComplete:
            "role names are valid, and each file of a declared voice or model has an HTTPS URL, size and SHA-256"
        case .loadWithoutFiles:
            "without required files, load or synthesize fails with MISSING_FILE and the role of a missing file"
        case .loadWithDamagedFile:
            "random bytes, an empty file, a web page and half of the file are rejected with BAD_FILE and the file's role"
        case .speaksAShortText: "a sentence is synthesized; the time to the first audio is measured"
        case .understandsAShortSound: "three seconds of audio are read and transcribed; the time is measured"
        case .tableIsStable:
            "the lists do not change when they are read again, or after a model has been loaded and unloaded"
        case .beginBeforeAudio: "begin is called once, before anything else, with 1 or 2 channels at 1000 to 384000 Hz"
        case .soundIsSane: "audio is finite, not silent, within -1 … 1 (warning), and of a plausible length"
        case .wordEventsAreValid: "events are in order, at character boundaries, and reported before their audio"
        case .deterministicAsDeclared:
            "the same request returns the same frames when it is repeated, even on a different lane"
        case .textsAreValid:
            "text is UTF-8, times are within the audio that was read, and words are within the text; confidences, choices "
                + "and the order of final texts are valid"
        case .stablePartsStay:
            "the stable part of a partial text is the beginning of every later text of the same speech"
        case .speechEventsAlternate:
            "BEGINS and ENDS alternate, have increasing times within the audio that was read, and are at most 500 ms late (warning)"
        case .wantsChangeNoFinal: "final texts do not depend on which other results are requested"
        case .alikeAsDeclared:
            "the same frames produce the same final texts, in chunks of any length and on any lane"
        case .asksWhetherToStop: "the recognizer reads, reports or calls progress at least every 100 ms (warning)"
        case .emptyAndBlankText: "empty or blank text succeeds"
        case .strangeTexts:
            "emoji, right-to-left text, combining marks and control characters are spoken or rejected with BAD_REQUEST "
                + "and a message"
        case .textOf64KiB: "the longest allowed text starts to play and stops on request"
        case .longWord: "a word of 4000 letters is either spoken or rejected with BAD_REQUEST"
        case .emptySound: "audio without frames succeeds and returns no text"
        case .strangeSounds:
            "full-scale or constant audio, denormals, clicks and a minute of silence are handled like any other audio"
        case .strangeHints: "long, unusual, duplicate and unknown hints, and unknown flags, are harmless"
        case .sinkFalseStops:
            "after a sink function returns false, no more calls are made, CANCELLED is returned, and the next request "
                + "completes normally"
        case .endThatIsAStop:
            "after read returns 0, another call is made (warning); if that call returns false, CANCELLED is returned, and the "
                + "next request completes normally"
        case .callsNothingAfterwards: "no host function is called after recognize has returned"
        case .cancelFromAnotherThread:
            "after up to 200 cancellations (100 for a recognizer) before, during or after a request, the next request "
                + "completes normally"
        case .cancelIsQuick: "a request returns within 50 ms of a cancellation (warning), and always within 500 ms"
        case .lanesInParallel:
            "max_lanes lanes (at most 4 are checked) return the same results in parallel as they do one at a time"
        case .rateAndPitchExtremes: "the limits of the declared ranges are accepted, and faster speech is shorter"
        case .rateIsReached: "each declared rate changes the length of speech by the expected factor, to within 3%"
        case .pitchIsShaped:
            "pitch points and whispering, if declared, change the audio; unusual points are harmless"
        case .unknownVoiceFails: "an unknown voice is rejected with BAD_REQUEST and a message"
        case .unknownSpeakerFails: "an unknown speaker is rejected with BAD_REQUEST and a message"
        case .unknownModelOrLanguage: "an unknown model or language is either ignored or rejected with a message"
        case .errorBufferRespected: "a small message buffer is not overrun and is not changed on success"
        case .structOfTheFuture: "structs from a newer host, with additional fields that contain garbage, are harmless"
        case .loadUnloadDoesNotGrow:
            "memory, descriptors and threads do not grow over 100 cycles of load, open, close and unload"
        case .utterancesDoNotGrow: "memory, descriptors and threads do not grow over 1000 utterances"
        case .soundsDoNotGrow: "memory, descriptors and threads do not grow over 1000 short recordings"
        case .leavesNoThread: "no thread is left after unload (a single remaining thread is only a warning)"
        case .leavesSurroundings:
            "signal handlers, signal mask, environment, locale, working directory and umask do not change"
        case .writesOnlyToCache:
            "the working, home and temporary folders stay empty, and no other file stays open for writing"
        case .opensNoNetwork: "no internet socket is requested while loading or working"
        case .startsNoProcess: "no fork or exec is requested while loading or working"
        case .asksOnlyForWhatItMay: "no file access or system call is denied while loading or working (warning)"
        }
    }

    /// The plugin kinds to which the check applies.
    package var kinds: [PluginKind] {
        switch self {
        case .voiceIDsUnique, .thousandVoicesQuick, .speaksAShortText, .beginBeforeAudio, .soundIsSane,
            .wordEventsAreValid, .deterministicAsDeclared, .emptyAndBlankText, .strangeTexts, .textOf64KiB, .longWord,
            .rateAndPitchExtremes, .rateIsReached, .pitchIsShaped, .unknownVoiceFails, .unknownSpeakerFails,
            .utterancesDoNotGrow:
            [.engine]
        case .modelIDsUnique, .understandsAShortSound, .textsAreValid, .stablePartsStay, .speechEventsAlternate,
            .wantsChangeNoFinal, .alikeAsDeclared, .asksWhetherToStop, .emptySound, .strangeSounds, .strangeHints,
            .endThatIsAStop, .callsNothingAfterwards, .unknownModelOrLanguage, .soundsDoNotGrow:
            [.recognizer]
        default: [.engine, .recognizer]
        }
    }

    /// The names of the kinds to which the check applies: "engine", "recognizer", or both.
    package var kindNames: [String] { kinds.map(\.rawValue) }

    /// Returns all checks that apply to a kind.
    package static func all(of kind: PluginKind) -> [Check] { allCases.filter { $0.kinds.contains(kind) } }

    /// Returns the check that must pass before this check is meaningful.
    package func requirement(of kind: PluginKind) -> Check? {
        switch self {
        case .fileIsTrusted: nil
        case .loadsWithRTLDNow: .fileIsTrusted
        case .exportsOnlyEntry, .tableIsComplete: .loadsWithRTLDNow
        case .refusesUnknownABI, .scanTime, .fieldsAreValid, .voiceIDsUnique, .modelIDsUnique, .thousandVoicesQuick,
            .rolesAndSourcesAreComplete, .loadWithoutFiles, .loadWithDamagedFile, .speaksAShortText,
            .understandsAShortSound,
            // This check does not require `speaksAShortText`, because a denied request may be the reason that the
            // engine does not work.
            .asksOnlyForWhatItMay:
            .tableIsComplete
        case .rateIsReached: .rateAndPitchExtremes
        default: kind == .engine ? .speaksAShortText : .understandsAShortSound
        }
    }

    /// The action that the engine attempted if the kernel killed this check's process.
    var forbiddenAction: ForbiddenAction? {
        switch self {
        case .opensNoNetwork: .openedInternetSocket
        case .startsNoProcess: .startedProcess
        default: nil
        }
    }

    /// The number of times to run the check. The best result is used, because a busy machine can only make a check
    /// slower.
    package var attempts: Int {
        switch self {
        case .scanTime, .thousandVoicesQuick, .cancelIsQuick, .asksWhetherToStop, .speechEventsAlternate: 3
        default: 1
        }
    }
}

/// An action for which seccomp kills a checking process.
package enum ForbiddenAction: Equatable, Sendable {
    case openedInternetSocket
    case startedProcess
}
