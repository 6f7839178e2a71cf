/// The voices that the server knows by what they are like.
enum ModuleVoiceType: String, CaseIterable, Sendable {
    /// Also what the server sends if nobody has chosen.
    case male1
    case male2, male3, female1, female2, female3
    case childMale = "child_male"
    case childFemale = "child_female"

    /// As voices tell it.
    var gender: String {
        switch self {
        case .male1, .male2, .male3, .childMale: "male"
        case .female1, .female2, .female3, .childFemale: "female"
        }
    }

    /// Which of the voices of the gender it is, from 0.
    var place: Int {
        switch self {
        case .male1, .female1, .childMale, .childFemale: 0
        case .male2, .female2: 1
        case .male3, .female3: 2
        }
    }

    /// What a voice of the gender is called; nil = it has no such place.
    init?(gender: String?, place: Int) {
        guard let type = Self.allCases.first(where: { $0.gender == gender && $0.place == place }) else { return nil }
        self = type
    }
}
