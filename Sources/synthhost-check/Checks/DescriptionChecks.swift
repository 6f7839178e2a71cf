import CSynthEngine
import EngineChecks
import EngineLoading
import EngineProcesses
import EngineWire

/// What an engine or a recognizer says about itself.
enum DescriptionChecks {
    static func fields(_ subject: Subject) throws(CheckFinding) -> CheckFinding {
        let plugin = try subject.plugin()
        subject.doing("its description was read")
        var faults = Faults()
        check(plugin, &faults)
        if let engine = plugin as? LoadedEngine { EngineFields.check(engine, &faults) }
        if let listener = plugin as? LoadedListener { RecognizerFields.check(listener, &faults) }
        guard let first = faults.all.first else {
            return .passed("Ids, names, licences, languages and numbers are right.")
        }
        let more = faults.all.count > 1 ? " (and \(faults.all.count - 1) more)" : ""
        return .failed(first.prefix(1).uppercased() + first.dropFirst() + more + ".")
    }

    private static func check(_ plugin: any Plugin, _ faults: inout Faults) {
        let facts = plugin.facts
        let (id, version, licence) = (known(facts.id), known(facts.version), known(facts.licence))
        faults.expect(FieldShape.isRoleName(id), "the id \(quote(id)) is not of a-z, 0-9 and -")
        faults.expect(FieldShape.isLine(known(facts.name)), "the name is not one line of text")
        faults.expect(FieldShape.isVersion(version), "the version \(quote(version)) is not like 1.2.3")
        faults.expect(FieldShape.isLicence(licence), "the licence \(quote(licence)) is not like SPDX's")
        let url = known(facts.url)
        faults.expect(facts.url == nil || FieldShape.isWebAddress(url), "the URL \(quote(url)) is no web address")
        for name in plugin.variables() {
            let isVariable = name.map(EngineDescription.isVariable) ?? false
            faults.expect(isVariable, "the environment variable \(quote(name)) is not of A-Z, 0-9 and _")
            if let name, isVariable {
                faults.expect(
                    EngineVariables.passes(name, asked: [name]),
                    "the environment variable \(name) has the name of a secret, which no engine gets")
            }
        }
        for (index, need) in plugin.needs().enumerated() {
            let which = "need number \(index)"
            faults.expect(FieldShape.isLine(known(need.reason)), "the reason of \(which) is not one line of text")
            guard let name = EngineNeed.Kind.name(of: need.kind) else { continue }
            faults.expect(
                EngineNeed.Kind(name: name, path: known(need.path)) != nil,
                "the path \(quote(known(need.path))) of \(which) is not one of a \(name)")
        }
    }

    /// Of the voices of an engine, or of the models of a recognizer.
    static func uniqueIDs(_ subject: Subject) throws(CheckFinding) -> CheckFinding {
        let plugin = try subject.plugin()
        let noun = subject.job.kind == .engine ? "voices" : "models"
        subject.doing("it listed its \(noun)")
        var ids: Set<String> = []
        for item in plugin.items() {
            guard let id = item.id else { continue }
            if !ids.insert(id).inserted { return .failed("Two \(noun) have the id \(quote(id)).") }
        }
        return .passed("No id occurs twice.", [Measurement(noun, Double(ids.count))])
    }

    static func rolesAndSources(_ subject: Subject) throws(CheckFinding) -> CheckFinding {
        let plugin = try subject.plugin()
        let noun = subject.job.kind == .engine ? "voice" : "model"
        subject.doing("it listed roles and \(noun)s")
        let roles = plugin.roles()
        var names: Set<String> = []
        for role in roles {
            let name = known(role.name)
            guard let name, FieldShape.isRoleName(name) else {
                return .failed("The role \(quote(name)) is not of a-z, 0-9 and -.")
            }
            guard subject.job.kind == .engine || role.scope == SYNTH_SCOPE_MODEL.rawValue else {
                return .failed("The role \(quote(name)) is not of a model.")
            }
            guard names.insert(name).inserted else { return .failed("The role \(quote(name)) occurs twice.") }
            guard role.scope <= SYNTH_SCOPE_VOICE.rawValue else {
                return .failed("The role \(quote(name)) is neither of a model nor of a voice.")
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

    static func quote(_ text: String?) -> String { text.map { "“\($0)”" } ?? "that is missing or no UTF-8" }
}

/// What is wrong with a description, each phrased as a part of a sentence.
struct Faults {
    private(set) var all: [String] = []

    mutating func expect(_ isRight: Bool, _ fault: @autoclosure () -> String) {
        if !isRight { all.append(fault()) }
    }
}
