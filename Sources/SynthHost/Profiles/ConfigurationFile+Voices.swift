package import VoiceCatalogue

// Each method reads, changes and saves the file while it holds its lock, so that two programs at once lose nothing.
extension ConfigurationFile {
    /// Replaces the profile of a voice.
    ///
    /// - Throws: `notSettable` for a factor out of its range.
    package func setProfile(_ profile: VoiceProfile, of voice: Voice) throws(ConfigurationError) {
        try change { document throws(ConfigurationError) in
            let before = document
            document.unset(.init(voice: voice.key, factor: nil), of: voice)
            for factor in ProfileFactor.allCases {
                guard let value = profile[keyPath: factor.place] else { continue }
                try document.set(factor, of: voice, to: value)
            }
            return document != before
        }
    }

    /// Removes a key of a profile, or a whole profile, under each name that means the voice.
    ///
    /// - Returns: whether the file had it.
    package func unset(_ path: ProfilePath, of voice: Voice) throws(ConfigurationError) -> Bool {
        try change { document throws(ConfigurationError) in document.unset(path, of: voice) }
    }

    /// Puts a voice on a list, and takes it off the other one.
    ///
    /// - Returns: whether it was not there already.
    @discardableResult
    package func add(_ voice: Voice, to list: VoiceList) throws(ConfigurationError) -> Bool {
        try change { document throws(ConfigurationError) in
            let wasOnOther = document.remove(from: list.other) { voice.isCalled($0) }
            let isNew = document.add(voice, to: list)
            return wasOnOther || isNew
        }
    }

    /// Takes a voice off a list, under each name that means it.
    ///
    /// - Returns: whether it was there.
    @discardableResult
    package func remove(_ voice: Voice, from list: VoiceList) throws(ConfigurationError) -> Bool {
        try change { document throws(ConfigurationError) in document.remove(from: list) { voice.isCalled($0) } }
    }

    /// Takes a name off a list that may mean no voice.
    ///
    /// - Returns: whether it was there.
    package func remove(_ name: String, from list: VoiceList) throws(ConfigurationError) -> Bool {
        try change { document throws(ConfigurationError) in document.remove(from: list) { $0 == name } }
    }
}
