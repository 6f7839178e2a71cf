import CSynthEngine
import EngineChecks
import EngineLoading
import EngineProcesses
import EngineWire

/// What the engine says about itself.
enum DescriptionChecks {
    static func fields(_ subject: Subject) throws(CheckFinding) -> CheckFinding {
        let engine = try subject.engine()
        subject.doing("its description was read")
        let table = engine.table.engine
        var faults: [String] = []
        func expect(_ isRight: Bool, _ fault: @autoclosure () -> String) {
            if !isRight { faults.append(fault()) }
        }
        let id = known(table.id)
        expect(FieldShape.isRoleName(id), "the id \(quote(id)) is not of a-z, 0-9 and -")
        expect(FieldShape.isLine(known(table.name)), "the name is not one line of text")
        expect(
            FieldShape.isVersion(known(table.version)), "the version \(quote(known(table.version))) is not like 1.2.3")
        expect(
            FieldShape.isLicence(known(table.licence)), "the licence \(quote(known(table.licence))) is not like SPDX's")
        let url = known(table.url)
        expect(table.url == nil || FieldShape.isWebAddress(url), "the URL \(quote(url)) is no web address")
        let ranges = [("rate", table.rate_min, table.rate_max), ("pitch", table.pitch_min, table.pitch_max)]
        for (name, low, high) in ranges {
            let isRange = low.isFinite && high.isFinite && low > 0 && low <= 1 && high >= 1 && high <= 100
            expect(isRange, "the range of \(name), \(low) to \(high), is not a positive one around 1")
        }
        for name in engine.variables() {
            let isVariable = name.map(EngineDescription.isVariable) ?? false
            expect(isVariable, "the environment variable \(quote(name)) is not of A-Z, 0-9 and _")
            if let name, isVariable {
                expect(
                    EngineVariables.passes(name, asked: [name]),
                    "the environment variable \(name) has the name of a secret, which no engine gets")
            }
        }
        for (index, need) in engine.needs().enumerated() {
            let which = "need number \(index)"
            expect(FieldShape.isLine(known(need.reason)), "the reason of \(which) is not one line of text")
            guard let name = EngineNeed.Kind.name(of: need.kind) else { continue }
            expect(
                EngineNeed.Kind(name: name, path: known(need.path)) != nil,
                "the path \(quote(known(need.path))) of \(which) is not one of a \(name)")
        }
        for (index, voice) in engine.voices().enumerated() {
            let id = known(voice.id)
            let which = "voice \(id.map { quote($0) } ?? "number \(index)")"
            expect(FieldShape.isVoiceID(id), "the id of \(which) is not of A-Z, a-z, 0-9 and ._+-")
            expect(FieldShape.isLine(known(voice.name)), "the name of \(which) is not one line of text")
            expect(
                FieldShape.isLanguage(known(voice.language)),
                "the language \(quote(known(voice.language))) of \(which) is not like BCP-47's")
            expect(voice.gender <= SYNTH_NEUTRAL.rawValue, "the gender of \(which) is unknown")
            for (name, text) in [("accent", voice.accent), ("licence", voice.licence), ("model", voice.model)] {
                expect(text == nil || FieldShape.isLine(known(text)), "the \(name) of \(which) is not one line of text")
            }
            for speaker in strings(voice.speakers, voice.speaker_count) {
                expect(FieldShape.isLine(speaker), "a speaker of \(which) has no name that is one line of text")
            }
        }
        guard let first = faults.first else { return .passed("Ids, names, licences, languages and ranges are right.") }
        let more = faults.count > 1 ? " (and \(faults.count - 1) more)" : ""
        return .failed(first.prefix(1).uppercased() + first.dropFirst() + more + ".")
    }

    static func uniqueVoices(_ subject: Subject) throws(CheckFinding) -> CheckFinding {
        let engine = try subject.engine()
        subject.doing("it listed its voices")
        var ids: Set<String> = []
        for voice in engine.voices() {
            guard let id = known(voice.id) else { continue }
            if !ids.insert(id).inserted { return .failed("Two voices have the id \(quote(id)).") }
        }
        return .passed("No id occurs twice.", [Measurement("voices", Double(ids.count))])
    }

    static func rolesAndSources(_ subject: Subject) throws(CheckFinding) -> CheckFinding {
        let engine = try subject.engine()
        subject.doing("it listed roles and voices")
        let roles = engine.roles()
        var names: Set<String> = []
        for role in roles {
            let name = known(role.name)
            guard let name, FieldShape.isRoleName(name) else {
                return .failed("The role \(quote(name)) is not of a-z, 0-9 and -.")
            }
            guard names.insert(name).inserted else { return .failed("The role \(quote(name)) occurs twice.") }
            guard role.scope <= SYNTH_SCOPE_VOICE.rawValue else {
                return .failed("The role \(quote(name)) is neither of a model nor of a voice.")
            }
        }
        let needed = engine.required(SYNTH_SCOPE_MODEL) + engine.required(SYNTH_SCOPE_VOICE)
        var sourceCount = 0
        for voice in engine.voices() where voice.source_count > 0 {
            let which = "voice \(quote(known(voice.id)))"
            var covered: Set<String> = []
            for index in 0..<voice.source_count {
                guard let pointer = voice.sources?[index] else { return .failed("A file of \(which) is NULL.") }
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

    private static func strings(_ list: UnsafePointer<UnsafePointer<CChar>?>?, _ count: Int) -> [String?] {
        guard let list, count > 0 else { return count > 0 ? [nil] : [] }
        return (0..<min(count, 10_000)).map { known(list[$0]) }
    }

    private static func quote(_ text: String?) -> String { text.map { "“\($0)”" } ?? "that is missing or no UTF-8" }
}
