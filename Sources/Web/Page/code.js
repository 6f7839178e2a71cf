import { byId, debounced, make } from "./dom.js";
import { announce } from "./announcer.js";
import { session } from "./session.js";
import { text } from "./text.js";
import { tuning } from "./tuning.js";
import { selected, watch } from "./voices.js";

const longest = 400;

/** Lines for a shell and for Python that do what is on the screen. */
export function showCode() {
  for (const name of ["curl", "python"]) {
    const code = make("code", { id: `code-${name}` });
    const button = make("button", { type: "button", textContent: text("copy") });
    button.setAttribute("aria-label", text("copyOf", { what: name }));
    button.onclick = async () => {
      try {
        await navigator.clipboard.writeText(code.textContent);
        button.textContent = text("copied");
        announce(text("copied"));
      } catch {
        getSelection().selectAllChildren(code);
      }
      setTimeout(() => (button.textContent = text("copy")), 3000);
    };
    byId("codes").append(
      make(
        "div",
        { className: "code" },
        make("h3", { textContent: name === "curl" ? "curl" : "Python" }),
        make("pre", { tabIndex: 0, attributes: { role: "region", "aria-label": name } }, code),
        button,
      ),
    );
  }
  watch("selection", render);
  byId("text").addEventListener("input", debounced(300, render));
  byId("format").addEventListener("change", render);
}

function render() {
  const voice = selected();
  byId("programs").hidden = !voice;
  if (!voice) return;
  const format = byId("format").value;
  const whole = byId("text").value;
  const input = whole.length > longest ? `${whole.slice(0, longest)}…` : whole;
  const { rate, pitch, volume } = tuning(voice);
  const more = Object.fromEntries(Object.entries({ pitch, volume }).filter(([, value]) => value !== 1));
  const body = { input, voice: voice.key, response_format: format, speed: rate, ...more, profile: false };
  byId("code-curl").textContent =
    `curl ${location.origin}/v1/audio/speech -H 'Content-Type: application/json' \\\n` +
    (session.open ? "" : `  -H "Authorization: Bearer $SYNTHHOST_TOKEN" \\\n`) +
    `  -d ${quoted(JSON.stringify(body))} -o speech.${format}`;
  byId("code-python").textContent = python(body, format, more);
}

/** A text for a shell. */
const quoted = (value) => `'${value.replaceAll("'", "'\\''")}'`;

function python(body, format, more) {
  // What JSON writes as a text is one for Python, too.
  const extra = JSON.stringify({ ...more, profile: false }).replace("false", "False");
  const key = session.open ? '"not-needed"' : 'os.environ["SYNTHHOST_TOKEN"]';
  return [
    ...(session.open ? [] : ["import os", ""]),
    "from openai import OpenAI",
    "",
    `client = OpenAI(base_url=${JSON.stringify(`${location.origin}/v1`)}, api_key=${key})`,
    "with client.audio.speech.with_streaming_response.create(",
    `    model="tts-1", voice=${JSON.stringify(body.voice)}, response_format="${format}", speed=${body.speed},`,
    `    input=${JSON.stringify(body.input)},`,
    `    extra_body=${extra},`,
    ") as speech:",
    `    speech.stream_to_file("speech.${format}")`,
  ].join("\n");
}
