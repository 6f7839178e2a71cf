package enum Gender: String, Sendable, Codable {
    case female, male, neutral
}
