import Foundation
import SynthDocuments

/// The readers of untrusted bytes, which are tested with arbitrary input. The raw value is the name of a folder in `Tests/Corpus`.
enum ParserTarget: String, CaseIterable, Sendable {
    // The user's files and the program's own.
    case json, configuration, registry, records, lexicons, tables
    // Messages from clients.
    case http, multipart, websockets, wyoming, speechd, mcp
    // Documents.
    case html, markdown, text, epub, docx, fictionbook, pdf, archives
    // Recordings.
    case sounds
    // Files of neural voices and recognizers.
    case numpy, graphs, tokens

    /// Returns the violated rules; empty if there are none.
    func violations(in bytes: [UInt8]) -> [String] {
        switch self {
        case .json: JSONChecks.violations(in: bytes)
        case .lexicons: WordListChecks.violations(inLexicon: bytes)
        case .tables: WordListChecks.violations(inTables: bytes)
        case .http: RequestChecks.violations(inRequests: bytes)
        case .multipart: RequestChecks.violations(inForm: bytes)
        case .websockets: RequestChecks.violations(inFrames: bytes)
        case .html: DocumentChecks.violations(in: bytes, as: .page)
        case .markdown: DocumentChecks.violations(in: bytes, as: .markdown)
        case .text: DocumentChecks.violations(in: bytes, as: nil)
        case .fictionbook: DocumentChecks.violations(in: bytes, as: .fictionBook)
        case .pdf: DocumentChecks.violations(in: bytes, as: .printed)
        case .epub, .docx: DocumentChecks.violations(in: ListedArchive.bytes(bytes), as: nil)
        case .archives: DocumentChecks.violations(in: bytes, as: nil)
        case .configuration, .registry, .records, .wyoming, .speechd, .mcp, .sounds: ofHost(bytes)
        case .numpy, .graphs, .tokens: ofModels(bytes)
        }
    }

    /// The checks of readers that need most of the program, which takes minutes to build with a sanitizer.
    private func ofHost(_ bytes: [UInt8]) -> [String] {
        #if FEW
            ["the readers of \(self) are not in this build"]
        #else
            switch self {
            case .configuration: SettingsChecks.violations(inConfiguration: bytes)
            case .registry: SettingsChecks.violations(inRegistry: bytes)
            case .records: RecordChecks.violations(in: bytes)
            case .wyoming: EventChecks.violations(in: bytes)
            case .speechd: ModuleChecks.violations(in: bytes)
            case .mcp: AssistantChecks.violations(in: bytes)
            case .sounds: SoundChecks.violations(in: bytes)
            default: []
            }
        #endif
    }

    private func ofModels(_ bytes: [UInt8]) -> [String] {
        #if NEURAL
            switch self {
            case .numpy: ModelChecks.violations(inStyles: bytes)
            case .graphs: ModelChecks.violations(inGraph: bytes)
            case .tokens: ModelChecks.violations(inTokens: bytes)
            default: []
            }
        #else
            ["the readers of \(self) are not in this build"]
        #endif
    }

    /// The targets whose readers are included in this build of the tests.
    static var built: [ParserTarget] {
        #if NEURAL
            allCases
        #else
            allCases.filter { ![.numpy, .graphs, .tokens].contains($0) }
        #endif
    }
}

/// Calls `body` with a file that contains the given bytes and exists only during the call.
enum ScratchFile {
    static func with<Result>(_ bytes: [UInt8], _ body: (String) throws -> Result) rethrows -> Result {
        let path = FileManager.default.temporaryDirectory.appending(path: "parser-\(UUID().uuidString)").path
        _ = FileManager.default.createFile(atPath: path, contents: Data(bytes))
        defer { unlink(path) }
        return try body(path)
    }
}

extension [UInt8] {
    /// Splits at the first line that consists of these bytes. The second part is empty if there is no such line.
    func split(atLine line: String) -> (ArraySlice<UInt8>, ArraySlice<UInt8>) {
        let mark = Array("\n\(line)\n".utf8)
        guard let range = firstRange(of: mark) else { return (self[...], []) }
        return (self[..<range.lowerBound], self[range.upperBound...])
    }
}
