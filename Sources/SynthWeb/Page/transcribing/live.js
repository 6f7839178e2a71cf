import { base } from "../base/api.js";
import { Trouble, troubleOf, whyRefused } from "./trouble.js";

/** The maximum number of bytes to queue while the connection is being opened. Other audio is transcribed later, from the recording. */
const mostWaiting = 4 << 20;

/**
 * Transcribes audio as it arrives.
 *
 * @param order `rate`, and optionally `model`, `language` and `keywords`
 * @param on `loading(isLoading)`, `tail(stable, tentative)`, `part(part)`, `failed(error)` for a part, `trouble(error)`, and `end()`, which
 *   is called once at the end
 */
export class Live {
  constructor({ rate, model, language, keywords }, on) {
    this.on = on;
    this.waiting = [];
    this.waitingBytes = 0;
    this.isOpen = this.isFinished = this.hasEnded = false;
    const address = new URL(`v1/realtime?intent=transcription${model ? `&model=${encodeURIComponent(model)}` : ""}`, base);
    address.protocol = address.protocol.replace("http", "ws");
    this.socket = new WebSocket(address);
    this.socket.binaryType = "arraybuffer";
    this.socket.onopen = () => {
      this.isOpen = true;
      const transcription = { ...(model && { model }), ...(language && { language }), ...(keywords.length > 0 && { keywords }) };
      this.tell({
        type: "session.update",
        session: {
          type: "transcription", include: ["synthhost"],
          audio: { input: { format: { type: "audio/pcm", rate }, transcription, turn_detection: { type: "server_vad" } } },
        },
      });
      for (const piece of this.waiting.splice(0)) this.socket.send(piece);
    };
    this.socket.onmessage = ({ data }) => this.take(JSON.parse(data));
    this.socket.onclose = async ({ code }) => {
      if (this.hasEnded) return;
      if (!this.isOpen) this.on.trouble(await whyRefused());
      else if (!this.isFinished && code !== 1000) this.on.trouble(new Trouble(code === 1013 ? "overloaded" : "broken"));
      this.end();
    };
  }

  tell(event) {
    this.socket.send(JSON.stringify(event));
  }

  /** Sends a chunk of 16-bit samples. */
  send(samples) {
    if (this.isOpen && this.socket.readyState === WebSocket.OPEN) return this.socket.send(samples);
    this.waitingBytes += samples.byteLength;
    if (!this.isOpen && this.waitingBytes <= mostWaiting) this.waiting.push(samples);
  }

  /** Marks the end of the audio. The remaining text still arrives. */
  finish() {
    if (this.isOpen && this.socket.readyState === WebSocket.OPEN) return this.tell({ type: "synthhost.finish" });
    if (this.isOpen) return this.end();
    // If the connection is still being opened, finish once it is open.
    this.socket.addEventListener("open", () => this.tell({ type: "synthhost.finish" }));
  }

  /** Stops without waiting for more results. */
  leave() {
    this.hasEnded = true;
    this.socket.close();
  }

  end() {
    if (this.hasEnded) return;
    this.hasEnded = true;
    this.on.end();
  }

  take(event) {
    if (this.hasEnded) return;
    switch (event.type) {
      case "synthhost.state":
        return this.on.loading(event.state === "loading");
      case "synthhost.tentative":
        return this.on.tail(event.stable, event.text);
      case "conversation.item.input_audio_transcription.completed":
        this.on.tail("", "");
        return this.on.part({
          text: event.transcript, start: event.start, end: event.end, language: event.language,
          words: event.words?.map((word) => ({ start: word.start, end: word.end, from: word.character_start, to: word.character_end })),
        });
      case "conversation.item.input_audio_transcription.failed":
        this.on.tail("", "");
        return this.on.failed(troubleOf(event.error));
      case "synthhost.finished":
        this.isFinished = true;
        this.end();
        return this.socket.close();
      case "error":
        return this.on.trouble(troubleOf(event.error));
    }
  }
}
