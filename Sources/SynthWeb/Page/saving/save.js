import { choice, showChoices } from "../base/choices.js";
import { byId, make } from "../base/dom.js";
import { explain } from "../base/session.js";
import { settings } from "../base/settings.js";
import { about, bytes, percent, text } from "../base/words.js";
import { timeline } from "../speaking/reader.js";
import { desk, readable } from "../texts/desk.js";
import { cancel as cancelDownload, isBusy, makeReady, selected, voices } from "../voices/voices.js";
import { showCode } from "./code.js";
import { fileName, hand } from "./handing.js";
import { record } from "./recording.js";
import { subtitles } from "./subtitles.js";

let isPrepared = false;

/** The approximate number of bytes per second of audio in each format. */
const rates = { mp3: 7600, opus: 4300, flac: 20000, wav: 48000 };

/** Prepares the sheet that saves the text as an audio file. Called before it opens. */
export function openSave() {
  if (!isPrepared) prepare();
  isPrepared = true;
  showParts();
  showEstimate();
}

function showEstimate() {
  const { input, from } = wanted();
  const seconds = timeline.timeAt(from + input.length) - timeline.timeAt(from);
  // Round the estimated size to two significant digits.
  const size = bytes(Number((seconds * rates[choice(byId("formats"))]).toPrecision(2)));
  byId("save-estimate").textContent = input.trim() ? text("saveEstimate", { time: about(seconds), size }) : "";
  const making = settings.making?.[selected()?.key];
  if (making && input.trim()) byId("save-estimate").textContent += ` ${text("saveTakes", { time: about(seconds * making) })}`;
}

function prepare() {
  const formats = ["mp3", "opus", "flac", "wav"].map((format) => [format, format === "opus" ? "Opus" : format.toUpperCase()]);
  showChoices(byId("formats"), formats, settings.format ?? "mp3", (format) => {
    settings.format = format;
    showEstimate();
    byId("formats").dispatchEvent(new Event("change"));
  });
  const kinds = [["none", text("subtitles-none")], ["srt", "SRT"], ["vtt", "WebVTT"]];
  showChoices(byId("subtitles"), kinds, settings.subtitles ?? "none", (kind) => (settings.subtitles = kind));
  byId("save").onclick = save;
  byId("part").onchange = showEstimate;
  showCode();
}

/** Offers the complete text, and its parts if it has headings. */
function showParts() {
  const { headings } = desk.document;
  byId("part-field").hidden = headings.length === 0;
  const current = desk.document.headingAt(desk.place);
  byId("part").replaceChildren(
    make("option", { value: "all", textContent: text("wholeText") }),
    ...headings.map((heading) =>
      make("option", { value: heading.start, textContent: heading === current ? text("thisPart", { title: heading.title }) : heading.title }),
    ),
  );
  // Select the current part, because speaking an entire book takes hours.
  if (headings.length) byId("part").value = (current ?? headings[0]).start;
}

/** Returns the selected part of the text. */
function wanted(content = desk.document) {
  const value = byId("part").value;
  if (!value || value === "all") return { from: 0, input: content.text, name: content.title };
  const { start, end } = desk.document.partAt(Number(value));
  return { from: start, input: desk.document.text.slice(start, end), name: desk.document.headingAt(start).title };
}

async function save() {
  const voice = selected();
  if (!voice || desk.document.isEmpty) {
    byId("saved").textContent = text(voice ? "noText" : "noVoice");
    return;
  }
  const { input, name } = wanted(await readable());
  const stop = new AbortController();
  const cancel = byId("save-cancel");
  cancel.hidden = false;
  byId("saved-subtitles").hidden = true;
  // If the user cancels, a voice download that was already running must continue.
  const isMine = !isBusy(voice);
  cancel.onclick = () => {
    stop.abort();
    if (isMine && isBusy(voices.get(voice.key) ?? voice)) cancelDownload(voice.key).catch(() => {});
  };
  const cancelled = new Promise((_, reject) => stop.signal.addEventListener("abort", () => reject(stop.signal.reason)));
  byId("save").disabled = true;
  const format = choice(byId("formats"));
  const kind = choice(byId("subtitles"));
  try {
    if (!(await Promise.race([makeReady(voice), cancelled]))) return;
    byId("saved").textContent = text("saving");
    showProgress(null, 0);
    const { blob, cues } = await record(voice, input, format, kind !== "none", stop.signal, showProgress);
    const file = fileName(name);
    hand(blob, `${file}.${format}`);
    if (kind !== "none") offer(subtitles(cues, input, kind), `${file}.${kind}`);
    byId("saved").textContent = text("savedFile", { name: `${file}.${format}`, size: bytes(blob.size) });
  } catch (error) {
    if (!explain(error)) {
      byId("saved").textContent =
        error.name === "AbortError" ? text("saveCancelled") : text("saveFailed", { why: error.message });
    }
  } finally {
    const hadFocus = document.activeElement === cancel || document.activeElement === document.body;
    byId("save").disabled = false;
    byId("saved-bytes").textContent = "";
    byId("save-bar").hidden = true;
    cancel.hidden = true;
    if (hadFocus && byId("saving").open) byId("save").focus();
  }
}

function showProgress(share, count) {
  const bar = byId("save-bar");
  bar.hidden = false;
  if (share === null) bar.removeAttribute("value");
  else bar.value = share;
  byId("saved-bytes").textContent = [share ? percent(share) : "", count ? bytes(count) : ""].filter(Boolean).join(" · ");
}

/** Offers the subtitles as a link, because browsers block a second download without another click. */
function offer(blob, name) {
  const link = byId("saved-subtitles");
  URL.revokeObjectURL(link.href);
  Object.assign(link, { href: URL.createObjectURL(blob), download: name, hidden: false, textContent: text("saveSubtitles", { name }) });
}
