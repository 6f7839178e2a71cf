import { base } from "../base/api.js";
import { choice } from "../base/choices.js";
import { copies } from "../base/copy.js";
import { byId, debounced, make } from "../base/dom.js";
import { session } from "../base/session.js";
import { text } from "../base/words.js";
import { desk, watchDesk } from "../texts/desk.js";
import { tuning } from "../voices/tuning.js";
import { selected, watch } from "../voices/voices.js";

const longest = 400;
const names = { curl: "curl", python: "Python", synthhost: "synthhost" };

/** Shows shell commands and a Python program that do the same as the page. */
export function showCode() {
  const about = make("p", { className: "quiet", textContent: text("programsText") });
  byId("saving").append(make("details", { id: "programs" }, make("summary", { textContent: text("programsTitle") }), about, make("div", { id: "codes" })));
  for (const [name, title] of Object.entries(names)) {
    const code = make("code", { id: `code-${name}` });
    const button = make("button", { type: "button", textContent: text("copy") });
    button.setAttribute("aria-label", text("copyOf", { what: title }));
    copies(button, code);
    byId("codes").append(
      make(
        "details",
        { className: "code", name: "code" },
        make("summary", { textContent: title }),
        make("pre", { tabIndex: 0, attributes: { role: "region", "aria-label": title } }, code),
        button,
      ),
    );
  }
  watch("selection", render);
  watchDesk("text", debounced(300, render));
  byId("formats").addEventListener("change", render);
  render();
}

function render() {
  const voice = selected();
  byId("programs").hidden = !voice;
  if (!voice) return;
  const format = choice(byId("formats"));
  const all = desk.document.text;
  const input = all.length > longest ? `${all.slice(0, longest)}…` : all;
  const { rate, pitch, volume } = tuning(voice);
  const more = Object.fromEntries(Object.entries({ pitch, volume }).filter(([, value]) => value !== 1));
  const body = { input, voice: voice.key, response_format: format, speed: rate, ...more, profile: false };
  byId("code-curl").textContent =
    `curl ${base}v1/audio/speech -H 'Content-Type: application/json' \\\n` +
    (session.open ? "" : `  -H "Authorization: Bearer $SYNTHHOST_TOKEN" \\\n`) +
    `  -d ${quoted(JSON.stringify(body))} -o speech.${format}`;
  byId("code-python").textContent = python(body, format, more);
  byId("code-synthhost").textContent = command(voice, input, format, { rate, pitch, volume });
}

/** Quotes text for a shell. */
const quoted = (value) => `'${value.replaceAll("'", "'\\''")}'`;

function command(voice, input, format, values) {
  const options = Object.entries(values)
    .filter(([, value]) => value !== 1)
    .map(([name, value]) => ` --${name} ${value}`)
    .join("");
  return `synthhost speak -v ${quoted(voice.key)}${options} -o speech.${format} ${quoted(input)}`;
}

function python(body, format, more) {
  // JSON strings are valid in Python.
  const extra = JSON.stringify({ ...more, profile: false }).replace("false", "False");
  const key = session.open ? '"not-needed"' : 'os.environ["SYNTHHOST_TOKEN"]';
  return [
    ...(session.open ? [] : ["import os", ""]),
    "from openai import OpenAI",
    "",
    `client = OpenAI(base_url=${JSON.stringify(`${base}v1`)}, api_key=${key})`,
    "with client.audio.speech.with_streaming_response.create(",
    `    model="tts-1", voice=${JSON.stringify(body.voice)}, response_format="${format}", speed=${body.speed},`,
    `    input=${JSON.stringify(body.input)},`,
    `    extra_body=${extra},`,
    ") as speech:",
    `    speech.stream_to_file("speech.${format}")`,
  ].join("\n");
}
