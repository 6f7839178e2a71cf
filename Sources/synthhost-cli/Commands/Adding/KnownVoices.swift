import ModelStore
import SynthHost
import System
import VoiceCatalogue

/// Finds out which of the user's files are those of voices that the registry has, by their digests.
struct KnownVoices {
    /// Those whose own files are there, and what they share if they share a model.
    private(set) var voices: [Voice] = []
    /// A model of the registry that is there without the files of a voice.
    private(set) var lonelyModel: Model?
    /// The files that may be theirs.
    let files: [String]

    /// Blocks while files are read, of which there are none if no file is as long as one of the registry.
    init(_ paths: [String], in library: VoiceLibrary, _ addition: Addition) throws(StoreError) {
        let files = Self.candidates(paths)
        self.files = files
        let sizes = Set(files.compactMap(addition.size))
        var found: [Digest: Bool] = [:]
        func isHere(_ wanted: ModelFile) throws(StoreError) -> Bool {
            guard sizes.contains(wanted.size) else { return false }
            if let known = found[wanted.digest] { return known }
            var here = false
            for file in files where !here { here = try addition.holds(file, wanted) }
            found[wanted.digest] = here
            return here
        }
        func isHere(_ wanted: [ModelFile]) throws(StoreError) -> Bool {
            guard let main = wanted.max(by: { $0.size < $1.size }) else { return false }
            return try isHere(main)
        }
        for model in library.registry.models where lonelyModel == nil {
            if try isHere(model.files) { lonelyModel = model }
        }
        for voice in library.registry.voices where voice.unsupported == nil {
            guard let own = voice.model else {
                if try isHere(voice.files) { voices.append(voice) }
                continue
            }
            let used = ([own] + library.registry.precisions(of: voice)).first { lonelyModel?.id == $0.id }
            guard let used else { continue }
            let isWhole = try voice.files.isEmpty ? true : isHere(voice.files)
            if isWhole { voices.append(voice.using(used)) }
        }
        if !voices.isEmpty || paths.count != 1 || isFolder(paths[0]) { lonelyModel = nil }
    }

    /// A file with its description beside it, or all files of a folder.
    private static func candidates(_ paths: [String]) -> [String] {
        paths.flatMap { path in
            isFolder(path) ? FolderListing.names(in: path).map { "\(path)/\($0)" } : [path, path + ".json"]
        }
    }
}
