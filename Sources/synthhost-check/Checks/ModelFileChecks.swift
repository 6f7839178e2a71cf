import CSynthEngine
import Glibc
import SynthEngineProcesses
import SynthEngineLoading
import SynthEngineWire
import SynthSystem

enum ModelFileChecks {
    static func missing(_ subject: Subject) throws -> CheckFinding {
        try missing(of: try subject.plugin())
    }

    private static func missing(of plugin: some Plugin) throws -> CheckFinding {
        let ofModel = plugin.required(SYNTH_SCOPE_MODEL)
        let ofVoice = plugin.required(SYNTH_SCOPE_VOICE)
        guard !ofModel.isEmpty || !ofVoice.isEmpty else { return .skipped("It requires no files.") }
        let items = plugin.items()
        if let item = items.first, items.allSatisfy({ $0.sourceCount == 0 }) {
            let noun = plugin.subject.job.kind == .engine ? "voices" : "models"
            return .skipped("Its \(noun), such as \(item.id ?? "the first"), are built in and need no files.")
        }
        if !ofModel.isEmpty {
            let error = ErrorProbe()
            let (status, model) = plugin.load(LoadRequest(id: bareItem(plugin).model), error)
            model?.unload()
            try expect(TableAnswer(status, error), SYNTH_MISSING_FILE, roles: ofModel, "Without its files, load")
        }
        guard !ofVoice.isEmpty else { return .passed("load names the missing file.") }
        let handed = Set(plugin.subject.job.files.map(\.role))
        guard ofModel.allSatisfy(handed.contains) else {
            return .passed("load names the missing file. Voice files cannot be checked without model files.")
        }
        var choice = bareItem(plugin)
        choice.modelFiles = plugin.subject.job.files.filter { ofModel.contains($0.role) }
        try expect(
            try plugin.tryOut(choice), SYNTH_MISSING_FILE, roles: ofVoice,
            "Without its voice files, synthesize")
        return .passed("It names the missing file.")
    }

    static func damaged(_ subject: Subject) throws -> CheckFinding {
        let plugin = try subject.plugin()
        let roles = plugin.roles().filter { $0.flags & SYNTH_ROLE_OPTIONAL.rawValue == 0 }
        guard !roles.isEmpty else { return .skipped("It requires no files.") }
        let handed = Set(subject.job.files.map(\.role))
        let others = roles.compactMap { known($0.name) }
        var tried = 0
        for role in roles {
            guard let name = known(role.name) else { continue }
            // An engine can identify the damaged file only if all other files are valid.
            guard others.allSatisfy({ $0 == name || handed.contains($0) }) else { continue }
            let good = subject.job.files.first { $0.role == name }?.path
            for (kind, path) in try damages(role, good: good, subject) {
                tried += 1
                let files = subject.job.files.filter { $0.role != name } + [HandedFile(role: name, path: path)]
                try refuse(name, kind, files, plugin)
            }
        }
        guard tried > 0 else {
            let options = others.map { "--file \($0)=PATH" }.joined(separator: " ")
            return .skipped("To test damaged files, pass valid paths for the other files: \(options)")
        }
        return .passed("Damaged files: \(tried). Each was rejected, and the error named the correct role.")
    }

    /// Checks that the engine rejects a damaged file with an error that names its role, either when loading it or in
    /// the first request.
    private static func refuse(
        _ role: String, _ kind: String, _ files: [HandedFile], _ plugin: some Plugin
    ) throws {
        var choice = bareItem(plugin)
        choice.modelFiles = plugin.files(SYNTH_SCOPE_MODEL, files)
        choice.voiceFiles = plugin.files(SYNTH_SCOPE_VOICE, files)
        let error = ErrorProbe()
        plugin.subject.step("loading \(kind) as \"\(role)\"")
        let (status, model) = plugin.load(LoadRequest(id: choice.model, files: choice.modelFiles), error)
        if let model {
            model.unload()
            let answer = try plugin.tryOut(choice)
            try expect(answer, SYNTH_BAD_FILE, roles: [role], "Given \(kind) as \"\(role)\", it")
        } else {
            try expect(TableAnswer(status, error), SYNTH_BAD_FILE, roles: [role], "Given \(kind) as \"\(role)\", load")
        }
    }

    private static func damages(
        _ role: synth_role, good: String?, _ subject: Subject
    ) throws -> [(String, String)] {
        if role.flags & SYNTH_ROLE_FOLDER.rawValue != 0 {
            let path = "\(subject.userFolders.own)/empty-folder"
            mkdir(path, 0o700)
            return [("an empty folder", path)]
        }
        var generator = ProbeGenerator(seed: 1)
        let random = (0..<8192).flatMap { _ in withUnsafeBytes(of: generator.next()) { Array($0) } }
        let page = Array("<!DOCTYPE html><html><head><title>404</title></head><body>Not found</body></html>\n".utf8)
        var damages = [
            ("random bytes", try subject.write(random, to: "random")),
            ("an empty file", try subject.write([], to: "empty")),
            ("a web page", try subject.write(page, to: "page")),
        ]
        if let good, let bytes = try? readWholeFile(good, limit: 1 << 30), bytes.count > 1 {
            damages.append(
                ("the first half of the file", try subject.write(Array(bytes.prefix(bytes.count / 2)), to: "half")))
        }
        return damages
    }

    private static func bareItem(_ plugin: some Plugin) -> PluginChoice {
        // Choose a voice or model that needs files.
        let items = plugin.items()
        let item = items.first { $0.sourceCount > 0 } ?? items.first
        let id = item?.id ?? "validated"
        return PluginChoice(id: id, model: item?.model ?? id, modelFiles: [], voiceFiles: [])
    }

    private static func expect(
        _ answer: TableAnswer, _ wanted: synth_status, roles: [String], _ subject: String
    ) throws {
        guard answer.status == wanted else {
            throw CheckFinding.failed("\(subject) returned \(answer.words) instead of \(wanted.word).")
        }
        guard let role = answer.role, roles.contains(role) else {
            let named = answer.role.map { "\"\($0)\"" } ?? "NULL"
            throw CheckFinding.failed("\(subject) returned \(wanted.word), but error.role is \(named).")
        }
    }
}
