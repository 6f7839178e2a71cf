/// One rule of a table: what a piece looks like, where it may stand, and what is said.
final class Rule: Sendable {
    /// Condition on what is around a piece.
    struct Neighbour: Sendable {
        let pattern: Pattern
        let isWanted: Bool
    }

    /// The value of one capture is below that of another.
    struct Order: Sendable {
        let lower: Int
        let upper: Int
    }

    let kind: String
    /// Whether the rule counts only if somebody says that the text is of its kind.
    let onlyIfAsked: Bool
    /// Whether a piece may begin or end inside of a longer one.
    let beginsAnywhere: Bool
    let endsAnywhere: Bool
    let pattern: Pattern
    let before: [Neighbour]
    let after: [Neighbour]
    let orders: [Order]
    let template: Template

    init(
        kind: String, onlyIfAsked: Bool, beginsAnywhere: Bool, endsAnywhere: Bool, pattern: Pattern,
        before: [Neighbour], after: [Neighbour], orders: [Order], template: Template
    ) {
        self.kind = kind
        self.onlyIfAsked = onlyIfAsked
        self.beginsAnywhere = beginsAnywhere
        self.endsAnywhere = endsAnywhere
        self.pattern = pattern
        self.before = before
        self.after = after
        self.orders = orders
        self.template = template
    }
}
