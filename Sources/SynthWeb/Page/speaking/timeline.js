/**
 * The times of text positions: exact for sentences that have been generated, and estimated from the length for other text. All times are
 * relative to the beginning of the text, at tempo 1.
 */
export class Timeline {
  /**
   * @param perLetter the number of seconds per letter, if it is known for the voice
   */
  constructor(length, perLetter = 0) {
    this.length = length;
    this.perLetter = perLetter;
    /** The generated sentences in text order, each with its start, end and duration. */
    this.known = [];
    this.letters = 0;
    this.seconds = 0;
  }

  add({ start, end, seconds }) {
    let index = this.known.length;
    while (index > 0 && this.known[index - 1].start >= start) index -= 1;
    // If a sentence is generated again, keep the existing entry.
    const next = this.known[index];
    if (next && next.start < end) return;
    this.known.splice(index, 0, { start, end, seconds });
    this.letters += end - start;
    this.seconds += seconds;
    if (this.letters > 60) this.perLetter = this.seconds / this.letters;
  }

  /** Whether all sentences have been generated, so that only the text between them is estimated. */
  get isExact() {
    return this.known.length > 0 && this.length - this.letters < this.known.length * 3 + 3;
  }

  get total() {
    return this.timeAt(this.length);
  }

  /**
   * @param within the number of seconds since the start of the sentence at this position
   */
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
    // Blank lines take no time.
    const letters = to - from <= 3 ? 0 : to - from;
    return letters * this.perLetter;
  }
}
