/// The scan cache uses this format, too. Voices often share one list of speakers, so each list is written once.
extension EngineDescription: Frame {
    package func write(to frame: inout FrameWriter) {
        frame.write(id)
        frame.write(name)
        frame.write(version)
        frame.write(licence)
        frame.write(url)
        frame.write(capabilities.rawValue)
        frame.write(maxLanes)
        frame.write(rate)
        frame.write(pitch)
        frame.write(roles) { frame, role in
            frame.write(role.name)
            frame.write(role.isOfVoice)
            frame.write(role.isOptional)
            frame.write(role.isFolder)
        }
        frame.write(variables) { $0.write($1) }
        var lists: [[String]] = []
        var listOfVoice: [UInt32] = []
        for voice in voices {
            let known = lists.last == voice.speakers ? lists.count - 1 : lists.firstIndex(of: voice.speakers)
            if known == nil { lists.append(voice.speakers) }
            listOfVoice.append(UInt32(known ?? lists.count - 1))
        }
        frame.write(lists) { $0.write($1) { $0.write($1) } }
        frame.write(Array(zip(voices, listOfVoice))) { frame, entry in
            let (voice, list) = entry
            frame.write(voice.id)
            frame.write(voice.name)
            frame.write(voice.language)
            frame.write(voice.accent)
            frame.write(voice.gender.rawValue)
            frame.write(voice.licence)
            frame.write(voice.model)
            frame.write(list)
            frame.write(voice.sources) { frame, source in
                frame.write(source.role)
                frame.write(source.url)
                frame.write(source.sha256)
                frame.write(source.size)
            }
        }
    }

    package init(from frame: inout FrameReader) throws(MalformedFrame) {
        self.init(
            id: try frame.string(), name: try frame.string(), version: try frame.string(),
            licence: try frame.string(), url: try frame.optionalString(),
            capabilities: Capabilities(rawValue: try frame.number()), maxLanes: try frame.number(),
            rate: try frame.range(), pitch: try frame.range())
        // The host divides by the ranges, and makes a file name of the id.
        guard rate.lowerBound > 0, rate.contains(1), pitch.lowerBound > 0, pitch.contains(1), Self.isIdentifier(id)
        else { throw MalformedFrame() }
        roles = try frame.list { (frame) throws(MalformedFrame) in
            RoleDescription(
                name: try frame.string(), isOfVoice: try frame.flag(), isOptional: try frame.flag(),
                isFolder: try frame.flag())
        }
        variables = try frame.list { (frame) throws(MalformedFrame) in try frame.string() }
        guard variables.allSatisfy(Self.isVariable) else { throw MalformedFrame() }
        let lists = try frame.list { (frame) throws(MalformedFrame) in
            try frame.list { (frame) throws(MalformedFrame) in try frame.string() }
        }
        voices = try frame.list { (frame) throws(MalformedFrame) in
            var voice = VoiceDescription(
                id: try frame.string(), name: try frame.string(), language: try frame.string(),
                accent: try frame.optionalString(), gender: try frame.value(), licence: try frame.optionalString(),
                model: try frame.optionalString())
            let list = Int(try frame.number(UInt32.self))
            guard lists.indices.contains(list) else { throw MalformedFrame() }
            voice.speakers = lists[list]
            voice.sources = try frame.list { (frame) throws(MalformedFrame) in
                SourceDescription(
                    role: try frame.string(), url: try frame.string(), sha256: try frame.string(),
                    size: try frame.number())
            }
            return voice
        }
    }
}
