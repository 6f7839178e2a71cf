import Foundation
import Testing

/// A document and its expected utterances. "|" marks the utterance boundaries in the document. White space next to a boundary is
/// not part of an utterance.
struct CorpusCase: Sendable, CustomTestStringConvertible {
    let marked: String

    var document: String { marked.split(separator: "|", omittingEmptySubsequences: false).joined() }

    var expected: [String] {
        marked.split(separator: "|").map { part in
            let breaks: Set<UInt32> = [0x85, 0x2028, 0x2029]
            let spaced = part.unicodeScalars.map { scalar in
                scalar.value < 0x20 || breaks.contains(scalar.value)
                    ? String(repeating: " ", count: UTF8.width(scalar)) : String(scalar)
            }.joined()
            let blanks: Set<Character> = [" ", "\u{A0}", "\u{202F}", "\u{3000}"]
            let head = spaced.drop { blanks.contains($0) }
            return String(head.reversed().drop { blanks.contains($0) }.reversed())
        }
    }

    var testDescription: String { marked.debugDescription }
}

enum Corpus {
    static let english = [
        "Hello.", "Hello. |How are you?", "Hello world", "Wait! |What? |Yes.", "What?! |No way!! |Fine.",
        "Dr. Smith met Mr. Jones. |They talked.", "He lives on St. Mark's Square. |It is old.",
        "Use tools, e.g. Hammers, and so on. |Then stop.", "That is, i.e. Monday, too late. |Go.",
        "Apples, pears, etc. are fruit. |They grow.", "Apples, pears, etc. |We like them.",
        "See No. 5 on the list. |It is good.", "No. |I will not.", "J. R. R. Tolkien wrote it. |Read it.",
        "Pi is 3.14 or so. |Version v1.2.3 came out. |Good.", "It costs $5. |That is cheap.", "It cost $3.50. |Fine.",
        "Go to example.com. |Then write to a.b@c.d. |Done.", "Open file.txt or /etc/hosts.conf now. |Go.",
        "See https://example.com/a.b?c=d&e=f! |It works.", "Well... maybe not. |Or so.", "Well... |Maybe.",
        "Well… maybe. |Wait… |What?", "And . . . so on.", "He lives in the U.S. |He likes it.",
        "The U.S. Congress met. |It voted.", "At 5 p.m. we left. |At 6 p.m. |The train came.", "It is 10:30. |Go.",
        "“Stop!” he said. |“Why?” |She left.", "\"Stop!\" |He ran.", "\"Stop.\" |\"No.\"",
        "(It was late.) |Then he left.",
        "He (Dr. No) left. |(See p. 5.) |End.", "He was born in 1990. |She was not.", "I am 42. |You are not.",
        "Plan B. |The next one.", "Apple Inc. CEO Tim spoke. |He left.", "He works at Apple Inc. |He is fine.",
        "On Jan. 5 we met. |In Dec. |It snowed.", "Yahoo! |It works.", "**Bold.** |Next.",
        "Is it? yes it is.".asTwo(after: "?"),
        "end. start", "Fig. 3 shows it. |Fig. |Date.", "Vitamin C. |It helps.", "Ph.D. students read. |They write.",
        "He came at last.[1] |He left.[12][3] |So.", "It was cold. [3] |Then it rained. [4]",
        "[1] A note. |[2] Another one.", "Oh.[x] No", "See Vol. II of it. |Good.", "No. |I stay.",
        "Hi! |:) How are you?", "Prof. Dr. Dr. h.c. Müller spoke. |We slept.",
    ].map(CorpusCase.init)

    static let languages = [
        "Das ist z.B. Obst. |Das ist gut.", "Das ist z. B. Obst. |Das ist gut.", "Wir treffen uns am 3. Mai. |Komm!",
        "Im 19. Jahrhundert war das so. |Heute nicht.", "Am 3. 5. 2024 war es kalt. |Ja.",
        "Er wurde 42. |Sie wurde 50.", "Er lebte bis 1990. |Hunde bellen.", "« Oh.\n\n|Ja. |» Er » kam.",
        "Das war der 2. Versuch. |Er gelang.", "„Halt!“ |Er lief.", "„Halt!“, rief er. |Sie blieb.",
        "»Halt!« |Er lief. |»Was?«", "Kaiser Wilhelm II. war da. |Gut.", "Das kostet ca. Hundert Euro. |Viel!",
        "« Bonjour. » |Il part.", "«\u{A0}Ça va ?\u{A0}» |Oui\u{202F}! |Non.", "M. Dupont est là. |Il parle.",
        "¿Qué tal? |¡Muy bien! |Adiós.", "El Sr. García vino. |Se fue.", "Привет! |Как дела? |Хорошо.",
        "А. С. Пушкин родился в 1799 г. |Он писал.", "— Привет! — сказал он. |— Да.", "Это т.е. Москва. |Да.",
        "你好。|今天天气很好！|你呢？", "他说：“你好。”|然后走了。", "「你好。」|他走了。", "「行く？」と聞いた。|はい！！！|そう。", "¿Qué?|¡Bien!", "你好吗?|我很好。",
        "……我不知道。|走吧。",
        "これはペンです。|「はい。」|そうですか？", "مرحبا. |كيف حالك؟ |أنا بخير.", "नमस्ते। |आप कैसे हैं? |ठीक।", "नमस्ते।|ठीक।",
        "یہ ہے۔ |وہ ہے۔", "ሰላም። |ደህና፧ |አዎ።", "안녕하세요. |잘 지내요?", "Τι κάνεις; |Καλά. |Ναι.", "שלום. |מה שלומך?",
        "Ça va ! |Et toi ?",
    ].map(CorpusCase.init)

    static let lines = [
        "This is\nwrapped text. |It goes\non.", "A heading\n\n|A paragraph.", "One\r\n\r\n|Two",
        "One\r\rTwo".asTwo(after: "\r\r"),
        "One\rTwo", "List:\n|- one\n|- two\n|After.", "- one\n  goes on\n|- two", "1. Apples\n|2. Pears\n|3. Plums",
        "a) first\n|b) second", "(1) first\n|(2) second", "• one\n|• two", "* one\n|* two\n\n|End.",
        "As follows:\n|this line",
        "10) ten\n|11) eleven", "One\u{2028}Two", "One\u{2029}|Two", "One\u{0C}|Two", "One\u{85}\u{85}|Two",
        "Is it?\n|Yes.", "A hy-\nphen here.", "— Да\n|— Нет", "the war\n– long ago –\nended. |Now.",
        "# Title\n|Text goes\non.",
        "One.\n  \t\n|Two.", "Hello.\n\n\n\n|World.", "J.\nSmith came.", "\n\n  Hello  \n\n", "iv) four\n|v) five",
        "Wait...\nno.",
        "- one. |Two.\n|next", "😀\n\n|!!!\n\n|Text", "Text (one.\n\n|Two)",
    ].map(CorpusCase.init)
}

extension String {
    /// Adds a boundary mark after `border`, for a text in which the mark itself would be hard to see.
    func asTwo(after border: String) -> String {
        guard let range = range(of: border) else { return self }
        return self[..<range.upperBound] + "|" + self[range.upperBound...]
    }
}
