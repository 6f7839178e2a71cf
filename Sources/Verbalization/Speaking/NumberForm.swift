/// The form of a number: ICU's rule sets by number, for each gender.
struct NumberForm: Sendable {
    let plain: Int
    let masculine: Int
    let feminine: Int
    let neuter: Int

    func number(for gender: Gender?) -> Int {
        switch gender {
        case .masculine: masculine
        case .feminine: feminine
        case .neuter: neuter
        case nil: plain
        }
    }
}
