/// What a module tells of its own while it speaks.
enum ModuleEvent: Equatable, Sendable {
    case begin
    case mark(String)
    case end
    case stop
    case pause

    var bytes: [UInt8] {
        switch self {
        case .begin: Array("701 BEGIN\n".utf8)
        case .mark(let name): Array("700-\(ModuleWord.line(name))\n700 INDEX MARK\n".utf8)
        case .end: Array("702 END\n".utf8)
        case .stop: Array("703 STOP\n".utf8)
        case .pause: Array("704 PAUSE\n".utf8)
        }
    }
}
