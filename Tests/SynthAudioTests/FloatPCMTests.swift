import Testing
import TestNumbers

@testable import SynthAudio

@Suite("Converting float samples")
struct FloatPCMTests {
    @Test("Every 16-bit value survives conversion to float and back")
    func roundTrip() {
        for value in Int16.min...Int16.max {
            #expect(FloatPCM.int16(Float(value) / 32_768) == value)
        }
        let bytes = (0...UInt16.max).flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
        let samples = FloatPCM.samples(of: bytes + [1])
        #expect(samples.count == 65_536 && samples[0x8000] == -1 && samples[0x4000] == 0.5)
        #expect(FloatPCM.bytes16(of: samples[...]) == bytes)
    }

    @Test("Samples beyond full scale are clamped rather than causing a trap")
    func clamping() {
        #expect(FloatPCM.int16(1) == .max)
        #expect(FloatPCM.int16(1e30) == .max)
        #expect(FloatPCM.int16(.infinity) == .max)
        #expect(FloatPCM.int16(-1.5) == .min)
        #expect(FloatPCM.int16(-.infinity) == .min)
        _ = FloatPCM.int16(.nan)
    }

    @Test("Samples are rounded to the nearest value")
    func rounding() {
        #expect(FloatPCM.int16(100.4 / 32_768) == 100)
        #expect(FloatPCM.int16(100.6 / 32_768) == 101)
        #expect(FloatPCM.int16(-100.6 / 32_768) == -101)
        #expect(FloatPCM.int16(-0.4 / 32_768) == 0)
    }

    @Test(
        "The first NaN or infinite sample is found", arguments: [Float.nan, .signalingNaN, .infinity, -.infinity])
    func invalid(value: Float) {
        var samples = Signals.noise(1000, amplitude: 1, seed: 3)
        #expect(FloatPCM.firstInvalid(in: samples[...]) == nil)
        samples[700] = value
        samples[900] = value
        #expect(FloatPCM.firstInvalid(in: samples[...]) == 700)
        #expect(FloatPCM.firstInvalid(in: samples[701...]) == 900)
        #expect(FloatPCM.firstInvalid(in: samples[901...]) == nil)
        #expect(FloatPCM.firstInvalid(in: [.greatestFiniteMagnitude, .leastNonzeroMagnitude]) == nil)
        #expect(FloatPCM.firstInvalid(in: []) == nil)
    }

    @Test("Decibels and factors are converted consistently")
    func decibels() {
        #expect(Decibels(0).amplitude == 1)
        #expect(abs(Decibels(20).amplitude - 10) < 1e-9)
        #expect(abs(Decibels(amplitude: 0.5).value + 6.0206) < 1e-4)
        #expect(Decibels(amplitude: 0).amplitude == 0)
        var samples: [Float] = [0.25, -0.5]
        Gain(factor: 2).apply(to: &samples)
        #expect(samples == [0.5, -1])
        Gain(Decibels(-.infinity)).apply(to: &samples)
        #expect(samples == [0, 0])
    }
}
