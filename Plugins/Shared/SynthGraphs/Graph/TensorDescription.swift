/// What a model declares about one of its inputs or outputs.
public struct TensorDescription: Sendable, Equatable {
    public enum Element: Sendable {
        case float32, float16, float64, int32, int64, bool
        /// Strings, maps and number formats that no speech model uses.
        case other

        /// By the number that a model's file has, which is also the library's.
        package init(number: UInt64) {
            switch number {
            case 1: self = .float32
            case 6: self = .int32
            case 7: self = .int64
            case 9: self = .bool
            case 10: self = .float16
            case 11: self = .float64
            default: self = .other
            }
        }
    }

    public var name: String
    public var element: Element

    package init(name: String, element: Element) {
        self.name = name
        self.element = element
    }
}
