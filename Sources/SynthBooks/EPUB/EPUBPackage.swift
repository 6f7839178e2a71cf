import Glibc
import SynthSystem

/// The metadata files of an EPUB: the package document, the navigation document and the style sheet.
struct EPUBPackage {
    struct Chapter {
        let number: Int
        let title: String
        let seconds: Double
        /// The level in the table of contents, starting at 1.
        var level = 1

        var text: String { "chapter-\(number).xhtml" }
        var overlay: String { "chapter-\(number).smil" }
        var sound: String { "chapter-\(number).mp3" }
    }

    let title: String
    let authors: [String]
    let language: String
    let narrator: String
    /// The identifier, which is the same every time the book is made.
    let identifier: String
    /// The modification time in seconds since 1970.
    let modified: Int
    let cover: String?
    var chapters: [Chapter] = []

    static let folder = "EPUB"
    static let style = "style.css"

    var coverName: String { cover == "image/png" ? "cover.png" : "cover.jpg" }

    static let container = """
        <?xml version="1.0" encoding="UTF-8"?>
        <container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0">
        <rootfiles>
        <rootfile full-path="\(folder)/package.opf" media-type="application/oebps-package+xml"/>
        </rootfiles>
        </container>

        """

    /// Keeps the highlighted sentence legible in both light and dark mode.
    static let css = """
        body { line-height: 1.5; }
        .-epub-media-overlay-active { background: #ffd95a; color: #1a1a1a; border-radius: 0.2em; }
        .aside { margin-left: 1.5em; }
        pre { white-space: pre-wrap; font-size: 0.85em; }
        .depth2 { margin-left: 1.5em; }
        .depth3 { margin-left: 3em; }
        .depth4, .depth5, .depth6 { margin-left: 4.5em; }

        """

    /// The package document (EPUB 3 with media overlays).
    var package: String {
        let creators = authors.filter { !$0.isEmpty }.map { "<dc:creator>\(XMLText.escaped($0))</dc:creator>\n" }
            .joined()
        let durations = chapters.map {
            "<meta property=\"media:duration\" refines=\"#overlay-\($0.number)\">\(XMLText.clock(milliseconds: XMLText.milliseconds($0.seconds)))</meta>\n"
        }.joined()
        let items = chapters.map { chapter in
            """
            <item id="text-\(chapter.number)" href="\(chapter.text)" media-type="application/xhtml+xml" \
            media-overlay="overlay-\(chapter.number)"/>
            <item id="overlay-\(chapter.number)" href="\(chapter.overlay)" media-type="application/smil+xml"/>
            <item id="sound-\(chapter.number)" href="\(chapter.sound)" media-type="audio/mpeg"/>

            """
        }.joined()
        let picture = cover.map {
            "<item id=\"cover\" href=\"\(coverName)\" media-type=\"\($0)\" properties=\"cover-image\"/>\n"
        }
        let direction = XMLText.isRightToLeft(language) ? " page-progression-direction=\"rtl\"" : ""
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id" \
            xml:lang="\(XMLText.escaped(language))" prefix="schema: http://schema.org/">
            <metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
            <dc:identifier id="id">\(XMLText.escaped(identifier))</dc:identifier>
            <dc:title>\(XMLText.escaped(title))</dc:title>
            <dc:language>\(XMLText.escaped(language))</dc:language>
            \(creators)<meta property="dcterms:modified">\(time)</meta>
            <meta property="media:duration">\(XMLText.clock(milliseconds: chapters.reduce(0) { $0 + XMLText.milliseconds($1.seconds) }))</meta>
            \(durations)<meta property="media:narrator">\(XMLText.escaped(narrator))</meta>
            <meta property="media:active-class">-epub-media-overlay-active</meta>
            <meta property="schema:accessMode">textual</meta>
            <meta property="schema:accessMode">auditory</meta>
            <meta property="schema:accessModeSufficient">textual</meta>
            <meta property="schema:accessModeSufficient">auditory</meta>
            <meta property="schema:accessibilityFeature">synchronizedAudioText</meta>
            <meta property="schema:accessibilityHazard">none</meta>
            </metadata>
            <manifest>
            <item id="contents" href="contents.xhtml" media-type="application/xhtml+xml" properties="nav"/>
            <item id="style" href="\(Self.style)" media-type="text/css"/>
            \(picture ?? "")\(items)</manifest>
            <spine\(direction)>
            \(chapters.map { "<itemref idref=\"text-\($0.number)\"/>" }.joined(separator: "\n"))
            </spine>
            </package>

            """
    }

    var contents: String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE html>
        <html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" \
        \(XMLText.language(language))\(XMLText.direction(language))>
        <head><title>\(XMLText.escaped(title))</title></head>
        <body>
        <nav epub:type="toc" id="toc">
        <h1>\(XMLText.escaped(title))</h1>
        \(contentsList)
        </nav>
        </body>
        </html>

        """
    }

    /// The entries as nested lists. Each entry is at most one level deeper than the previous one.
    private var contentsList: String {
        var text = ""
        var depth = 0
        for chapter in chapters {
            let level = max(1, min(chapter.level, depth + 1))
            if level > depth {
                text += "<ol>\n"
            } else {
                text += "</li>\n" + String(repeating: "</ol>\n</li>\n", count: depth - level)
            }
            depth = level
            text += "<li><a href=\"\(chapter.text)\">\(XMLText.escaped(chapter.title))</a>"
        }
        if depth > 0 { text += "</li>\n" + String(repeating: "</ol>\n</li>\n", count: depth - 1) + "</ol>" }
        return text
    }

    /// The modification date in the format "2026-01-31T12:00:00Z".
    private var time: String {
        var (seconds, parts) = (time_t(max(0, min(modified, 253_402_300_799))), tm())
        gmtime_r(&seconds, &parts)
        var buffer = [UInt8](repeating: 0, count: 32)
        let count = buffer.withUnsafeMutableBytes { bytes in
            strftime(bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
        }
        return String(decoding: buffer.prefix(count), as: UTF8.self)
    }
}

enum XMLText {
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\n", "\t": result.unicodeScalars.append(scalar)
            // XML cannot represent these characters.
            case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{FFFE}", "\u{FFFF}": result += " "
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// The language attributes, or an empty string if the language is invalid.
    static func language(_ language: String) -> String {
        LanguageTag.normalized(language).map { "xml:lang=\"\($0)\" lang=\"\($0)\"" } ?? ""
    }

    /// The text direction attribute, or an empty string for left-to-right languages.
    static func direction(_ language: String) -> String {
        isRightToLeft(language) ? " dir=\"rtl\"" : ""
    }

    static func isRightToLeft(_ language: String) -> Bool {
        ["ar", "fa", "he", "ps", "sd", "ug", "ur", "yi"].contains(LanguageTag.primary(language))
    }

    static func milliseconds(_ seconds: Double) -> Int { Int((max(0, min(seconds, 1e9)) * 1000).rounded()) }

    static func clock(milliseconds: Int) -> String {
        "\(milliseconds / 1000).\(padded(milliseconds % 1000, 3))s"
    }
}
