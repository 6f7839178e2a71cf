import { byId, debounced, make } from "./dom.js";
import { previewSoon } from "./preview.js";
import { explain, session } from "./session.js";
import { settings } from "./settings.js";
import { number, text } from "./text.js";
import { choose, selected, setProfile, watch } from "./voices.js";

const factors = [
  { name: "rate", least: 0.5, most: 2.5 },
  { name: "pitch", least: 0.5, most: 2 },
  { name: "volume", least: 0, most: 2 },
];
const sliders = new Map();
let shown = null;

/** How a voice is spoken with: what was set here, else its profile. */
export function tuning(voice) {
  const own = settings.tuning?.[voice.key] ?? {};
  return Object.fromEntries(factors.map(({ name }) => [name, own[name] ?? voice.profile?.[name] ?? 1]));
}

/** Shows the sliders of the voice that is selected. */
export function showTuning() {
  for (const factor of factors) {
    const value = make("output", { id: `${factor.name}-value` });
    const input = make("input", {
      type: "range",
      id: factor.name,
      min: factor.least,
      max: factor.most,
      step: 0.05,
    });
    input.addEventListener("input", () => set(factor.name, Number(input.value)));
    sliders.set(factor.name, { input, value });
    byId("sliders").append(
      make(
        "div",
        { className: "slider" },
        make("span", {}, make("label", { htmlFor: factor.name, textContent: text(factor.name) }), " ", value),
        input,
      ),
    );
  }
  byId("tuning-reset").onclick = () => {
    for (const { name } of factors) sliders.get(name).input.value = 1;
    set(null);
  };
  byId("choose").onclick = async () => {
    const voice = selected();
    if (!voice) return;
    try {
      await choose(voice.key);
      byId("tuning-note").textContent = text("choseVoice", { voice: voice.title });
    } catch {
      // It was told.
    }
  };
  watch("selection", render);
}

function render() {
  const voice = selected();
  byId("tuning").hidden = !voice;
  if (!voice) return;
  if (shown !== voice.key) byId("tuning-note").textContent = "";
  shown = voice.key;
  byId("tuning-title").textContent = text("tuningTitle", { voice: voice.title });
  const values = tuning(voice);
  for (const [name, { input, value }] of sliders) {
    if (document.activeElement !== input) input.value = values[name];
    value.textContent = number(Number(input.value));
  }
}

function set(name, value) {
  const voice = selected();
  if (!voice) return;
  const values = name ? { ...tuning(voice), [name]: value } : { rate: 1, pitch: 1, volume: 1 };
  settings.tuning = { ...settings.tuning, [voice.key]: values };
  render();
  previewSoon(voice);
  keep(voice, name ? values : { rate: null, pitch: null, volume: null });
}

const keep = debounced(600, async (voice, values) => {
  if (!session.trusted) {
    byId("tuning-note").textContent = text("keptHere");
    return;
  }
  try {
    // What has no slider here stays.
    await setProfile(voice.key, { pause: voice.profile?.pause ?? null, ...values });
    const { [voice.key]: _, ...others } = settings.tuning ?? {};
    settings.tuning = others;
    byId("tuning-note").textContent = text("kept");
  } catch (error) {
    if (!explain(error)) byId("tuning-note").textContent = error.message;
  }
});
