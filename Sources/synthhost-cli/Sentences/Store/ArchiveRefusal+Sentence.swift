import ModelStore
import System

extension ArchiveRefusal {
    /// Half a sentence: "it holds a name that cannot be read".
    var words: String {
        switch self {
        case .tooManyEntries(let limit): "it has more than \(limit) entries"
        case .unannounced(let path): "it holds “\(path)”, which was not announced"
        case .twice(let path): "it holds “\(path)” twice"
        case .fileAndFolder(let path): "it holds “\(path)” both as a file and as a folder"
        case .tooLarge: "it unpacks to far more than its size"
        case .unreadableName: "it holds a name that cannot be read"
        case .longName(let bytes): "it holds a name of \(bytes) bytes"
        case .absolutePath(let path): "it holds the absolute path “\(path)”"
        case .link(let path): "“\(path)” in it is a link"
        case .special(let path): "“\(path)” in it is neither file nor folder"
        case .leadsOutside(let path): "it holds the path “\(path)”, which leads outside"
        case .tooDeep(let limit): "it nests more than \(limit) folders"
        case .badName(let name): "it holds the name “\(name)”"
        case .noName: "it holds a file without a name"
        case .damaged(let detail): "it is damaged or no archive (\(detail ?? "it cannot be read"))"
        case .noMemory: "there is no memory for it"
        case .file(let failure): "\(failure.reason)"
        }
    }
}
