package import SynthEngineWire

/// One check of an engine, a recognizer, or either. The raw value is its name on the command line; a run keeps this order.
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

    /// What the check examines, in one line.
    package var summary: String {
        switch self {
        case .fileIsTrusted: "a regular file that nobody but its owner may write, in folders of which the same holds"
        case .loadsWithRTLDNow: "whole, for this machine, all symbols resolved, the entry there"
        case .exportsOnlyEntry: "no symbol is exported but the entries and what compilers add (warning)"
        case .refusesUnknownABI: "the entry answers NULL to an ABI of the future, then the one asked for"
        case .tableIsComplete: "struct_size and abi are right, no function is NULL that must not be"
        case .scanTime: "loading it and listing roles and voices or models takes at most 100 ms (warning)"
        case .fieldsAreValid: "ids, names, version, SPDX licence, BCP-47 languages, ranges, rates, capabilities"
        case .voiceIDsUnique: "no two voices share an id"
        case .modelIDsUnique: "no two models share an id"
        case .thousandVoicesQuick: "listing the voices again takes at most 10 ms for each thousand (warning)"
        case .rolesAndSourcesAreComplete:
            "role names; https URL, size and SHA-256 of each file of a declared voice or model"
        case .loadWithoutFiles: "where files are required: MISSING_FILE and the role, when none is handed over"
        case .loadWithDamagedFile: "random bytes, nothing, a web page, half of the file: BAD_FILE and the role"
        case .speaksAShortText: "a sentence becomes sound; the time to the first of it is measured"
        case .understandsAShortSound: "a sound of three seconds is read and understood; the time is measured"
        case .tableIsStable:
            "what it lists reads the same twice, and after a model was loaded and unloaded"
        case .beginBeforeAudio: "begin comes once, first, with 1 or 2 channels at 1000 to 384000 Hz"
        case .soundIsSane: "no NaN, no infinity, not silent, within -1 … 1 (warning), of a plausible length"
        case .wordEventsAreValid: "events lie on borders of characters, in order, and come before their sound"
        case .deterministicAsDeclared: "the same request gives the same frames, later and on another lane"
        case .textsAreValid: "UTF-8, places in what was read, words in the text, confidences, choices, finals in order"
        case .stablePartsStay: "what a partial text calls stable begins every later text of the same speech"
        case .speechEventsAlternate:
            "BEGINS, ENDS, BEGINS …, never back, in what was read, at most 500 ms late (warning)"
        case .wantsChangeNoFinal: "whatever is wanted beside final texts, they are the same"
        case .alikeAsDeclared: "the same frames give the same finals, in pieces of any length and on another lane"
        case .asksWhetherToStop: "it reads, tells or calls progress at least every 100 ms (warning)"
        case .emptyAndBlankText: "a text of nothing or of blanks is spoken with success"
        case .strangeTexts: "emoji, right-to-left, combining marks, controls: spoken or BAD_REQUEST, then a sentence"
        case .textOf64KiB: "the longest text allowed begins to sound, and stops when told"
        case .longWord: "a word of 4000 letters is spoken, or refused with BAD_REQUEST"
        case .emptySound: "a sound without a frame is understood as nothing, with success"
        case .strangeSounds: "full scale, a constant, denormals, clicks, a minute of silence: understood as any other"
        case .strangeHints: "hints that are long, odd, equal or of an unknown kind, and unknown flags do no harm"
        case .sinkFalseStops: "false from any function of the sink: no further call, CANCELLED, the next one is whole"
        case .endThatIsAStop:
            "read gives 0, and the next call false: it asks (warning), CANCELLED, the next one is whole"
        case .callsNothingAfterwards: "no function of the host is called once recognize has returned"
        case .cancelFromAnotherThread:
            "before, during and after a request, up to 200 times (a recognizer: 100); the next one is whole"
        case .cancelIsQuick: "a request returns 50 ms after a cancel (warning), at most 500 ms"
        case .lanesInParallel: "as many lanes as max_lanes allows, at most 4, work at once as they do alone"
        case .rateAndPitchExtremes: "the ends of the declared ranges are spoken, and faster is shorter"
        case .rateIsReached: "a text is as much shorter or longer as each declared rate says, within 3 %"
        case .pitchIsShaped: "pitch points and whispering, where declared, change the sound; odd points do no harm"
        case .unknownVoiceFails: "BAD_REQUEST with a sentence for a voice that is not there"
        case .unknownSpeakerFails: "BAD_REQUEST with a sentence for a speaker that is not there"
        case .unknownModelOrLanguage: "what it does not know is taken all the same, or refused with a sentence"
        case .errorBufferRespected: "nothing is written beyond a small message buffer, nor into one on success"
        case .structOfTheFuture: "longer structs of a newer host, with garbage behind the known fields, do no harm"
        case .loadUnloadDoesNotGrow: "memory, descriptors and threads after 100 times load, open, close, unload"
        case .utterancesDoNotGrow: "memory, descriptors and threads after 1000 utterances"
        case .soundsDoNotGrow: "memory, descriptors and threads after 1000 short sounds"
        case .leavesNoThread: "no thread is left after unload; one that stays and gets no company is a warning"
        case .leavesSurroundings: "signal handlers and mask, environment, locale, working directory, umask stay"
        case .writesOnlyToCache: "working, home and temporary folder stay empty, no other file stays open to write"
        case .opensNoNetwork: "no internet socket is asked of the kernel while loading and at work"
        case .startsNoProcess: "no fork or exec is asked of the kernel while loading and at work"
        case .asksOnlyForWhatItMay: "which files and calls it was refused while loading and at work (warning)"
        }
    }

    /// What it is a check of.
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

    /// The same in words: "engine", "recognizer", or both.
    package var kindNames: [String] { kinds.map(\.rawValue) }

    /// All checks of a kind.
    package static func all(of kind: PluginKind) -> [Check] { allCases.filter { $0.kinds.contains(kind) } }

    /// The check that must pass before this one is meaningful.
    package func requirement(of kind: PluginKind) -> Check? {
        switch self {
        case .fileIsTrusted: nil
        case .loadsWithRTLDNow: .fileIsTrusted
        case .exportsOnlyEntry, .tableIsComplete: .loadsWithRTLDNow
        case .refusesUnknownABI, .scanTime, .fieldsAreValid, .voiceIDsUnique, .modelIDsUnique, .thousandVoicesQuick,
            .rolesAndSourcesAreComplete, .loadWithoutFiles, .loadWithDamagedFile, .speaksAShortText,
            .understandsAShortSound,
            // What it was refused may be why it does not work.
            .asksOnlyForWhatItMay:
            .tableIsComplete
        case .rateIsReached: .rateAndPitchExtremes
        default: kind == .engine ? .speaksAShortText : .understandsAShortSound
        }
    }

    /// What the engine did if the kernel killed the process of this check.
    var forbiddenAction: ForbiddenAction? {
        switch self {
        case .opensNoNetwork: .openedInternetSocket
        case .startsNoProcess: .startedProcess
        default: nil
        }
    }

    /// The number of runs, of which the best counts. A busy machine only makes times longer.
    package var attempts: Int {
        switch self {
        case .scanTime, .thousandVoicesQuick, .cancelIsQuick, .asksWhetherToStop, .speechEventsAlternate: 3
        default: 1
        }
    }
}

/// An action for which the kernel kills the process of a check (seccomp).
package enum ForbiddenAction: Equatable, Sendable {
    case openedInternetSocket
    case startedProcess
}
