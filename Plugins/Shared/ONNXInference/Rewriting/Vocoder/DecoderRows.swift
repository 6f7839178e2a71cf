/// How the time of a vocoder is cut into rows, so that each thread has one.
///
/// A row has a halo on both sides, as long as its samples reach: what the cut changes lies in the halo, which is thrown
/// away. So the samples are those without a cut.
struct DecoderRows {
    let count: Int
    /// The step, an upsampling, whose input is cut.
    let step: Int
    /// Samples of that input on either side.
    let halo: Int
    /// Samples of sound for each sample of that input.
    let rate: Int

    /// The cut before the second upsampling: before it there is too little work. `nil` if there is no second one, or if
    /// a later step reads what was computed before it.
    init?(_ decoder: DecoderSteps, count: Int) {
        let upsamplings = decoder.steps.indices.filter {
            if case .upsampling = decoder.steps[$0].operation { true } else { false }
        }
        guard count > 1, upsamplings.count > 1 else { return nil }
        let step = upsamplings[1]
        var rate = 1
        for index in upsamplings.dropFirst() {
            guard case .upsampling(let convolution) = decoder.steps[index].operation else { return nil }
            rate *= convolution.stride
            guard rate <= 1 << 16 else { return nil }
        }
        // Of each tensor: how far it reaches, in samples of sound, and how many samples of sound each of its own is.
        var reaches: [String: (reach: Int, length: Int)] = [decoder.steps[step].inputs[0]: (0, rate)]
        for step in decoder.steps[step...] {
            let inputs = step.inputs.compactMap { reaches[$0] }
            guard inputs.count == step.inputs.count, let first = inputs.first,
                inputs.allSatisfy({ $0.length == first.length })
            else { return nil }
            let reach = inputs.map(\.reach).max() ?? 0
            switch step.operation {
            case .convolution(let convolution):
                let padding = max(convolution.padding.before, convolution.padding.after)
                reaches[step.output] = (reach + padding * first.length, first.length)
            case .upsampling(let convolution):
                guard let phases = try? convolution.phaseReach() else { return nil }
                reaches[step.output] = (reach + phases * first.length, first.length / convolution.stride)
            case .activation, .sum, .scaling: reaches[step.output] = (reach, first.length)
            }
        }
        guard let end = reaches[decoder.last.input], end.length == 1 else { return nil }
        let padding = decoder.last.convolution.padding
        let reach = end.reach + max(padding.before, padding.after)
        self.count = count
        self.step = step
        self.halo = (reach + rate - 1) / rate
        self.rate = rate
    }
}
