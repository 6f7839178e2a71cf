/// Computes the possible second and third tokens of a match. Checking these first rules out most patterns without
/// running them.
struct PatternLookahead {
    private let program: [Step]
    private let lists: ListBuilder
    private let numberMarks: TokenMask

    /// A position in a match: before a step, or within the tokens that the step consumes.
    private struct State: Hashable {
        enum Phase { case before, afterDigits, afterMark, inPiece, afterAll }

        let step: Int
        var phase = Phase.before
        /// Whether a word may directly follow the last token of the match.
        var isLoose = false
    }

    init(_ tables: TableBuilder) {
        program = tables.program
        lists = tables.lists
        // Numbers may contain narrow and non-breaking spaces in all languages.
        numberMarks = tables.settings.numberMarks.reduce(.space) { $0.union(.mark($1)) }
    }

    /// Returns the possible second and third tokens.
    ///
    /// - Parameter endsAnywhere: whether a match may end within a longer word or number.
    func masks(of pattern: Pattern, endsAnywhere: Bool) -> (second: TokenMask, third: TokenMask) {
        let first = after([State(step: pattern.start)])
        let second = after(first)
        return (mask(of: first, endsAnywhere), mask(of: second, endsAnywhere))
    }

    /// Returns the possible next tokens.
    private func mask(of states: [State], _ endsAnywhere: Bool) -> TokenMask {
        var mask = TokenMask()
        for state in open(states) { mask.formUnion(self.mask(of: state, endsAnywhere)) }
        return mask
    }

    private func mask(of state: State, _ endsAnywhere: Bool) -> TokenMask {
        switch state.phase {
        case .afterAll: return .all
        case .afterDigits: return numberMarks
        case .afterMark: return .digits
        case .inPiece: if case .special(let shape) = program[state.step] { return shape.second } else { return .all }
        case .before: break
        }
        switch program[state.step] {
        case .exact(let number), .folded(let number): return .of(number: number)
        case .space, .optionalSpace: return .space
        case .digits, .number(.integer): return .digits
        // A decimal number may have no integer part: ".5".
        case .number: return numberMarks.union(.digits)
        case .word, .ending: return .word
        case .list(let list): return lists.firstMasks[list]
        case .special: return .all
        case .textEnd: return .textEnd
        // A match can end before any token except a word or digits.
        case .end:
            return endsAnywhere || state.isLoose ? .all : TokenMask(rawValue: ~TokenMask.word.union(.digits).rawValue)
        case .textStart, .open, .close, .split, .jump: return TokenMask()
        }
    }

    /// Returns the states after one more token.
    private func after(_ states: [State]) -> [State] {
        var found: [State] = []
        for state in open(states) {
            let next = State(step: state.step + 1, isLoose: state.phase == .before && isLoose(state.step))
            switch (state.phase, program[state.step]) {
            case (.afterAll, _), (.inPiece, _), (.before, .end), (.before, .textEnd):
                add(State(step: state.step, phase: .afterAll), to: &found)
            case (.before, .special): add(State(step: state.step, phase: .inPiece), to: &found)
            case (.before, .list(let list)) where lists.hasLongEntries[list]:
                add(State(step: state.step, phase: .afterAll), to: &found)
            case (.before, .number), (.afterMark, _):
                add(next, to: &found)
                add(State(step: state.step, phase: .afterDigits), to: &found)
                if state.phase == .before { add(State(step: state.step, phase: .afterMark), to: &found) }
            case (.afterDigits, _): add(State(step: state.step, phase: .afterMark), to: &found)
            default: add(next, to: &found)
            }
        }
        return found
    }

    private func add(_ state: State, to states: inout [State]) {
        if !states.contains(state) { states.append(state) }
    }

    private func isLoose(_ step: Int) -> Bool {
        switch program[step] {
        case .space, .optionalSpace: return true
        case .exact(let number): return Token.isIdeograph(number)
        case .list(let list): return lists.beginWithIdeographs[list]
        default: return false
        }
    }

    /// Returns the states that consume a token or end the pattern.
    private func open(_ states: [State]) -> [State] {
        var found: [State] = []
        var open = states
        while let state = open.popLast() {
            guard state.phase == .before else {
                found.append(state)
                continue
            }
            switch program[state.step] {
            case .textStart, .open, .close: open.append(State(step: state.step + 1, isLoose: state.isLoose))
            case .split(let other):
                open.append(State(step: other, isLoose: state.isLoose))
                open.append(State(step: state.step + 1, isLoose: state.isLoose))
            case .jump(let target): open.append(State(step: target, isLoose: state.isLoose))
            case .optionalSpace:
                found.append(state)
                open.append(State(step: state.step + 1, isLoose: state.isLoose))
            default: found.append(state)
            }
        }
        return found
    }
}
