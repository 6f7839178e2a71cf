import VoiceCatalogue
import ModelStore

extension ServerFailure {
    /// Half a sentence: "the server answered 404 for https://…".
    var words: String {
        switch problem {
        case .status(let status, .file): "the server answered \(status) for \(url)"
        case .status(let status, .range): "the server answered \(status) to what was asked for"
        case .status(let status, .forNow(wait: nil)): "the server answered \(status)"
        case .status(let status, .forNow(let wait?)):
            "the server answered \(status) and asks to wait for \(Self.words(ofWait: wait))"
        case .noHTTP: "the server does not speak HTTP"
        case .encoding(let name): "the server sends the file encoded as \(name), which was not asked for"
        case .webPage: "\(url) gives a web page instead of the file"
        case .size(let found, let expected): "the server has a file of \(found) bytes instead of \(expected)"
        case .unaskedPart: "the server answers with a part that was not asked for"
        case .otherPart: "the server answers with another part than was asked for"
        case .tooMuch(let expected): "the server sends more than the \(expected) bytes of the file"
        case .endless: "the server redirects for ever"
        case .redirect(let target): "the server redirects to “\(target ?? "nowhere")”, which is not safe"
        case .nothingArrives: "nothing arrives"
        case .hardlyAnythingArrives: "hardly anything arrives"
        case .endedEarly: "the server ended in the middle of the file"
        case .connection(_, let detail): detail
        case .nameNotFound(hasNetwork: true): "the server \(host) is not found"
        case .nameNotFound(hasNetwork: false): "this machine has no network"
        case .address: WebAddress.refusal(of: url) ?? "“\(url)” is not a web address"
        }
    }

    private static func words(ofWait seconds: Double) -> String {
        seconds < 86_400 ? "\(Int(seconds)) s" : "more than a day"
    }
}
