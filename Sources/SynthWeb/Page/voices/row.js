import { make } from "../base/dom.js";
import { icon } from "../base/icons.js";
import { bytes, language, languageName, text } from "../base/words.js";
import { preview } from "./preview.js";
import { manner, showProgress, stateText } from "./voice-state.js";
import { cancel, isBusy, bring, select, selected } from "./voices.js";

/** The icons of action buttons. Actions without an icon have a label. */
const drawings = { hear: "play", download: "download" };
const words = (name, voice) => (name === "hear" ? [] : [name === "download" ? bytes(voice.missing) : text(name)]);

/** A voice in a list. It is updated in place to keep the focus. */
export class VoiceRow {
  /**
   * @param group the name of the list's radio buttons
   * @param onDetails shows the details
   * @param name the name of the voice in this list
   */
  constructor(voice, group, onDetails, name) {
    this.title = name;
    // The list is for a single language, so rows do not show the language.
    this.isOfOne = group.startsWith("all-") && group !== "all-hidden";
    this.voice = voice;
    this.radio = make("input", { type: "radio", name: group, value: voice.key });
    this.radio.addEventListener("change", () => select(voice.key));
    this.radio.addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.hear();
    });
    this.radio.addEventListener("click", (event) => {
      // The arrow keys also cause click events, but they should select the voice without playing it.
      if (event.detail > 0) this.hear();
    });
    this.name = make("span", { className: "name", lang: name.startsWith(voice.name) ? voice.language : language });
    this.about = make("span", { className: "quiet" });
    this.state = make("span", { className: "state-text" });
    this.action = make("button", { type: "button" });
    this.more = make("button", { type: "button", className: "round details" }, icon("on"));
    this.more.onclick = () => onDetails(this.voice.key);
    this.bar = make("progress", { hidden: true, className: "more", attributes: { "aria-hidden": "true" } });
    this.element = make(
      "li",
      { className: "row" },
      make("label", {}, this.radio, make("span", { className: "names" }, this.name, this.about)),
      make("div", { className: "actions" }, this.action, this.more),
      this.bar,
    );
    this.update(voice);
  }

  update(voice) {
    this.voice = voice;
    this.name.textContent = this.title;
    const isFailed = ["failed", "unusable"].includes(voice.state);
    const about = [
      // Omit the user's own language.
      this.isOfOne || (voice.accent && voice.language.split("-")[0] === language) ? "" : languageName(voice.accent ? voice.language.split("-")[0] : voice.language),
      // Omit the accent if the name contains it.
      !this.title.includes(voice.accent) && voice.accent,
      ...manner(voice).filter((each) => !this.title.endsWith(` · ${each}`)),
      voice.favorite && text("favorite"),
    ].filter(Boolean);
    this.state.textContent = voice.state === "ready" ? "" : stateText(voice);
    // Show the progress of a download. Otherwise the button shows whether the voice is installed.
    this.about.replaceChildren(["notDownloaded", "ready"].includes(voice.state) ? about.join(" · ") : this.state);
    this.about.classList.toggle("problem", isFailed);
    showProgress(this.bar, voice, isBusy(voice));
    this.more.setAttribute("aria-label", text("ofVoice", { what: text("details"), voice: voice.title }));
    this.more.title = text("details");
    this.mark();
    this.offer();
  }

  mark() {
    const isSelected = selected()?.key === this.voice.key;
    this.radio.checked = isSelected;
    this.element.classList.toggle("chosen", isSelected);
  }

  hear() {
    if (this.voice.state === "ready") preview(this.voice);
  }

  /** Shows a button for the action that the user most likely wants. */
  offer() {
    const voice = this.voice;
    const [name, body] = isBusy(voice)
      ? ["cancel", () => cancel(voice.key)]
      : voice.state === "failed"
        ? ["retry", () => bring(voice.key)]
        : voice.state === "notDownloaded"
          ? ["download", () => bring(voice.key)]
          : voice.state === "ready"
            ? ["hear", () => this.hear()]
            : [];
    if (!name && this.action === document.activeElement) this.radio.focus();
    this.action.hidden = !name;
    if (!name) return;
    this.action.className = name === "hear" ? "round" : "light";
    this.action.replaceChildren(...(drawings[name] ? [icon(drawings[name])] : []), ...words(name, voice));
    this.action.title = name === "download" ? stateText(voice) : text(name);
    this.action.setAttribute("aria-label", text("ofVoice", { what: name === "download" ? `${text(name)} ${bytes(voice.missing)}` : text(name), voice: voice.title }));
    this.action.onclick = () => Promise.resolve(body()).catch(() => {});
  }
}
