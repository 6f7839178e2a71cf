import { send } from "./api.js";
import { byId, make } from "./dom.js";
import { explain } from "./session.js";
import { settings } from "./settings.js";
import { order } from "./speech.js";
import { bytes, text } from "./text.js";
import { makeReady, selected } from "./voices.js";

/** Saves the whole text as a file of sound. */
export function showSave() {
  const format = byId("format");
  format.value = settings.format ?? "mp3";
  format.onchange = () => (settings.format = format.value);
  byId("save").onclick = save;
}

async function save() {
  const input = byId("text").value;
  const voice = selected();
  if (!voice || !/[\p{L}\p{N}]/u.test(input)) {
    byId("saved").textContent = text(voice ? "noText" : "noVoice");
    return;
  }
  const stop = new AbortController();
  const cancel = byId("save-cancel");
  cancel.hidden = false;
  cancel.onclick = () => stop.abort();
  byId("save").disabled = true;
  const format = byId("format").value;
  try {
    if (!(await makeReady(voice))) return;
    byId("saved").textContent = text("saving");
    const answer = await send("POST", "/v1/audio/speech", order(voice, input, { response_format: format }), stop.signal);
    const blob = await collect(answer, (count) => (byId("saved-bytes").textContent = bytes(count)));
    const link = make("a", { href: URL.createObjectURL(blob), download: `synthhost.${format}` });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
    byId("saved").textContent = text("savedFile", { name: link.download, size: bytes(blob.size) });
  } catch (error) {
    if (!explain(error)) {
      byId("saved").textContent = error.name === "AbortError" ? text("saveCancelled") : text("saveFailed", { why: error.message });
    }
  } finally {
    const hadFocus = document.activeElement === cancel || document.activeElement === document.body;
    byId("save").disabled = false;
    byId("saved-bytes").textContent = "";
    cancel.hidden = true;
    if (hadFocus) byId("save").focus();
  }
}

/** Throws if the sound breaks off, so that no part of it is taken for the whole. */
async function collect(answer, onBytes) {
  const type = answer.headers.get("Content-Type") ?? "";
  const reader = answer.body.getReader();
  const parts = [];
  let count = 0;
  while (true) {
    const { value, done } = await reader.read();
    if (done) return new Blob(parts, { type });
    parts.push(value);
    onBytes((count += value.length));
  }
}
