/** The duration of the last subtitle in seconds, because its end is unknown. */
const last = 4;

/**
 * Creates subtitles from sentences.
 *
 * @param cues the sentences, each with its time and its position in the UTF-8 bytes of the text
 * @param form "srt" or "vtt"
 */
export function subtitles(cues, input, form) {
  const bytes = new TextEncoder().encode(input);
  const decoder = new TextDecoder();
  const lines = cues.map(({ time, start, end }, index) => {
    const until = cues[index + 1]?.time ?? time + last;
    const words = decoder.decode(bytes.slice(start, end)).replace(/\s+/g, " ").trim();
    return `${form === "srt" ? `${index + 1}\n` : ""}${stamp(time, form)} --> ${stamp(until, form)}\n${words}\n`;
  });
  return new Blob([form === "vtt" ? "WEBVTT\n\n" : "", lines.join("\n")], { type: "text/plain" });
}

/** Formats a time, such as "00:01:02,500". */
export function stamp(seconds, form) {
  const whole = Math.floor(seconds);
  const two = (value) => String(value).padStart(2, "0");
  const thousandths = String(Math.floor((seconds - whole) * 1000)).padStart(3, "0");
  return `${two(Math.floor(whole / 3600))}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}${form === "srt" ? "," : "."}${thousandths}`;
}
