import { byId, make } from "../base/dom.js";
import { icon } from "../base/icons.js";
import { prepareSheet } from "../base/sheet.js";
import { text } from "../base/words.js";

/** Creates a button with an icon and a label. */
const button = (id, drawing, key, className = "soft") =>
  make("button", { type: "button", id, className }, drawing ? icon(drawing) : null, make("span", { className: "words", textContent: text(key) }));

const field = (key, control, hint) =>
  make("label", { className: "field" }, make("span", { textContent: text(key) }), control, !hint ? null : make("span", { className: "quiet", id: `${control.id}-hint`, textContent: text(hint) }));

/** Adds the elements of the screen to the page. */
export function makeScreen() {
  const back = make("button", { type: "button", className: "round", id: "leave-transcribing", title: text("backToReader") }, icon("off"), make("span", { className: "label", textContent: text("back") }));
  back.setAttribute("aria-label", text("backToReader"));
  byId("to-start").before(back, make("p", { className: "title", id: "transcribing-title", textContent: text("transcribe") }));
  byId("main").append(make("section", { id: "transcribing", className: "column", tabIndex: -1, attributes: { "aria-labelledby": "transcribing-title" }, hidden: true }, ...sheetOfText()));
  byId("player").after(bar(), options());
  prepareSheet(byId("listening"));
}

function sheetOfText() {
  return [
    make("div", { id: "heard-start" }, make("h2", { id: "heard-hello", textContent: text("heardHello") }), make("p", { id: "heard-hint", className: "hint" }), make("p", { id: "heard-privacy", className: "quiet" })),
    make("div", { id: "heard-tools", className: "line", hidden: true, attributes: { role: "group", "aria-label": text("heardTools") } },
      button("heard-speak", "voice", "readAloud"), button("heard-copy", "paste", "copy"), button("heard-edit", "edit", "edit"),
      make("div", { className: "saves", attributes: { role: "group", "aria-label": text("saveAs") } },
        make("span", { textContent: text("saveAs") }), ...[["txt", "saveText"], ["srt", "saveSRT"], ["vtt", "saveVTT"]].map(([form, key]) => make("button", { type: "button", className: "soft", value: form, textContent: text(key) })))),
    make("div", { id: "heard", className: "heard", tabIndex: 0, dir: "auto", attributes: { role: "region", "aria-label": text("heardLabel") } }),
    make("textarea", { id: "heard-field", autocomplete: "off", dir: "auto", hidden: true, attributes: { "aria-label": text("heardField") } }),
    make("section", { id: "heard-earlier", hidden: true, attributes: { "aria-labelledby": "heard-earlier-title" } },
      make("h3", { id: "heard-earlier-title", textContent: text("earlier") }),
      make("ul", { className: "rows", id: "heard-list", attributes: { role: "list" } }),
      make("div", { className: "line" }, button("heard-undo", null, "undo", "light"), button("heard-forget-all", null, "forgetTranscripts", "light")),
      make("p", { className: "quiet", textContent: text("shelfNote") })),
  ];
}

function bar() {
  return make(
    "section", { className: "player recorder", id: "recorder", hidden: true, attributes: { "aria-label": text("recorder") } },
    make("div", { className: "notice", id: "heard-problem", hidden: true },
      make("h2", {}, make("span", { className: "dot", attributes: { "aria-hidden": "true" } }), make("span", { id: "heard-problem-title" })), make("p", { id: "heard-problem-remedy" }), make("div", { className: "line", id: "heard-problem-actions" })),
    make("div", { className: "who" },
      make("button", { type: "button", className: "chip", id: "heard-chip", attributes: { "aria-haspopup": "dialog" } },
        make("span", { className: "face" }, icon("voice")),
        make("span", { className: "names" }, make("span", { className: "name", id: "heard-language" }), make("span", { className: "quiet", id: "heard-model" })),
        icon("more"))),
    make("div", { className: "time" },
      make("p", { id: "heard-state" }, make("span", { className: "dot", attributes: { "aria-hidden": "true" } }), make("span", { id: "heard-words" })),
      make("div", { className: "level", id: "heard-level", hidden: true, attributes: { "aria-hidden": "true" } }, icon("microphone"), make("div", { className: "whole" }, make("div", { className: "filled" }))),
      make("progress", { id: "heard-progress", max: 1, hidden: true, attributes: { "aria-labelledby": "heard-words" } }),
      make("div", { className: "playback", id: "heard-playback", hidden: true, attributes: { role: "group", "aria-label": text("recording") } },
        make("button", { type: "button", className: "round", id: "heard-play" }, icon("play")),
        make("input", { type: "range", className: "timeline", id: "heard-place", min: 0, step: "any", value: 0, attributes: { "aria-label": text("recordingPlace") } }),
        make("span", { id: "heard-time" }))),
    make("div", { className: "buttons" }, button("record", "microphone", "record", "play")),
    make("div", { className: "pace" }, button("heard-open", "open", "openFile", "light")),
    make("input", { type: "file", id: "heard-file", accept: "audio/*,video/*,.opus,.flac,.amr,.mkv,.m4a,.m4b,.oga", hidden: true }),
  );
}

function options() {
  const words = make("textarea", { id: "own-words", rows: 4, attributes: { "aria-describedby": "own-words-hint" } });
  return make(
    "dialog", { className: "sheet right small", id: "listening", attributes: { "aria-labelledby": "listening-title" } },
    make("div", { className: "head" }, make("h2", { id: "listening-title", textContent: text("listening") })),
    field("spokenLanguage", make("select", { id: "spoken-language" })),
    field("recognizer", make("select", { id: "recognizer" })),
    make("p", { className: "quiet", id: "recognizer-note" }),
    field("ownWords", words, "ownWordsHint"),
  );
}
