import System

/// The ids of registries, of which no two may differ by case only.
struct RegistryIDs {
    private var places: [String: (id: String, file: String, line: Int?)] = [:]

    /// Returns an earlier id that differs by case only, and where it is; nil if there is none.
    mutating func add(_ id: String, file: String, line: Int?) -> (id: String, file: String, line: Int?)? {
        guard let known = places.updateValue((id, file, line), forKey: PlainID.folded(id)), known.id != id else {
            return nil
        }
        return known
    }
}
