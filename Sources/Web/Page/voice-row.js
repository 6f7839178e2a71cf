import { make } from "./dom.js";
import { preview } from "./preview.js";
import { bytes, languageName, text } from "./text.js";
import { stateText } from "./voice-state.js";
import { cancel, download, isBusy, remove, select, selected } from "./voices.js";

/** One voice in a list. It is changed in place, so that the focus stays where it is. */
export class VoiceRow {
  /** @param group the name of the radio buttons of its list */
  constructor(voice, group) {
    this.voice = voice;
    this.radio = make("input", { type: "radio", name: group, value: voice.key });
    this.radio.addEventListener("change", () => select(voice.key));
    this.radio.addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.hear();
    });
    this.radio.addEventListener("click", (event) => {
      // The arrow keys click, too, and only choose.
      if (event.detail > 0) this.hear();
    });
    this.name = make("span", { className: "name", lang: voice.language });
    this.about = make("span", { className: "quiet" });
    this.state = make("span", { className: "quiet" });
    this.actions = make("div", { className: "actions" });
    this.bar = make("progress", { hidden: true, className: "more", attributes: { "aria-hidden": "true" } });
    this.element = make(
      "li",
      { className: "row" },
      make("label", {}, this.radio, make("span", { className: "names" }, this.name, this.about, this.state)),
      this.actions,
      this.bar,
    );
    this.update(voice);
  }

  update(voice) {
    this.voice = voice;
    this.name.textContent = voice.title;
    this.about.textContent = [
      languageName(voice.language),
      voice.gender && text(`gender-${voice.gender}`),
      voice.quality && text("quality", { quality: voice.quality }),
      voice.size > 0 && voice.state === "ready" && bytes(voice.size),
      voice.favourite && text("favourite"),
    ]
      .filter(Boolean)
      .join(" · ");
    this.state.textContent = stateText(voice);
    this.state.classList.toggle("problem", ["failed", "unusable"].includes(voice.state));
    const progress = voice.progress;
    this.bar.hidden = !isBusy(voice);
    if (progress?.total > 0) {
      this.bar.max = progress.total;
      this.bar.value = progress.bytes;
    } else {
      this.bar.removeAttribute("value");
    }
    this.mark();
    this.show(this.wanted());
  }

  /** Shows whether it is the voice that speaks. */
  mark() {
    const isSelected = selected()?.key === this.voice.key;
    this.radio.checked = isSelected;
    this.element.classList.toggle("chosen", isSelected);
  }

  hear() {
    if (this.voice.state === "ready") preview(this.voice);
  }

  /** What can be done with it: the key of each button's text, and what it does. */
  wanted() {
    const voice = this.voice;
    if (isBusy(voice)) return { cancel: () => cancel(voice.key) };
    if (voice.state === "failed") return { retry: () => download(voice.key) };
    if (voice.state === "notDownloaded") return { download: () => download(voice.key) };
    if (voice.state !== "ready") return {};
    if (this.isAsking) return { removeReally: () => this.leave(), keep: () => this.ask(false) };
    return { hear: () => this.hear(), ...(voice.removable ? { remove: () => this.ask(true) } : {}) };
  }

  ask(isAsking) {
    this.isAsking = isAsking;
    this.show(this.wanted());
    this.actions.querySelector("button")?.focus();
  }

  async leave() {
    this.isAsking = false;
    await remove(this.voice.key).catch(() => {});
    this.show(this.wanted());
    this.radio.focus();
  }

  show(wanted) {
    const names = Object.keys(wanted);
    const buttons = [...this.actions.children];
    names.forEach((name, number) => {
      let button = buttons[number];
      if (!button) {
        button = make("button", { type: "button" });
        this.actions.append(button);
      }
      button.textContent = text(name);
      button.setAttribute("aria-label", text("ofVoice", { what: text(name), voice: this.voice.title }));
      button.onclick = () => Promise.resolve(wanted[name]()).catch(() => {});
    });
    for (const button of buttons.slice(names.length)) {
      if (button === document.activeElement) this.radio.focus();
      button.remove();
    }
  }
}
