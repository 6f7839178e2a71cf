import CSynthEngine
import EngineLoading
import EngineWire

/// The fields that only an engine has.
enum EngineFields {
    static func check(_ engine: LoadedEngine, _ faults: inout Faults) {
        let table = engine.table.engine
        let ranges = [("rate", table.rate_min, table.rate_max), ("pitch", table.pitch_min, table.pitch_max)]
        for (name, low, high) in ranges {
            let isRange = low.isFinite && high.isFinite && low > 0 && low <= 1 && high >= 1 && high <= 100
            faults.expect(isRange, "the range of \(name), \(low) to \(high), is not a positive one around 1")
        }
        for (index, voice) in engine.voices().enumerated() { check(voice, index, &faults) }
    }

    private static func check(_ voice: synth_voice, _ index: Int, _ faults: inout Faults) {
        let id = known(voice.id)
        let which = "voice \(id.map { DescriptionChecks.quote($0) } ?? "number \(index)")"
        faults.expect(FieldShape.isVoiceID(id), "the id of \(which) is not of A-Z, a-z, 0-9 and ._+-")
        faults.expect(FieldShape.isLine(known(voice.name)), "the name of \(which) is not one line of text")
        let language = known(voice.language)
        faults.expect(
            FieldShape.isLanguage(language),
            "the language \(DescriptionChecks.quote(language)) of \(which) is not like BCP-47's")
        faults.expect(voice.gender <= SYNTH_NEUTRAL.rawValue, "the gender of \(which) is unknown")
        for (name, text) in [("accent", voice.accent), ("licence", voice.licence), ("model", voice.model)] {
            faults.expect(
                text == nil || FieldShape.isLine(known(text)), "the \(name) of \(which) is not one line of text")
        }
        for speaker in FieldShape.strings(voice.speakers, voice.speaker_count) {
            faults.expect(FieldShape.isLine(speaker), "a speaker of \(which) has no name that is one line of text")
        }
    }
}

/// The fields that only a recognizer has.
enum RecognizerFields {
    static func check(_ listener: LoadedListener, _ faults: inout Faults) {
        let table = listener.table.recognizer
        let rates = RecognizerDescription.sampleRates
        faults.expect(
            rates.contains(table.sample_rate),
            "the sample rate \(table.sample_rate) is not within \(rates.lowerBound) to \(rates.upperBound)")
        // A day: the host counts its frames.
        faults.expect(table.max_seconds <= 86_400, "max_seconds is \(table.max_seconds), more than a day; 0 = any")
        check(capabilities: table.capabilities, "the recognizer", &faults)
        for (index, model) in listener.models().enumerated() {
            let id = known(model.id)
            let which = "model \(id.map { DescriptionChecks.quote($0) } ?? "number \(index)")"
            faults.expect(FieldShape.isVoiceID(id), "the id of \(which) is not of A-Z, a-z, 0-9 and ._+-")
            faults.expect(FieldShape.isLine(known(model.name)), "the name of \(which) is not one line of text")
            faults.expect(
                model.licence == nil || FieldShape.isLine(known(model.licence)),
                "the licence of \(which) is not one line of text")
            for language in FieldShape.strings(model.languages, model.language_count) {
                faults.expect(
                    FieldShape.isLanguage(language),
                    "the language \(DescriptionChecks.quote(language)) of \(which) is not like BCP-47's")
            }
            faults.expect(
                model.capabilities & ~table.capabilities == 0,
                "\(which) has capabilities that the recognizer does not have")
            check(capabilities: model.capabilities, which, &faults)
        }
    }

    /// Those that are about text.
    private static let ofText = [
        SYNTH_CAN_GIVE_PARTIALS, SYNTH_CAN_TIME_SPOKEN_WORDS, SYNTH_CAN_DETECT_LANGUAGE, SYNTH_CAN_TRANSLATE,
        SYNTH_CAN_HEED_HINTS, SYNTH_CAN_PUNCTUATE,
    ]

    private static func check(capabilities: UInt32, _ which: String, _ faults: inout Faults) {
        func can(_ capability: synth_recognizer_capability) -> Bool { capabilities & capability.rawValue != 0 }
        guard !can(SYNTH_CAN_TRANSCRIBE) else { return }
        faults.expect(
            can(SYNTH_CAN_DETECT_SPEECH),
            "\(which) declares neither SYNTH_CAN_TRANSCRIBE nor SYNTH_CAN_DETECT_SPEECH, so it is of no use")
        faults.expect(
            !ofText.contains(where: can),
            "\(which) declares something about texts, but not SYNTH_CAN_TRANSCRIBE")
    }
}
