import { byId, make } from "../base/dom.js";
import { icon } from "../base/icons.js";
import { settings } from "../base/settings.js";
import { bytes, label, languageName, text } from "../base/words.js";
import { nameOf, progressText, showProgress, stateText } from "./voice-state.js";
import { cancel, isBusy, bring, selected, starters, voices, watch } from "./voices.js";

/** Shows the selected voice. If the only voices are those that come with the engines, recommends a better one. */
export function showChip() {
  watch("list", render);
  watch("voice", render);
  watch("selection", render);
  const close = byId("callout-close");
  close.onclick = () => {
    settings.noCallout = true;
    render();
  };
}

function render() {
  const all = [...voices.values()];
  const hasVoice = all.some((voice) => voice.state === "ready" && voice.size > 0);
  const offered =
    all.find((voice) => voice.starter !== null && (isBusy(voice) || voice.state === "failed")) ?? starters(all)[0];
  const isNew = !hasVoice && offered !== undefined && !settings.noCallout;
  const hadFocus = byId("callout").contains(document.activeElement);
  byId("callout").hidden = !isNew;
  byId("chip").hidden = all.length === 0;
  const voice = selected();
  byId("speaker").textContent = voice ? nameOf(voice) : text("noSpeaker");
  byId("speaker").lang = voice && nameOf(voice) === voice.name ? voice.language : document.documentElement.lang;
  byId("speaker-about").textContent = voice ? about(voice) : "";
  byId("chip").setAttribute("aria-label", text("chip", { voice: voice ? `${nameOf(voice)}, ${about(voice)}` : text("noSpeaker") }));
  if (isNew) renderCallout(offered);
  else if (hadFocus) byId("chip").focus();
}

/** Formats a language and region, such as "English · American". The region is omitted if it repeats the accent. */
function about(voice) {
  const language = languageName(voice.accent ? voice.language.split("-")[0] : voice.language);
  return [language, voice.accent, voice.state !== "ready" && stateText(voice)].filter(Boolean).join(" · ");
}

const sized = { download: "downloadSize", retry: "retrySize" };

function renderCallout(offered) {
  const what = isBusy(offered) ? "cancel" : offered.state === "failed" ? "retry" : "download";
  const failed = offered.state === "failed";
  // During a download, a close icon would look like a button that cancels the download.
  const close = byId("callout-close");
  close.replaceChildren(isBusy(offered) ? text("hide") : icon("close"));
  if (isBusy(offered)) close.removeAttribute("aria-label"), (close.title = "");
  else label(close, "notNow");
  close.className = isBusy(offered) ? "light" : "round";
  byId("callout-title").textContent = isBusy(offered) ? progressText(offered) : text("calloutTitle");
  byId("callout-text").textContent = failed
    ? (offered.problem?.message ?? "")
    : isBusy(offered)
      ? stateText(offered)
      : text("calloutText", { voice: [offered.name, offered.accent, offered.gender && text(`gender-${offered.gender}`)].filter(Boolean).join(", ") });
  byId("callout-text").classList.toggle("problem", failed);
  showProgress(byId("callout-bar"), offered, isBusy(offered));
  const holder = byId("callout-action");
  const button = holder.firstChild ?? holder.appendChild(make("button", { type: "button" }));
  button.className = what === "cancel" ? "light" : "main";
  button.textContent = what === "cancel" ? text(what) : text(sized[what], { size: bytes(offered.missing) });
  button.setAttribute("aria-label", text("ofVoice", { what: button.textContent, voice: offered.title }));
  button.onclick = () => (what === "cancel" ? cancel : bring)(offered.key).catch(() => {});
}
