/**
 * When each place of a text sounds: exactly where its sentences were made, estimated by their letters elsewhere. Times are those of
 * the whole text at the tempo one.
 */
export class Timeline {
  /** @param perLetter seconds; as far as it is known of the voice */
  constructor(length, perLetter = 0) {
    this.length = length;
    this.perLetter = perLetter;
    /** In order, each with where it begins and ends, and how long it lasts. */
    this.known = [];
    this.letters = 0;
    this.seconds = 0;
  }

  add({ start, end, seconds }) {
    let index = this.known.length;
    while (index > 0 && this.known[index - 1].start >= start) index -= 1;
    // What is made again counts once.
    const next = this.known[index];
    if (next && next.start < end) return;
    this.known.splice(index, 0, { start, end, seconds });
    this.letters += end - start;
    this.seconds += seconds;
    if (this.letters > 60) this.perLetter = this.seconds / this.letters;
  }

  /** Whether nothing of it is estimated, but for what lies between sentences. */
  get isExact() {
    return this.known.length > 0 && this.length - this.letters < this.known.length * 3 + 3;
  }

  get total() {
    return this.timeAt(this.length);
  }

  /** @param within seconds since the beginning of the sentence that begins there */
  timeAt(place, within = 0) {
    let time = 0;
    let reached = 0;
    for (const { start, end, seconds } of this.known) {
      if (start >= place) break;
      time += this.estimate(reached, start);
      if (end > place) return time + (seconds * (place - start)) / (end - start) + within;
      time += seconds;
      reached = end;
    }
    return time + this.estimate(reached, place) + within;
  }

  placeAt(time) {
    let left = time;
    let reached = 0;
    for (const { start, end, seconds } of this.known) {
      const gap = this.estimate(reached, start);
      if (left < gap) break;
      left -= gap;
      if (left < seconds) return start;
      left -= seconds;
      reached = end;
    }
    return Math.min(this.length, Math.round(reached + left / this.perLetter));
  }

  estimate(from, to) {
    // Blank lines are no speech.
    const letters = to - from <= 3 ? 0 : to - from;
    return letters * this.perLetter;
  }
}
