/* An audio worklet that converts the microphone's audio from any sample rate to 16-bit samples at 16 kHz. */

const rate = 16000;
/** The number of samples per message, which contains a tenth of a second of audio. */
const together = rate / 10;
/** The number of fractional sample positions with precomputed filters. */
const phases = 64;

/** Creates the low-pass filters, one per phase. `cut` is the cutoff frequency relative to half the microphone's sample rate. */
function makeFilter(half, cut) {
  return Array.from({ length: phases + 1 }, (_, phase) =>
    Float32Array.from({ length: 2 * half }, (_, tap) => {
      const at = tap - half + 1 - phase / phases;
      const wave = at === 0 ? cut : Math.sin(Math.PI * at * cut) / (Math.PI * at);
      return Math.abs(at) >= half ? 0 : wave * (0.5 + 0.5 * Math.cos((Math.PI * at) / half));
    }),
  );
}

class Capture extends AudioWorkletProcessor {
  constructor() {
    super();
    this.step = sampleRate / rate;
    this.half = Math.ceil(16 * Math.max(1, this.step));
    this.filter = makeFilter(this.half, 0.95 * Math.min(1, 1 / this.step));
    /** The samples that are still needed. The next output sample is computed from the samples around `at`. */
    this.held = new Float32Array(2 * this.half + 4096);
    this.count = this.half;
    this.at = this.half;
    this.made = new Int16Array(together);
    this.length = 0;
    this.power = 0;
    this.isOn = true;
    this.port.onmessage = () => {
      this.hand();
      this.port.postMessage(null);
      this.isOn = false;
    };
  }

  process([[channel]]) {
    if (!channel || !this.isOn) return this.isOn;
    this.held.set(channel, this.count);
    this.count += channel.length;
    while (this.at + this.half < this.count) {
      const whole = Math.floor(this.at);
      const taps = this.filter[Math.round((this.at - whole) * phases)];
      let sum = 0;
      for (let tap = 0; tap < taps.length; tap += 1) sum += taps[tap] * this.held[whole - this.half + 1 + tap];
      this.add(Math.max(-1, Math.min(1, sum)));
      this.at += this.step;
    }
    const gone = Math.max(0, Math.floor(this.at) - this.half);
    this.held.copyWithin(0, gone, this.count);
    this.count -= gone;
    this.at -= gone;
    return true;
  }

  add(sample) {
    this.made[this.length++] = Math.round(sample * 32767);
    this.power += sample * sample;
    if (this.length === together) this.hand();
  }

  hand() {
    if (this.length === 0) return;
    const sound = this.made.slice(0, this.length).buffer;
    this.port.postMessage({ sound, level: Math.sqrt(this.power / this.length) }, [sound]);
    this.length = 0;
    this.power = 0;
  }
}

registerProcessor("capture", Capture);
