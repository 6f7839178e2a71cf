import SynthDocuments

/// Finds the parts of a book that most listeners skip. Examines the markup and landmarks first, and then the content.
enum FrontMatterSearch {
    /// The kinds of front matter, keyed by their names in `epub:type`, in the landmarks and in the EPUB 2 guide.
    private static let types: [String: Document.FrontMatter] = [
        "cover": .cover, "coverpage": .cover, "titlepage": .titlePage, "title-page": .titlePage,
        "halftitlepage": .titlePage, "half-title": .titlePage, "frontispiece": .titlePage, "copyright-page": .copyright,
        "copyright": .copyright, "imprint": .copyright, "colophon": .copyright, "imprimatur": .copyright,
        "dedication": .dedication, "doc-dedication": .dedication, "doc-colophon": .copyright, "doc-cover": .cover,
        "toc": .contents, "doc-toc": .contents, "loi": .contents, "lot": .contents, "lof": .contents,
        "other-credits": .copyright, "doc-credits": .copyright, "pg-license": .license,
    ]

    static func named(_ names: [String]) -> Document.FrontMatter? {
        names.lazy.compactMap { types[$0.lowercased()] }.first
    }

    /// A page of a book, or the beginning of any other document.
    struct Page {
        let blocks: ArraySlice<Document.Block>
        /// The types from the page's markup and the book's landmarks.
        let types: [String]
        /// The number of links to other positions in the document.
        let links: Int
        /// Whether all earlier pages are short.
        let isEarly: Bool
    }

    static func matter(of page: Page, title: String?) -> Document.FrontMatter? {
        if let named = named(page.types) { return named }
        let blocks = page.blocks.filter { $0.kind != .scene }
        let words = blocks.reduce(0) { $0 + $1.words }
        guard !blocks.isEmpty, words <= maximumWords else { return nil }
        let text = blocks.map(\.text).joined(separator: "\n").lowercased()
        if isLicense(text) { return .license }
        if isContents(blocks, words, links: page.links) { return .contents }
        if isCopyright(text, words) { return .copyright }
        guard page.isEarly else { return nil }
        if isDedication(blocks, words) { return .dedication }
        return isTitle(text, words, title) ? .titlePage : nil
    }

    /// The maximum length of front matter in words.
    private static let maximumWords = 1_200

    // MARK: - By content

    private static let copyrightSigns = [
        "©", "(c) ", "copyright", "isbn", "all rights reserved", "no part of this", "printed in", "first published",
        "published by", "library of congress", "10 9 8 7 6 5", "1 2 3 4 5 6 7 8 9", "cover design",
        "this is a work of fiction",
        "alle rechte", "tous droits", "todos los derechos", "tutti i diritti", "todos os direitos", "alle rechten",
        "wszelkie prawa", "все права", "dépôt légal", "impressum", "originalausgabe", "creative commons", "typeset",
        "e-book", "ebook", "epub", "published in", "édition", "verlag", "umschlag", "alla rättigheter",
    ]

    private static func isCopyright(_ text: String, _ words: Int) -> Bool {
        guard words <= 700 else { return false }
        let found = copyrightSigns.count { text.contains($0) }
        let isSure =
            text.contains("©") || text.contains("isbn") || text.contains("copyright") || text.contains("impressum")
        return isSure && (found >= 2 && words <= 60 * found + 60 || words <= 25)
    }

    /// Whether a paragraph at the beginning of a plain text file is a copyright notice.
    static func isCopyright(paragraph text: String) -> Bool {
        let text = text.lowercased()
        return text.utf8.count < 2_000
            && (isCopyright(text, text.split(separator: " ").count) || text.hasPrefix("isbn")
                || text.hasPrefix("10 9 8 7")
                || text.contains("all rights reserved"))
    }

    private static let contentsNames: Set = [
        "contents", "table of contents", "inhalt", "inhaltsverzeichnis", "table des matières", "sommaire", "índice",
        "indice",
        "sommario", "sumário", "inhoud", "inhoudsopgave", "spis treści", "содержание", "оглавление", "目次", "目录", "目錄",
        "list of illustrations", "list of figures", "list of tables", "illustrations",
    ]

    static func isContentsName(_ text: String) -> Bool {
        contentsNames.contains(text.lowercased().trimmed { !$0.isLetter })
    }

    private static func isContents(_ blocks: [Document.Block], _ words: Int, links: Int) -> Bool {
        let lines = blocks.flatMap { $0.text.split(separator: "\n") }
        let isShort = words <= 14 * max(1, lines.count)
        if blocks.prefix(2).contains(where: { isContentsName($0.text) }), isShort, lines.count > 1 { return true }
        return links >= 5 && 10 * links >= 7 * lines.count && isShort && words <= 12 * lines.count
    }

    private static let dedications = [
        "for ", "to ", "in memory of", "in loving memory", "dedicated to", "this book is dedicated", "für ", "meinen ",
        "meiner ",
        "pour ", "à ", "a la memoria", "para ", "a mi", "per ", "a mia", "a mio", "voor ", "dla ", "посвящается",
        "à la mémoire",
        "dem andenken",
    ]

    private static func isDedication(_ blocks: [Document.Block], _ words: Int) -> Bool {
        guard let text = blocks.first(where: { !$0.isHeading })?.text.lowercased(), words <= 40, blocks.count <= 4
        else {
            return false
        }
        if blocks[0].isHeading {
            return [
                "dedication", "widmung", "dédicace", "dedicatoria", "dedica", "dedicatória", "dedykacja", "opdracht",
            ]
            .contains(blocks[0].text.lowercased())
        }
        return dedications.contains { text.hasPrefix($0) } && !text.contains("?") && !text.contains("”")
    }

    private static func isTitle(_ text: String, _ words: Int, _ title: String?) -> Bool {
        guard let title = title?.lowercased(), !title.isEmpty, words <= 40 else { return false }
        let plain = { (text: String) in text.filter { $0.isLetter || $0.isNumber } }
        return plain(text).hasPrefix(plain(title)) && words <= title.split(separator: " ").count + 20
    }

    // MARK: - Public archives

    private static func isLicense(_ text: String) -> Bool {
        text.contains("project gutenberg")
            && (text.contains("license") || text.contains("licence") || text.contains("use of anyone"))
    }

    /// Marks the notices that public archives add before and after the text, and the lines that describe the
    /// transcription.
    static func markLicense(in blocks: inout [Document.Block]) {
        let marks = blocks.indices.filter { blocks[$0].text.hasPrefix("***") && blocks[$0].text.utf8.count < 400 }
        for place in marks {
            let text = blocks[place].text.uppercased()
            guard text.contains("GUTENBERG") else { continue }
            if text.contains("START OF"), place < max(60, blocks.count / 3) {
                for index in 0...place { blocks[index].matter = .license }
            } else if text.contains("END OF"), 2 * place > blocks.count {
                for index in place..<blocks.count { blocks[index].matter = .license }
                break
            }
        }
        for index in blocks.indices.prefix(60) where blocks[index].matter == nil && isCredit(blocks[index].text) {
            blocks[index].matter = .license
        }
    }

    private static func isCredit(_ text: String) -> Bool {
        text.utf8.count < 500
            && (text.hasPrefix("Produced by ") || text.hasPrefix("E-text prepared by ")
                || text.hasPrefix("[Transcriber"))
            && (text.contains("roofread") || text.contains("gutenberg") || text.contains("Gutenberg")
                || text.contains("ranscriber"))
    }

    // MARK: - Other documents

    /// Marks the front matter of a document without pages: paragraphs before the first chapter, and tables of contents.
    static func mark(_ chapters: inout [Document.Chapter]) {
        var all = chapters.flatMap(\.blocks)
        markLicense(in: &all)
        var start = 0
        for index in chapters.indices {
            let count = chapters[index].blocks.count
            chapters[index].blocks = Array(all[start..<start + count])
            start += count
        }
        guard chapters.count > 1, let front = chapters.firstIndex(where: { $0.blocks.contains { $0.matter == nil } })
        else { return }
        if chapters[front].title == nil || chapters[front].words < 300 { markFront(&chapters[front].blocks) }
        // If a heading occurs again later and is followed by text the second time, the first occurrence is an entry in
        // the table of contents.
        var last: [String: Int] = [:]
        for (index, chapter) in chapters.enumerated() { if let title = chapter.title { last[key(title)] = index } }
        for index in chapters.indices {
            let blocks = chapters[index].blocks
            let isBare = blocks.allSatisfy { $0.isHeading || $0.words <= 3 } && blocks.count <= 2
            if isBare, let title = chapters[index].title, let again = last[key(title)], again > index {
                for place in blocks.indices { chapters[index].blocks[place].matter = .contents }
            }
        }
    }

    private static func markFront(_ blocks: inout [Document.Block]) {
        var isInContents = false
        for index in blocks.indices where blocks[index].matter == nil {
            let text = blocks[index].text
            if isContentsName(text) {
                isInContents = true
            } else if isInContents {
                let lines = text.split(separator: "\n").count
                isInContents = blocks[index].words <= 14 * lines || text.contains("....") || text.contains(". . . .")
            }
            if isInContents {
                blocks[index].matter = .contents
            } else if isCopyright(paragraph: text) {
                blocks[index].matter = .copyright
            } else if blocks[index].words <= 12,
                ["for ", "to ", "dedicated to", "für ", "pour "].contains(where: text.lowercased().hasPrefix),
                text.count > 4
            {
                blocks[index].matter = .dedication
            }
        }
    }

    private static func key(_ title: String) -> String { title.lowercased().filter { $0.isLetter || $0.isNumber } }
}
