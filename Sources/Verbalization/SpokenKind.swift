/// What somebody says that a text is, as `say-as` of SSML does.
package enum SpokenKind: String, Hashable, Sendable, CaseIterable {
    case cardinal
    case ordinal
    case digits
    case characters
    case date
    case time
    case telephone
    case currency
    case fraction
    case unit
    case address

    /// By the names that SSML's documents use, in whatever letters.
    package init?(interpretAs name: String) {
        switch name.lowercased() {
        case "cardinal", "number": self = .cardinal
        case "ordinal": self = .ordinal
        case "digits": self = .digits
        case "characters", "spell-out", "verbatim", "letters": self = .characters
        case "date": self = .date
        case "time": self = .time
        case "telephone", "tel": self = .telephone
        case "currency", "money": self = .currency
        case "fraction": self = .fraction
        case "unit", "measure": self = .unit
        case "address", "url", "net", "email": self = .address
        default: return nil
        }
    }

    /// The name in the tables' rules.
    var ruleKind: String {
        switch self {
        case .currency: "money"
        default: rawValue
        }
    }
}
