extension Pattern {
    /// What the second token may be if the first one matches.
    func second(_ tables: TableBuilder, endsAnywhere: Bool) -> TokenMask {
        var mask = TokenMask()
        for step in openSteps(from: start, tables.program) {
            switch tables.program[step] {
            case .list(let list) where tables.lists.hasLongEntries[list]: return .all
            case .special(let shape): mask.formUnion(shape.second)
            case .optionalSpace, .end: return .all
            case .number:
                // The marks of groups and fractions are the language's.
                mask.formUnion(.space)
                for mark in tables.settings.numberMarks { mask.formUnion(.mark(mark)) }
                mask.formUnion(first(from: step + 1, tables, endsAnywhere))
            default: mask.formUnion(first(from: step + 1, tables, endsAnywhere))
            }
        }
        return mask
    }

    private func first(from step: Int, _ tables: TableBuilder, _ endsAnywhere: Bool) -> TokenMask {
        var mask = TokenMask()
        for step in openSteps(from: step, tables.program) {
            switch tables.program[step] {
            case .exact(let number), .folded(let number): mask.formUnion(.of(number: number))
            case .space: mask.formUnion(.space)
            case .optionalSpace:
                mask.formUnion(.space)
                mask.formUnion(first(from: step + 1, tables, endsAnywhere))
            case .digits, .number: mask.formUnion(.digits)
            case .word: mask.formUnion(.word)
            case .list(let list):
                for number in tables.lists.firstNumbers[list] { mask.formUnion(.of(number: number)) }
            case .special: return .all
            case .end:
                if endsAnywhere { return .all }
                // A border is everything but a word or digits.
                mask.formUnion(TokenMask(rawValue: ~(TokenMask.word.rawValue | TokenMask.digits.rawValue)))
            case .textEnd: mask.formUnion(.textEnd)
            case .textStart, .open, .close, .split, .jump: break
            }
        }
        return mask
    }

    /// The steps that may take the next token, from a step on.
    private func openSteps(from step: Int, _ program: [Step]) -> [Int] {
        var found: [Int] = []
        var open = [step]
        var seen: Set<Int> = []
        while let step = open.popLast() {
            guard seen.insert(step).inserted else { continue }
            switch program[step] {
            case .textStart, .open, .close: open.append(step + 1)
            case .split(let other): open += [other, step + 1]
            case .jump(let target): open.append(target)
            default: found.append(step)
            }
        }
        return found
    }
}
