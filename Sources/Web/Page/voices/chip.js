import { byId, make } from "../base/dom.js";
import { bytes, languageName, text } from "../base/words.js";
import { showProgress, stateText } from "./voice-state.js";
import { cancel, download, isBusy, select, selected, starters, voices, watch } from "./voices.js";

/** Who speaks, always in sight. In its place, those who have no voice but what the engines bring along are offered one. */
export function showChip() {
  watch("list", render);
  watch("voice", render);
  watch("selection", render);
}

function render() {
  const all = [...voices.values()];
  const hasVoice = all.some((voice) => voice.state === "ready" && voice.size > 0);
  const offered =
    all.find((voice) => voice.starter !== null && (isBusy(voice) || voice.state === "failed")) ?? starters(all)[0];
  const isNew = !hasVoice && offered !== undefined && all.length > 0;
  const hadFocus = byId("callout").contains(document.activeElement);
  byId("callout").hidden = !isNew;
  byId("chip").hidden = isNew || all.length === 0;
  const voice = selected();
  byId("speaker").textContent = voice?.name ?? text("noSpeaker");
  byId("speaker").lang = voice?.language ?? "";
  byId("speaker-about").textContent = voice ? about(voice) : "";
  byId("chip").setAttribute("aria-label", text("chip", { voice: voice ? `${voice.name}, ${about(voice)}` : text("noSpeaker") }));
  if (isNew) renderCallout(offered, voice);
  else if (hadFocus) byId("chip").focus();
}

/** "English · American"; the region is not said twice. */
export function about(voice) {
  const language = languageName(voice.accent ? voice.language.split("-")[0] : voice.language);
  return [language, voice.accent, voice.state !== "ready" && stateText(voice)].filter(Boolean).join(" · ");
}

function renderCallout(offered, speaker) {
  const what = isBusy(offered) ? "cancel" : offered.state === "failed" ? "retry" : "download";
  const failed = offered.state === "failed";
  byId("callout-title").textContent = text(isBusy(offered) ? "calloutBusy" : "calloutTitle", { voice: offered.name });
  byId("callout-text").textContent = failed
    ? (offered.problem?.message ?? "")
    : isBusy(offered)
      ? stateText(offered)
      : text("calloutText", { speaker: speaker?.title ?? "", size: bytes(offered.missing) });
  byId("callout-text").classList.toggle("problem", failed);
  showProgress(byId("callout-bar"), offered, isBusy(offered));
  const action = byId("callout-action");
  const button = action.firstChild ?? action.appendChild(make("button", { type: "button", className: "main" }));
  button.textContent = text(what);
  button.setAttribute("aria-label", text("ofVoice", { what: button.textContent, voice: offered.title }));
  button.onclick = async () => {
    if (what === "cancel") return cancel(offered.key).catch(() => {});
    select(offered.key);
    await download(offered.key).catch(() => {});
  };
}
