import { column } from "../reading/stage.js";
import { desk, move } from "../texts/desk.js";
import { voices } from "../voices/voices.js";
import { follow, here, leave, now, player, speak, timeline, work } from "./reader.js";

/** Starts reading at the sentence that contains a position. */
export function readFrom(place) {
  if (work && !work.broken) player.isPlaying = true;
  else if (!work) return speak(desk.document.sentenceAt(place));
  goTo(place);
}

/** Goes to the sentence that contains a position. If the player is paused, it stays paused. */
export function goTo(place) {
  column.isFollowing = true;
  const index = player.pieces.findIndex((piece) => piece.url !== null && place >= piece.start && place < piece.end);
  if (work && index >= 0) {
    player.go(index);
    return follow(work);
  }
  const start = desk.document.sentenceAt(place);
  if (work && player.isPlaying) return speak(start, voices.get(work.voice.key));
  leave();
  move(start);
  showPlace();
}

/** Goes back or forward by a number of sentences. */
export function step(count) {
  column.isFollowing = true;
  const isFirst = player.index <= player.oldest;
  if (player.piece && !(count < 0 && isFirst && player.time <= 2)) {
    player.go(count < 0 && player.time > 2 ? player.index : player.index + count);
    return follow(work);
  }
  if (work && count > 0) return player.go(player.index + 1);
  const place = here();
  goTo(count < 0 ? Math.max(0, desk.document.sentenceAt(place) - 3) : Math.min(desk.document.sentenceEnd(place) + 2, desk.document.text.length - 1));
}

/** Goes back or forward by seconds of audio. */
export function skip(seconds) {
  column.isFollowing = true;
  const first = player.pieces[player.oldest];
  const target = now() + seconds;
  if (player.piece && target >= timeline.timeAt(first.start)) {
    player.skip(seconds);
    return follow(work);
  }
  if (work && player.pieces.length === 0) return;
  goTo(timeline.placeAt(Math.max(0, Math.min(target, timeline.total))));
}

/** Marks the sentence at which reading would continue. */
export function showPlace() {
  if (desk.isWriting || work || desk.place === 0) return;
  column.mark(desk.document.sentenceFrom(desk.place), null);
}
