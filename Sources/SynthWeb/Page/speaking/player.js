/**
 * Plays audio segments in sequence. Two audio elements alternate, so that the next segment is loaded in advance. Changing the tempo
 * preserves the pitch and requires no new audio.
 */
export class Player {
  constructor() {
    this.elements = [new Audio(), new Audio()];
    this.pieces = [];
    this.index = 0;
    this.isPlaying = false;
    this.isComplete = false;
    this.speed = 1;
    /** Called when another segment plays, or when playback starts or stops. */
    this.onChange = () => {};
    this.onEnd = () => {};
    for (const element of this.elements) {
      element.preservesPitch = true;
      // Detect when the system has paused playback, for example for a phone call.
      element.addEventListener("pause", () => {
        const isSilenced = element.paused && !element.ended && this.isPlaying;
        if (isSilenced && element === this.current && element.piece && element.piece === this.piece) this.pause();
      });
      // Continue with the next segment when a segment has ended or cannot be played.
      for (const event of ["ended", "error"]) {
        element.addEventListener(event, () => {
          if (element === this.current && element.piece === this.piece && this.piece && this.isPlaying) this.advance();
        });
      }
    }
  }

  get current() {
    return this.elements[this.index % 2];
  }

  get piece() {
    return this.pieces[this.index];
  }

  get time() {
    return this.piece && this.current.piece === this.piece ? this.current.currentTime : 0;
  }

  get isWaiting() {
    return this.isPlaying && !this.piece && !this.isComplete;
  }

  add(piece) {
    this.pieces.push({ ...piece, url: URL.createObjectURL(piece.blob) });
    this.forget();
    if (this.isPlaying && this.index === this.pieces.length - 1) this.start(0);
    else this.load(this.index + 1);
  }

  /** Call this after the last segment has been added. */
  complete() {
    this.isComplete = true;
    if (this.isPlaying && !this.piece) this.end();
  }

  play() {
    this.isPlaying = true;
    if (!this.piece) return this.isComplete ? this.end() : this.onChange();
    if (this.current.piece === this.piece) this.sound();
    else this.start(0);
  }

  pause() {
    this.isPlaying = false;
    this.current.pause();
    this.onChange();
  }

  stop() {
    this.isPlaying = false;
    for (const element of this.elements) {
      element.pause();
      element.removeAttribute("src");
      element.piece = null;
    }
    for (const piece of this.pieces) URL.revokeObjectURL(piece.url);
    this.pieces = [];
    this.index = 0;
    this.isComplete = false;
    this.onChange();
  }

  setSpeed(speed) {
    this.speed = speed;
    for (const element of this.elements) element.playbackRate = speed;
  }

  /** Goes to another segment. After the last segment, playback ends. */
  go(index, seconds = 0) {
    this.current.pause();
    if (this.isComplete && index >= this.pieces.length) {
      this.index = this.pieces.length;
      return this.end();
    }
    this.index = Math.max(this.oldest, Math.min(index, this.pieces.length));
    if (this.piece) this.start(Math.min(seconds, Math.max(0, this.piece.seconds - 0.01)));
    else this.onChange();
  }

  /** Seeks by a number of seconds, across segments if necessary. */
  skip(seconds) {
    let index = this.index;
    let time = this.time + seconds;
    while (time < 0 && index > this.oldest) {
      index -= 1;
      time += this.pieces[index].seconds;
    }
    while (this.pieces[index] && time >= this.pieces[index].seconds && index < this.pieces.length) {
      time -= this.pieces[index].seconds;
      index += 1;
    }
    this.go(index, Math.max(0, time));
  }

  /** The index of the first segment whose audio is still available. */
  get oldest() {
    return Math.max(0, this.pieces.findIndex((piece) => piece.url !== null));
  }

  start(seconds) {
    this.load(this.index);
    this.current.currentTime = seconds;
    if (this.isPlaying) this.sound();
    this.load(this.index + 1);
    this.onChange();
  }

  sound() {
    this.current.playbackRate = this.speed;
    // If the browser blocks playback, pause. An interruption is not an error.
    this.current.play().catch((error) => error.name === "NotAllowedError" && this.pause());
    this.onChange();
  }

  load(index) {
    const piece = this.pieces[index];
    const element = this.elements[index % 2];
    // If preloading failed, load the segment again.
    const isLoaded = element.piece === piece && !element.error;
    if (!piece?.url || isLoaded || (index !== this.index && element === this.current)) return;
    element.piece = piece;
    element.src = piece.url;
    element.playbackRate = this.speed;
    element.load();
  }

  advance() {
    this.index += 1;
    if (this.piece) return this.start(0);
    if (this.isComplete) return this.end();
    this.onChange();
  }

  end() {
    this.isPlaying = false;
    this.onChange();
    this.onEnd();
  }

  /** Releases the audio of segments that were played more than half an hour ago. */
  forget() {
    let seconds = 0;
    for (let index = this.index - 1; index >= 0; index -= 1) {
      const piece = this.pieces[index];
      seconds += piece.seconds;
      if (seconds < 1800 || piece.url === null) continue;
      URL.revokeObjectURL(piece.url);
      piece.url = null;
      piece.blob = null;
    }
  }
}
