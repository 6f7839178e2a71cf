import CSynthEngine
import SynthEngineProcesses
import SynthEngineLoading
import SynthEngineWire

/// Checks unusual audio, unusual requests and structs from other versions of the header.
enum RecognizerRequestChecks {
    static func empty(_ subject: Subject) throws -> CheckFinding {
        let session = try RecognitionSession(subject)
        for wants in [[], .everything] as [RecognitionJob.Wants] {
            let result = session.listen(RecognitionRecord(.nothing), session.request(wants: wants))
            guard result.status == SYNTH_OK else {
                return .failed("Audio without frames returned \(result.words); empty audio is not an error.")
            }
            guard result.record.texts.allSatisfy(\.text.isEmpty), result.record.events.isEmpty else {
                return .failed("It recognized \(RecognitionSession.quote(result.record)) in audio without frames.")
            }
        }
        session.close()
        return .passed("Empty audio is not an error.")
    }

    static func sounds(_ subject: Subject) throws -> CheckFinding {
        let session = try RecognitionSession(subject)
        let whole = try session.listenWhole().record
        let plain = try session.listenWhole(nil, session.request(wants: .everything)).record
        let sounds = ProbeSound.unusual(session.rate)
        for sound in sounds {
            let result = session.listen(RecognitionRecord(sound), session.request(wants: .everything))
            guard result.status == SYNTH_OK else { return .failed("It returned \(result.words) for \(sound.name).") }
            if let fault = result.record.fault(notIn: plain) { return .failed("With \(sound.name), it \(fault).") }
        }
        try session.expectWhole(like: whole, "after unusual audio")
        session.close()
        return .passed("Unusual audio: \(sounds.count) inputs. Each was handled like any other audio.")
    }

    static func hints(_ subject: Subject) throws -> CheckFinding {
        let session = try RecognitionSession(subject)
        let whole = try session.listenWhole().record
        let long = String(repeating: "Ein langer Satz mit vielen Wörtern, naïve as it is. ", count: 1200)
        let unusual = [
            "", " ", "\u{1}\u{7F}", "👩‍👩‍👧‍👦", "%s%n{{x}}", "a\nb", "yes", "yes", String(repeating: "é", count: 4000),
        ]
        let hints = [
            RecognitionJobHints(.text, context: ""), RecognitionJobHints(.text, context: long),
            RecognitionJobHints(.text, context: "\u{202E}drawkcab\u{0301}", phrases: unusual),
            RecognitionJobHints(.choice), RecognitionJobHints(.choice, context: long, phrases: unusual),
            RecognitionJobHints(.number, phrases: unusual),
            RecognitionJobHints(.choice, phrases: (0..<1000).map { "phrase number \($0)" }),
        ]
        for (number, hints) in hints.enumerated() {
            subject.step("processing hints with \(hints.phrases.count) phrases")
            let result = session.listen(RecognitionRecord(.three(session.rate)), session.request(hints: hints))
            if let fault = result.record.fault(notIn: whole) { return .failed("With unusual hints, it \(fault).") }
            try expectValid(result, "unusual hints (number \(number + 1))")
        }
        // Set flags that only a later version of the interface could define.
        let arena = CallArena()
        if let later = arena.recognition(session.request()) {
            later.pointee.flags = .max
            later.pointee.wants = .max
            if let hints = later.pointee.hints.map({ UnsafeMutablePointer(mutating: $0) }) { hints.pointee.kind = 77 }
            let record = RecognitionRecord(.three(session.rate))
            subject.step("processing hints with an unknown kind and unknown flags")
            let result = withExtendedLifetime(arena) { session.listen(record, later) }
            try expectValid(result, "hints of an unknown kind")
        }
        try session.expectWhole(like: whole, "after unusual hints")
        session.close()
        return .passed("Unusual hints: \(hints.count + 1). Each was used, ignored, or rejected with a message.")
    }

    /// Checks that the request either succeeded or failed with an error message.
    private static func expectValid(_ result: RecognitionResult, _ what: String) throws {
        guard result.status == SYNTH_OK || result.status == SYNTH_BAD_REQUEST else {
            throw CheckFinding.failed("It returned \(result.words) instead of OK or BAD_REQUEST for \(what).")
        }
        guard result.status == SYNTH_OK || !result.message.isEmpty else {
            throw CheckFinding.failed("It returned BAD_REQUEST without a message for \(what).")
        }
    }

    static func unknown(_ subject: Subject) throws -> CheckFinding {
        let session = try RecognitionSession(subject)
        let whole = try session.listenWhole().record
        var answers: [String] = []
        let error = ErrorProbe()
        let (status, model) = session.plugin.load(
            LoadRequest(
                id: "no-such-model-0", cacheDirectory: subject.userFolders.cache, files: session.choice.modelFiles),
            error)
        model?.unload()
        if status != SYNTH_OK {
            guard error.message?.isEmpty == false else {
                return .failed("For an unknown model, it returned \(error.words(status)).")
            }
            answers.append("a model")
        }
        for language in ["tlh-Piqd-x-nowhere", "x-none"] {
            var request = session.request()
            request.language = language
            let result = session.listen(RecognitionRecord(.three(session.rate)), request)
            try expectValid(result, "the unknown language \(language)")
            if result.status == SYNTH_BAD_REQUEST { answers.append(language) }
        }
        try session.expectWhole(like: whole, "after an unknown language")
        session.close()
        return .passed(
            answers.isEmpty
                ? "It accepts unknown models and languages."
                : "It rejects \(answers.joined(separator: ", ")).")
    }

    static func errorBuffer(_ subject: Subject) throws -> CheckFinding {
        let session = try RecognitionSession(subject)
        return try RequestChecks.errorBuffer(subject, session, refusing: "a language") { error in
            var request = session.request()
            request.language = "tlh-Piqd-x-nowhere"
            return session.lane.listen(request, RecognitionRecord(.short(session.rate)), error)
        } succeeding: { error in
            session.lane.listen(session.request(), RecognitionRecord(.short(session.rate)), error)
        }
    }

    static func futureStructs(_ subject: Subject) throws -> CheckFinding {
        let extra = 40
        let session = try RecognitionSession(subject, try LoadedListener(subject, host: ProbeHost.make(extra: extra)))
        let hints = RecognitionJobHints(.text, context: "before", phrases: ["one"])
        let whole = try session.listenWhole(nil, session.request(wants: .everything, hints: hints)).record
        session.close()
        let error = ErrorProbe(extra: extra)
        let (model, lane) = try session.plugin.openFromLongerStructs(session.choice, extra: extra, error)

        subject.step("transcribing with structs that have additional fields")
        let request = session.request(wants: .everything, hints: hints)
        let arena = CallArena()
        guard let plain = arena.recognition(request), let plainHints = plain.pointee.hints else {
            return .skipped("Not enough memory.")
        }
        let recognition = LongerStruct.sized(plain.pointee, extra)
        recognition.pointee.hints = UnsafePointer(LongerStruct.sized(plainHints.pointee, extra))
        let record = RecognitionRecord(.three(session.rate))
        record.cut(to: session.plugin.table.longestSound)
        let sound = LongerStruct.sized(record.sound, extra)
        let hearing = LongerStruct.sized(record.hearing, extra)
        let status = withExtendedLifetime((arena, record)) {
            record.begin(request)
            defer { record.end() }
            return lane.table.work(lane.pointer, recognition, sound, hearing, error.pointer)
        }
        guard status == SYNTH_OK else {
            return .failed("recognize returned \(error.words(status)) for structs with additional fields.")
        }
        guard session.isWhole(record, like: whole) else {
            return .failed(
                "It recognized \(RecognitionSession.quote(record)) for structs with additional fields, and \(RecognitionSession.quote(whole)) for normal structs."
            )
        }
        lane.close()
        model.unload()
        return .passed("It ignores additional fields at the end of structs.")
    }
}
