import SynthCatalogue
import SynthHost
import SynthHTTPServer
import SynthJSON
import SynthService

/// The recognizer models and their downloads: `/api/recognizers`.
struct RecognizerRoutes: Sendable {
    let library: RecognizerLibrary
    let words: WebMessages

    var routes: [WebRoute] {
        [
            WebRoute("GET", .exact("/api/recognizers"), .access, list),
            WebRoute("POST", .exact("/api/recognizers/downloads"), .token) { request, answer in
                guard let key = try WebMembers(request.object()).name("key") else {
                    throw WebFailure.problem(.missing("key"))
                }
                let entry = try library.download(key)
                try answer.send(entry.download == nil ? .ok : .accepted, json: entry.json(words))
            },
            WebRoute("DELETE", .exact("/api/recognizers/downloads"), .token) { request, answer in
                guard let key = request.query["key"] else { throw WebFailure.problem(.missing("key")) }
                let (entry, wasThere) = try library.cancel(key)
                try answer.send(wasThere ? .accepted : .ok, json: entry.json(words))
            },
        ]
    }

    @Sendable private func list(_ request: WebRequest, _ answer: WebAnswer) throws {
        if let key = request.query["key"] { return try answer.send(json: library.entry(key).json(words)) }
        let list = try library.list(language: request.query["language"])
        func key(_ key: String?) -> JSONNode.Value { key.map { .string($0) } ?? .null }
        try answer.send(
            json: JSONNode([
                .init("recognizers", .array(list.entries.map { $0.json(words) })),
                .init("chosen", key(list.chosen)), .init("proposed", key(list.proposed)),
                .init("detector", .boolean(list.hasDetector)),
            ]))
    }
}

extension RecognizerEntry {
    /// Returns the model as JSON for clients.
    func json(_ words: WebMessages) -> JSONNode {
        let model = choice.model
        let missing = choice.state.canListen ? 0 : download.map { $0.progress.total - $0.progress.bytes }
        var problem = JSONNode.Value.null
        if case .failed(let error, let mayWorkLater) = download?.state {
            let message = words.problem(.error(.downloadFailed(model.name, error)))
            problem = .object([.init("message", .string(message)), .init("mayWorkLater", .boolean(mayWorkLater))])
        }
        return JSONNode([
            .init("key", .string(choice.key)), .init("recognizer", .string(choice.recognizerID)),
            .init("model", .string(model.id)), .init("name", .string(model.name)),
            .init("languages", .array(choice.languages.map { JSONNode(.string($0)) })),
            .init("license", model.license.map { .string($0) } ?? .null),
            .init("size", .number(Double(model.downloadSize))),
            .init("missing", .number(Double(missing ?? model.downloadSize))),
            .init("translates", .boolean(choice.translates)),
            .init("state", .string(download?.word ?? (choice.state.canListen ? "ready" : "notDownloaded"))),
            .init("progress", download?.progressMember ?? .null), .init("problem", problem),
        ])
    }
}
