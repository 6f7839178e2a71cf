import EngineProcesses
import EngineWire
import ModelStore
import Recognizers
import System
import VoiceCatalogue

/// Finds out which recognizer the user's files are a model of, and which file is what.
struct OwnHearing {
    let words: OwnVoiceWords
    let library: VoiceLibrary
    let addition: Addition

    /// Names of files as the makers of a recognizer's models call them, without what tells their models apart.
    private struct UsualName {
        let role: String
        let stem: String
        let ending: String

        init(_ name: String, as role: String) {
            self.role = role
            (stem, ending) = OwnHearing.parts(of: name)
        }

        /// "encoder_model_fp16.onnx" is called as "encoder_model.onnx" is.
        func covers(_ name: String) -> Bool {
            let (stem, ending) = OwnHearing.parts(of: name)
            guard ending == self.ending, stem.hasPrefix(self.stem) else { return false }
            return stem.dropFirst(self.stem.count).first.map { "_-".contains($0) } ?? true
        }
    }

    /// How deep in a folder files are looked for: exports have one for their graphs.
    private static let depth = 2

    /// Copies the files to a folder in which they can be tried. Blocks.
    ///
    /// - Returns: nil if they are those of no recognizer, and none was named.
    func take(_ paths: [String]) throws(LibraryProblem) -> HearingChoice? {
        let known = library.inventory.recognizers.compactMap { file in
            file.description.map { (file: file.path, recognizer: $0) }
        }
        let named = known.first { $0.recognizer.id == words.engine || $0.recognizer.name == words.engine }
        guard named != nil || words.engine == nil else { return nil }
        let files = try candidates(paths)
        var fitting: [(file: String, recognizer: RecognizerDescription, files: [AddedFile])] = []
        for (file, recognizer) in named.map({ [$0] }) ?? known where !recognizer.roles.isEmpty {
            let found = roles(of: recognizer, files)
            let required = recognizer.roles.filter { !$0.isOptional }.map(\.name)
            let isWhole = !found.isEmpty && required.allSatisfy { role in found.contains { $0.role == role } }
            guard isWhole else { continue }
            fitting.append((file, recognizer, found))
        }
        guard let one = fitting.first else {
            guard let recognizer = named?.recognizer else { return nil }
            let roles = recognizer.roles.filter { !$0.isOptional || recognizer.roles.count == 1 }.map(\.name)
            guard let first = roles.first else { throw .ownFiles(.withoutFiles(engine: recognizer.id)) }
            throw .ownFiles(.needs(engine: recognizer.id, roles: roles, first: first))
        }
        guard fitting.count == 1 else { throw .ownFiles(.severalEngines(fitting.map(\.recognizer.id))) }
        for role in one.recognizer.roles {
            let same = one.files.filter { $0.role == role.name }.map(\.path)
            if same.count > 1 { throw .ownFiles(.severalFiles(role: role.name, same)) }
        }
        let model = HearingModel(
            own: try id(paths), for: one.recognizer.id,
            name: try OwnVoices.saidName(words) ?? OwnFiles.spoken(stem(paths)),
            languages: words.language.map { [$0] } ?? [])
        let taken: InstalledHearing
        do throws(StoreError) { taken = try addition.take(one.files, as: model) } catch { throw .store(error) }
        return HearingChoice(
            recognizer: one.recognizer, file: one.file, model: taken.model,
            state: .ready(taken.files.map { HandedFile(role: $0.role, path: $0.path) }))
    }

    /// What each of the files is; others are left out. A role may have several.
    private func roles(of recognizer: RecognizerDescription, _ files: [String]) -> [AddedFile] {
        let listed = library.registry.hearingModels.filter { $0.recognizer == recognizer.id }.flatMap(\.files)
        let declared = recognizer.models.flatMap(\.sources)
        let usual =
            (listed.map { UsualName($0.name, as: $0.role) }
            + declared.map { UsualName(String($0.url.split(separator: "/").last ?? ""), as: $0.role) })
            // "encoder" is the begin of "encoder_joint", too.
            .sorted { $0.stem.utf8.count > $1.stem.utf8.count }
        return files.compactMap { path in
            let name = path.split(separator: "/").last.map(String.init) ?? path
            let own = recognizer.roles.first { name.hasPrefix("\($0.name).") || name.hasSuffix(".\($0.name)") }?.name
            return (usual.first { $0.covers(name) }?.role ?? own).map { AddedFile(role: $0, path: path) }
        }
    }

    /// The files that may be meant. If one is named, those beside it are companions.
    private func candidates(_ paths: [String]) throws(LibraryProblem) -> [String] {
        var files: [String] = []
        for path in paths {
            let given = OwnFiles(path)
            if given.isArchive {
                do throws(StoreError) {
                    files += Self.files(in: try addition.unpack(path), Self.depth)
                } catch { throw .store(error) }
            } else {
                files += isFolder(path) ? Self.files(in: path, Self.depth) : [path]
            }
        }
        return files
    }

    private static func files(in folder: String, _ depth: Int) -> [String] {
        OwnFiles.names(in: folder).flatMap { name in
            let path = "\(folder)/\(name)"
            guard isFolder(path) else { return [path] }
            return depth > 0 ? files(in: path, depth - 1) : []
        }
    }

    private static func parts(of name: String) -> (stem: String, ending: String) {
        let stem = name.prefix { $0 != "." }
        return (String(stem), name.lastIndex(of: ".").map { String(name[$0...]) } ?? "")
    }

    /// What the user calls the files.
    private func stem(_ paths: [String]) -> String {
        guard let path = paths.first, paths.count == 1 else { return words.id ?? "Own model" }
        return OwnFiles.plainName(of: path)
    }

    private func id(_ paths: [String]) throws(LibraryProblem) -> String {
        let id = words.id ?? OwnFiles.id(of: stem(paths))
        let registry = library.registry
        let isTaken =
            registry.hearingModels.contains { $0.id == id } || registry.models.contains { $0.id == id }
            || registry.voices.contains { $0.id == id || $0.folder == id }
        return isTaken ? id + "-own" : id
    }
}

/// A second of silence.
final class ShortSilence: HeardSound {
    private var left: Int
    let arrival: Descriptor? = nil

    init(rate: UInt32) { left = Int(rate) }

    func next(most: Int) -> HeardFrames {
        guard left > 0 else { return .ended }
        let count = min(most, left)
        left -= count
        return .frames([Float](repeating: 0, count: count))
    }
}
