/// The gender of a noun, on which the form of its number depends.
enum Gender: Character, Sendable {
    case masculine = "m"
    case feminine = "f"
    case neuter = "n"
}
