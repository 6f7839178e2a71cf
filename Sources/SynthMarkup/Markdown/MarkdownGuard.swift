import SynthScript

/// Refuses what the library takes more than linear time or memory for, before it sees it.
///
/// libcmark-gfm 0.29.0.gfm.6 does so for nested quotations and lists, for links after many signs of emphasis or inside many
/// images, for tables of many columns, and for lines that may end the head of a table and follow a long paragraph.
struct MarkdownGuard {
    static let deepest = 100
    /// Of what the library goes through again at each closing bracket: two seconds.
    private static let mostLinkWork = 800_000_000
    private static let columns = 500
    /// Lines and signs of markup, each of which may need some 300 bytes in the tree.
    private static let mostMarks = 4_000_000
    /// Of squares of lines: half a second.
    private static let mostWork = 1_000_000_000

    private let lines: MarkdownLines
    private var openBrackets = 0
    private var images = 0
    private var signs = 0
    private var hidesBrackets = false
    /// Since the last empty line.
    private var lineCount = 0
    private var mostPipes = 0
    private var tableColumns = 0
    /// Of the whole document.
    private var work = 0
    private var linkWork = 0
    private var cells = 0
    private var marks = 0

    static func check(_ lines: MarkdownLines, of document: Span<UInt8>) throws(ScriptError) {
        var guarding = MarkdownGuard(lines: lines)
        for line in 0..<lines.count { try guarding.check(lines[line], of: document) }
    }

    private init(lines: MarkdownLines) { self.lines = lines }

    private mutating func check(_ line: Range<Int>, of document: Span<UInt8>) throws(ScriptError) {
        let depth = Self.depth(of: line, in: document)
        guard depth <= Self.deepest else { throw refusal(.tooDeep(limit: Self.deepest), line, document) }
        var isBlank = true
        var isDelimiter = true
        var hasDash = false
        var pipes = 0
        var previous: UInt8 = 0
        for index in line {
            let byte = document[index]
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: ">"): break
            case UInt8(ascii: "|"), UInt8(ascii: ":"), UInt8(ascii: "-"):
                isBlank = false
                if byte == UInt8(ascii: "|") {
                    pipes += 1
                    marks += 1
                }
                if byte == UInt8(ascii: "-") { hasDash = true }
            default:
                isBlank = false
                isDelimiter = false
                note(byte, after: previous)
            }
            previous = byte
        }
        guard !isBlank else {
            (openBrackets, images, signs, hidesBrackets) = (0, 0, 0, false)
            (lineCount, mostPipes, tableColumns) = (0, 0, 0)
            return
        }
        marks += 1
        guard marks <= Self.mostMarks else { throw refusal(.tooLong(limit: line.lowerBound), line, document) }
        guard linkWork <= Self.mostLinkWork else { throw refusal(.unexpected("]"), line, document) }
        mostPipes = max(mostPipes, pipes)
        if isDelimiter, hasDash {
            work += lineCount * lineCount
            tableColumns = max(tableColumns, pipes + 1)
        }
        cells += tableColumns
        lineCount += 1
        let isFair = tableColumns == 0 || mostPipes <= Self.columns && cells <= document.count + 100_000
        guard isFair, work <= Self.mostWork else {
            throw refusal(.unexpected(pipes > 0 ? "|" : "-"), line, document)
        }
    }

    /// A bracket that closes another one is counted as such only if it surely does.
    private mutating func note(_ byte: UInt8, after previous: UInt8) {
        if LinkGrammar.isPunctuation(byte), byte != UInt8(ascii: ","), byte != UInt8(ascii: ".") { marks += 1 }
        switch byte {
        case UInt8(ascii: "["):
            openBrackets += 1
            if previous == UInt8(ascii: "!") { images += 1 }
        case UInt8(ascii: "]"):
            linkWork += 2 * min(images, openBrackets) + signs
            if previous != UInt8(ascii: "\\") && !hidesBrackets { openBrackets = max(0, openBrackets - 1) }
        case UInt8(ascii: "*"), UInt8(ascii: "_"), UInt8(ascii: "~"): signs += byte == previous ? 0 : 1
        case UInt8(ascii: "`"), UInt8(ascii: "<"): hidesBrackets = true
        default: break
        }
    }

    private func refusal(_ reason: ScriptError.Reason, _ line: Range<Int>, _ document: Span<UInt8>) -> ScriptError {
        ScriptError(reason, at: ScriptPlace(of: line.lowerBound, in: document))
    }

    /// How many quotations and items may begin or go on in a line.
    private static func depth(of line: Range<Int>, in document: Span<UInt8>) -> Int {
        var depth = 0
        var index = line.lowerBound
        func isBlank(_ index: Int) -> Bool {
            index >= line.upperBound || document[index] == 0x20 || document[index] == 0x09
        }
        var dashes: Int?
        while index < line.upperBound {
            let byte = document[index]
            switch byte {
            case 0x20, 0x09: index += 1
            case UInt8(ascii: ">"):
                depth += 1
                index += 1
            case UInt8(ascii: "-"), UInt8(ascii: "*"), UInt8(ascii: "+"):
                guard isBlank(index + 1) else { return depth }
                // A line of nothing else is a thematic break and no list.
                let start = dashes ?? startOfBreak(byte, in: line, document)
                dashes = start
                guard index < start else { return depth }
                depth += 1
                index += 1
            case 0x30...0x39:
                var end = index
                while end < line.upperBound, (0x30...0x39).contains(document[end]) { end += 1 }
                let isMarker =
                    end < line.upperBound && (document[end] == UInt8(ascii: ".") || document[end] == UInt8(ascii: ")"))
                guard isMarker, isBlank(end + 1) else { return depth }
                depth += 1
                index = end + 1
            default: return depth
            }
        }
        return depth
    }

    /// Where the last part of the line begins that is of one sign and white space; the end if it is not long enough.
    private static func startOfBreak(_ sign: UInt8, in line: Range<Int>, _ document: Span<UInt8>) -> Int {
        var start = line.upperBound
        var signs = 0
        guard sign != UInt8(ascii: "+") else { return start }
        while start > line.lowerBound {
            let byte = document[start - 1]
            guard byte == sign || byte == 0x20 || byte == 0x09 else { break }
            if byte == sign { signs += 1 }
            start -= 1
        }
        return signs >= 3 ? start : line.upperBound
    }
}
