import { byId, make } from "./dom.js";
import { bytes, text } from "./text.js";
import { cancel, download, isBusy, select, starters, voices, watch } from "./voices.js";

/** Offers the first voice to those who have none but what the engines bring along. */
export function showCallout() {
  watch("list", render);
  watch("voice", render);
}

function render() {
  const all = [...voices.values()];
  const hasVoice = all.some((voice) => voice.state === "ready" && voice.size > 0);
  const offered =
    all.find((voice) => voice.starter !== null && (isBusy(voice) || voice.state === "failed")) ?? starters(all)[0];
  const callout = byId("callout");
  const hadFocus = callout.contains(document.activeElement);
  callout.hidden = hasVoice || !offered;
  if (callout.hidden) {
    if (hadFocus) byId("speak").focus();
    return;
  }
  const what = isBusy(offered) ? "cancel" : offered.state === "failed" ? "retry" : "downloadVoice";
  byId("callout-text").textContent =
    offered.state === "failed"
      ? (offered.problem?.message ?? "")
      : text(isBusy(offered) ? "calloutBusy" : "calloutText", { voice: offered.title, size: bytes(offered.missing) });
  const action = byId("callout-action");
  const button = action.firstChild ?? action.appendChild(make("button", { type: "button", className: "main" }));
  button.textContent = text(what, { voice: offered.title });
  button.onclick = async () => {
    if (what === "cancel") return cancel(offered.key).catch(() => {});
    select(offered.key);
    await download(offered.key).catch(() => {});
  };
}
