import CSynthEngine
import SynthEngineProcesses
import SynthEngineLoading
import SynthEngineWire
import SynthSystem

enum DescriptionChecks {
    static func fields(_ subject: Subject) throws -> CheckFinding {
        let plugin = try subject.plugin()
        subject.step("its description was being read")
        var faults = Faults()
        check(plugin, &faults)
        if let engine = plugin as? LoadedEngine { EngineFields.check(engine, &faults) }
        if let listener = plugin as? LoadedListener { RecognizerFields.check(listener, &faults) }
        guard let first = faults.all.first else {
            return .passed("IDs, names, licenses, languages and numbers are valid.")
        }
        let more = faults.all.count > 1 ? " (and \(faults.all.count - 1) more)" : ""
        return .failed(first.prefix(1).uppercased() + first.dropFirst() + more + ".")
    }

    private static func check(_ plugin: any Plugin, _ faults: inout Faults) {
        let fields = plugin.fields
        let (id, version, license) = (known(fields.id), known(fields.version), known(fields.license))
        if let flaw = FieldShape.flaw(ofPluginID: id) { faults.add("the ID \(quote(id)) cannot be used: \(flaw)") }
        faults.expect(FieldShape.isLine(known(fields.name)), "the name is not one line of text")
        faults.expect(FieldShape.isVersion(version), "the version \(quote(version)) does not have the format 1.2.3")
        faults.expect(FieldShape.isLicense(license), "the license \(quote(license)) is not an SPDX expression")
        let url = known(fields.url)
        faults.expect(fields.url == nil || FieldShape.isWebAddress(url), "the URL \(quote(url)) is not a valid web URL")
        for name in plugin.variables() {
            let isVariable = name.map(EngineDescription.isVariable) ?? false
            faults.expect(
                isVariable, "the environment variable \(quote(name)) contains characters other than A-Z, 0-9 and _")
        }
        for (index, need) in plugin.needs().enumerated() {
            let which = "need \(index)"
            faults.expect(FieldShape.isLine(known(need.reason)), "the reason for \(which) is not one line of text")
            guard let name = EngineNeed.Kind.name(of: need.kind) else { continue }
            faults.expect(
                EngineNeed.Kind(name: name, path: known(need.path)) != nil,
                "the path \(quote(known(need.path))) of \(which) is not a valid path for a \(name)")
        }
    }

    /// Checks the IDs of an engine's voices or a recognizer's models.
    static func uniqueIDs(_ subject: Subject) throws -> CheckFinding {
        let plugin = try subject.plugin()
        let noun = subject.job.kind == .engine ? "voices" : "models"
        subject.step("listing its \(noun)")
        var ids: [String: String] = [:]
        for item in plugin.items() {
            guard let id = item.id else { continue }
            guard let other = ids.updateValue(id, forKey: PlainID.folded(id)) else { continue }
            return .failed(
                other == id
                    ? "Two \(noun) have the ID \(quote(id))."
                    : "The IDs \(quote(other)) and \(quote(id)) of two \(noun) differ only in case.")
        }
        return .passed("All IDs are unique.", [Measurement(noun, Double(ids.count))])
    }

    static func rolesAndSources(_ subject: Subject) throws -> CheckFinding {
        let plugin = try subject.plugin()
        let noun = subject.job.kind == .engine ? "voice" : "model"
        subject.step("listing roles and \(noun)s")
        let roles = plugin.roles()
        var names: Set<String> = []
        for role in roles {
            let name = known(role.name)
            guard let name, FieldShape.isRoleName(name) else {
                return .failed("The role \(quote(name)) contains characters other than a-z, 0-9 and -.")
            }
            guard subject.job.kind == .engine || role.scope == SYNTH_SCOPE_MODEL.rawValue else {
                return .failed("The role \(quote(name)) does not belong to a model.")
            }
            guard names.insert(name).inserted else { return .failed("The role \(quote(name)) occurs twice.") }
            guard role.scope <= SYNTH_SCOPE_VOICE.rawValue else {
                return .failed("The role \(quote(name)) belongs neither to a model nor to a voice.")
            }
        }
        let needed = plugin.required(SYNTH_SCOPE_MODEL) + plugin.required(SYNTH_SCOPE_VOICE)
        var sourceCount = 0
        for item in plugin.items() where item.sourceCount > 0 {
            let which = "\(noun) \(quote(item.id))"
            var covered: Set<String> = []
            for index in 0..<item.sourceCount {
                guard let pointer = item.sources?[index] else { return .failed("A file of \(which) is NULL.") }
                let source = synth_source_known(pointer)
                let role = known(source.role)
                guard let role, names.contains(role) else {
                    return .failed("A file of \(which) has the role \(quote(role)), which is not declared.")
                }
                covered.insert(role)
                let file = "the file \(quote(role)) of \(which)"
                let url = known(source.url)
                guard FieldShape.isWebAddress(url), url?.hasPrefix("https://") == true else {
                    return .failed("The URL \(quote(url)) of \(file) does not begin with https://.")
                }
                guard FieldShape.isSHA256(known(source.sha256)) else {
                    return .failed("The sha256 of \(file) is not 64 hexadecimal digits.")
                }
                guard source.size > 0 else { return .failed("The size of \(file) is 0.") }
                sourceCount += 1
            }
            if let lacking = needed.first(where: { !covered.contains($0) }) {
                return .failed("\(which.prefix(1).uppercased() + which.dropFirst()) has no file for \(quote(lacking)).")
            }
        }
        return .passed("Roles: \(names.count), files to download: \(sourceCount).")
    }

    static func quote(_ text: String?) -> String { text.map { "\"\($0)\"" } ?? "(missing or not UTF-8)" }
}

/// The faults in a description, each phrased as part of a sentence.
struct Faults {
    private(set) var all: [String] = []

    mutating func expect(_ isRight: Bool, _ fault: @autoclosure () -> String) {
        if !isRight { add(fault()) }
    }

    mutating func add(_ fault: String) { all.append(fault) }
}

/// Checks the fields that only engine descriptions have.
enum EngineFields {
    static func check(_ engine: LoadedEngine, _ faults: inout Faults) {
        let table = engine.table.fields
        let ranges = [("rate", table.rate_min, table.rate_max), ("pitch", table.pitch_min, table.pitch_max)]
        for (name, low, high) in ranges {
            let isRange = low.isFinite && high.isFinite && low > 0 && low <= 1 && high >= 1 && high <= 100
            faults.expect(
                isRange, "the range of \(name), \(low) to \(high), must include 1, start above 0 and not exceed 100")
        }
        faults.expect(
            !engine.can(SYNTH_CAN_SHAPE_PITCH) || table.pitch_min < table.pitch_max,
            "it changes the pitch within a sentence, but its pitch range is 1 to 1")
        for (index, voice) in engine.voices().enumerated() { check(voice, index, &faults) }
    }

    private static func check(_ voice: synth_voice, _ index: Int, _ faults: inout Faults) {
        let id = known(voice.id)
        let which = "voice \(id.map { DescriptionChecks.quote($0) } ?? "\(index)")"
        if let flaw = FieldShape.flaw(ofID: id) { faults.add("the ID of \(which) cannot be used: \(flaw)") }
        faults.expect(FieldShape.isLine(known(voice.name)), "the name of \(which) is not one line of text")
        let language = known(voice.language)
        faults.expect(
            FieldShape.isLanguage(language),
            "the language \(DescriptionChecks.quote(language)) of \(which) is not a BCP-47 tag")
        faults.expect(voice.gender <= SYNTH_NEUTRAL.rawValue, "the gender of \(which) is unknown")
        for (name, text) in [("accent", voice.accent), ("license", voice.license), ("model", voice.model)] {
            faults.expect(
                text == nil || FieldShape.isLine(known(text)), "the \(name) of \(which) is not one line of text")
        }
        for speaker in FieldShape.strings(voice.speakers, voice.speaker_count) {
            faults.expect(
                FieldShape.isLine(speaker), "a speaker name of \(which) is missing or is not one line of text")
        }
    }
}

/// Checks the fields that only recognizer descriptions have.
enum RecognizerFields {
    static func check(_ listener: LoadedListener, _ faults: inout Faults) {
        let table = listener.table.fields
        let rates = RecognizerDescription.sampleRates
        faults.expect(
            rates.contains(table.sample_rate),
            "the sample rate \(table.sample_rate) is not between \(rates.lowerBound) and \(rates.upperBound)")
        // The host counts frames, so the declared maximum must be limited.
        faults.expect(
            table.max_seconds <= 86_400,
            "max_seconds is \(table.max_seconds), which is longer than a day; 0 means no limit")
        check(capabilities: table.capabilities, "the recognizer", &faults)
        for (index, model) in listener.models().enumerated() {
            let id = known(model.id)
            let which = "model \(id.map { DescriptionChecks.quote($0) } ?? "\(index)")"
            if let flaw = FieldShape.flaw(ofID: id) { faults.add("the ID of \(which) cannot be used: \(flaw)") }
            faults.expect(FieldShape.isLine(known(model.name)), "the name of \(which) is not one line of text")
            faults.expect(
                model.license == nil || FieldShape.isLine(known(model.license)),
                "the license of \(which) is not one line of text")
            for language in FieldShape.strings(model.languages, model.language_count) {
                faults.expect(
                    FieldShape.isLanguage(language),
                    "the language \(DescriptionChecks.quote(language)) of \(which) is not a BCP-47 tag")
            }
            faults.expect(
                model.capabilities & ~table.capabilities == 0,
                "\(which) declares capabilities that the recognizer does not declare")
            check(capabilities: model.capabilities, which, &faults)
        }
    }

    /// The capabilities that affect recognized text.
    private static let ofText = [
        SYNTH_CAN_GIVE_PARTIALS, SYNTH_CAN_TIME_SPOKEN_WORDS, SYNTH_CAN_DETECT_LANGUAGE, SYNTH_CAN_TRANSLATE,
        SYNTH_CAN_HEED_HINTS, SYNTH_CAN_PUNCTUATE,
    ]

    private static func check(capabilities: UInt32, _ which: String, _ faults: inout Faults) {
        func can(_ capability: synth_recognizer_capability) -> Bool { capabilities & capability.rawValue != 0 }
        guard !can(SYNTH_CAN_TRANSCRIBE) else { return }
        faults.expect(
            can(SYNTH_CAN_DETECT_SPEECH),
            "\(which) declares neither SYNTH_CAN_TRANSCRIBE nor SYNTH_CAN_DETECT_SPEECH, so it cannot be used")
        faults.expect(
            !ofText.contains(where: can),
            "\(which) declares text capabilities but not SYNTH_CAN_TRANSCRIBE")
    }
}
