package import SynthSystem

/// A guide shown by `synthhost help GUIDE`. The guides are Markdown documents that can also be read in the source repository.
package enum Guide: String, CaseIterable {
    case installing, speaking
    case choosingVoices = "choosing-voices"
    case pronunciation, reading, books, listening, services
    case webPage = "web-page"
    case http
    case homeAssistant = "home-assistant"
    case screenReaders = "screen-readers"
    case automation, library
    case writingEngines = "writing-engines"
    case engineRules = "engine-rules"
    case measurements, reliability

    package var summary: String {
        switch self {
        case .installing: "install, update and remove synthhost; packages, files and folders"
        case .speaking: "speak text, write audio files, change speed and pitch"
        case .choosingVoices: "find, download, tune, blend and add voices"
        case .pronunciation: "correct pronunciations; SSML, Markdown, tokens, sound clips"
        case .reading: "read text and books in the terminal, with keyboard controls; read selected text"
        case .books: "read books and create audiobooks"
        case .listening: "transcribe recordings and dictate"
        case .services: "keep voices loaded; access tokens, containers, proxies"
        case .webPage: "read and transcribe in the browser"
        case .http: "the HTTP API, OpenAI clients, live transcription"
        case .homeAssistant: "voices and recognizers for Home Assistant"
        case .screenReaders: "voices for Orca and speech-dispatcher"
        case .automation: "shell scripts, lists of texts, clusters, AI assistants"
        case .library: "speak and listen from Swift"
        case .writingEngines: "write and check an engine"
        case .engineRules: "what an engine can access, and how it requests more"
        case .measurements: "speed, memory and accuracy compared with other programs"
        case .reliability: "what survives crashes, full disks and lost connections, and how this is tested"
        }
    }

    private static let longest = 1 << 20

    /// Returns the guide as text for a terminal.
    ///
    /// - Parameters:
    ///   - folder: the folder with the guides.
    ///   - width: the column at which sentences and tables are wrapped. Examples are not wrapped.
    package func text(in folder: String, width: Int) throws(Errno) -> String {
        var text = GuideText(width: width)
        for line in try lines(in: folder) { text.read(line) }
        return text.end()
    }

    /// Returns the titles of the sections that contain a word or its plural, and the number of occurrences in the guide. Case
    /// is ignored.
    package func sections(
        containing word: String, in folder: String
    ) throws(Errno) -> (titles: [String], count: Int) {
        let forms = ["", "s", "es"].map { word.lowercased() + $0 }
        var result: (titles: [String], count: Int) = ([], 0)
        var title = ""
        var isExample = false
        for line in try lines(in: folder) {
            if line.hasPrefix("```") { isExample.toggle() }
            if !isExample, line.hasPrefix("#") { title = String(line.drop { $0 == "#" || $0 == " " }) }
            let words = line.lowercased().split { !$0.isLetter && !$0.isNumber && $0 != "-" }
            let count = words.count { forms.contains(String($0)) }
            if count > 0, result.titles.last != title { result.titles.append(title) }
            result.count += count
        }
        return result
    }

    private func lines(in folder: String) throws(Errno) -> [Substring] {
        let bytes = try readWholeFile("\(folder)/\(rawValue).md", limit: Self.longest)
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    }
}
