import { alarm, calm, showAlarms } from "./base/announcer.js";
import { byId, make, pause } from "./base/dom.js";
import { loadIcons } from "./base/icons.js";
import { begin, session, showWork } from "./base/session.js";
import { onOpen, prepareSheets } from "./base/sheet.js";
import { about, loadTexts, text } from "./base/words.js";
import { applyLook } from "./look/look.js";
import { showStage } from "./reading/stage.js";
import { showBar } from "./speaking/bar.js";
import { listenForKeys } from "./speaking/keys.js";
import { goTo } from "./speaking/moving.js";
import { player, prepareReader, speak, state, timeline, watchReader } from "./speaking/reader.js";
import { prepareDesk, watchDesk } from "./texts/desk.js";
import { takeFiles } from "./texts/files.js";
import { showStart } from "./texts/start.js";
import { showChip } from "./voices/chip.js";
import { follow } from "./voices/voices.js";

applyLook();
// Texts and icons are needed even to show that the service is not running.
const surely = (body) => body().catch(() => pause(3000).then(() => surely(body)));
await Promise.all([surely(loadTexts), surely(loadIcons)]);
prepareSheets();
showAlarms();
await showStage();
prepareReader();
showBar();
// Transcribe recordings that are dropped on the page.
takeFiles((file) => (isTranscribing() || /^(audio|video)/.test(file.type)) && transcribe(file));
showStart(speak);
showChip();
listenForKeys();
// Hide an error when the user changes the text or starts speech.
watchDesk("text", calm);
watchReader(() => state() === "speaking" && calm());

const lasts = ({ start, end }) => about((timeline.timeAt(end) - timeline.timeAt(start)) / player.speed);

// A sheet's code is loaded when the user first opens it.
const sheets = {
  contents: async () => (await import("./reading/contents.js")).openContents(goTo, lasts),
  shelf: async () => (await import("./texts/shelf-sheet.js")).openShelf(),
  voices: async () => (await import("./voices/chooser.js")).openChooser(),
  saving: async () => (await import("./saving/save.js")).openSave(),
  look: async () => (await import("./look/look-sheet.js")).openLook(),
  pace: async () => {},
};
let dress = null;
const dressed = () =>
  (dress ??= new Promise((onload, onerror) => document.head.append(make("link", { rel: "stylesheet", href: "page/look/sheets.css", onload, onerror }))).catch(() => (dress = null)));
for (const [id, body] of Object.entries(sheets)) onOpen(id, () => Promise.all([dressed(), body()]).catch(() => alarm(text("noAnswer"))));

const isTranscribing = () => document.documentElement.classList.contains("transcribing");
function transcribe(file) {
  Promise.all([import("./transcribing/screen.js"), dressed()]).then(([screen]) => screen.open(file)).catch(() => alarm(text("noAnswer")));
  return true;
}
byId("open-transcribe").onclick = () => transcribe();

// Load these modules once playback has started, so that they do not delay playback.
let isHeard = false;
watchReader(async () => {
  if (isHeard || !["speaking", "failed"].includes(state())) return;
  isHeard = true;
  const parts = await Promise.all([import("./speaking/broken.js"), import("./speaking/media.js")]).catch(() => (isHeard = false));
  if (parts) parts[0].showBroken(), parts[1].showMedia();
  else if (state() === "failed") alarm(text("noAnswer"));
});

// Limit the wait for the database, so that a slow database does not delay the page.
await Promise.all([begin().catch((error) => alarm(error.message)), Promise.race([prepareDesk(), pause(1000)])]);
showWork();
if (!session.isShut) {
  follow();
  if (location.hash === "#transcribe") transcribe();
}
