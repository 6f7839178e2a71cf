/// A compiled pattern: where its steps begin in the program of the language.
struct Pattern: Sendable {
    let start: Int

    /// What a text that matches may begin with.
    struct First {
        var exact: Set<UInt32> = []
        var folded: Set<UInt32> = []
        var digits = false
        /// Words of these shapes.
        var shapes: Set<Token.Shape> = []
        /// Words of one letter of these shapes.
        var letters: Set<Token.Shape> = []
    }

    /// - Parameter decimalMark: what a fraction without a whole part begins with.
    func first(_ program: [Step], _ lists: ListBuilder, decimalMark: UInt32) -> First {
        var first = First()
        var open = [start]
        var seen: Set<Int> = []
        while let index = open.popLast() {
            guard index < program.count, seen.insert(index).inserted else { continue }
            switch program[index] {
            case .exact(let number): first.exact.insert(number)
            case .folded(let number): first.folded.insert(number)
            case .digits: first.digits = true
            case .number(let shape):
                first.digits = true
                if shape != .integer { first.exact.insert(decimalMark) }
            case .list(let list):
                if lists.anyCase[list] {
                    first.folded.formUnion(lists.firstNumbers[list])
                } else {
                    first.exact.formUnion(lists.firstNumbers[list])
                }
            case .word(let shape):
                if shape.isLetter {
                    first.letters.formUnion(shape.shapes)
                } else {
                    first.shapes.formUnion(shape.shapes)
                }
            case .ending: first.shapes.formUnion([.lower, .capital, .upper, .mixed])
            case .special(let shape):
                switch shape {
                case .address, .mail, .code, .file, .identifier:
                    first.shapes.formUnion([.lower, .capital, .upper, .mixed])
                case .formula, .model: first.shapes.formUnion([.capital, .upper, .mixed])
                case .camel: first.shapes.insert(.mixed)
                case .path:
                    first.exact.formUnion([0x2F, 0x7E, 0x2E])
                    first.shapes.formUnion([.lower, .capital, .upper, .mixed])
                case .flag: first.exact.insert(0x2D)
                case .tag: first.exact.insert(0x23)
                case .handle: first.exact.insert(0x40)
                case .raised: first.exact.formUnion(RaisedDigits.scalars)
                }
                if shape == .mail || shape == .code || shape == .file { first.digits = true }
                if shape == .identifier { first.exact.insert(0x5F) }
            case .optionalSpace:
                first.exact.insert(Token.space)
                open.append(index + 1)
            case .space: first.exact.insert(Token.space)
            case .textStart, .textEnd, .open, .close: open.append(index + 1)
            case .split(let other): open += [other, index + 1]
            case .jump(let target): open.append(target)
            case .end: break
            }
        }
        return first
    }
}
