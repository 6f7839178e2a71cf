import { ask, base, reach, ServerError } from "./api.js";
import { byId } from "./dom.js";
import { alarm, calm } from "./announcer.js";
import { closeSheets } from "./sheet.js";
import { text } from "./words.js";

/** Whether this page may change settings (`trusted`) and speak without a token (`open`). */
export const session = {
  trusted: false,
  open: true,
  /** Whether the page is unusable until the user enters the token. */
  get isShut() {
    return !this.trusted && !this.open;
  },
};

/** Exchanges the token in the link for a cookie that scripts cannot read. */
export async function begin() {
  // Opening the link again changes only the fragment, without reloading the page.
  addEventListener("hashchange", () => location.hash.startsWith("#token=") && location.reload());
  const token = new URLSearchParams(location.hash.slice(1)).get("token");
  if (token) {
    history.replaceState(null, "", location.pathname + location.search);
    await exchange(token).catch((error) => alarm(error.message));
  }
  byId("token-find").ontoggle = async () => (await import("./copy.js")).copies(byId("token-copy"), byId("token-line"));
  byId("token-form").addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      // The user may also paste the entire link.
      await exchange(byId("token").value.trim().split("token=").at(-1));
      location.reload();
    } catch (error) {
      alarm(error.message);
      byId("token").focus();
    }
  });
  await look();
}

/** Shows the page, or only instructions for getting the token. */
export function showWork() {
  for (const id of ["skip", "tools", "column", "player"]) byId(id).hidden = session.isShut;
  if (!session.isShut) return;
  // The settings sheet is not available without the token, so show the language menu here.
  byId("shut-language").hidden = false;
  byId("shut-language").append(...byId("language-field").children);
  byId("token").focus();
}

/** Asks the service which permissions this page has. */
export async function look() {
  Object.assign(session, await ask("GET", "api/session"));
  if (session.isShut) byId("token-notice").hidden = false;
}

/** Shows instructions for getting the token if the error indicates that it is required. */
export function explain(error) {
  if (!(error instanceof ServerError) || error.status !== 401) return false;
  closeSheets();
  byId("token-notice").hidden = false;
  scrollTo({ top: 0, behavior: "instant" });
  alarm(text("tokenNeeded"));
  byId("token").focus();
  return true;
}

async function exchange(token) {
  const path = encodeURIComponent(new URL(base).pathname);
  const answer = await reach(`api/session?path=${path}`, { method: "POST", headers: { Authorization: `Bearer ${token}` } });
  if (!answer.ok) throw new ServerError(answer.status, (await answer.json()).error);
  calm();
}
