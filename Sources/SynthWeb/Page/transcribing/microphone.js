import { pause } from "../base/dom.js";
import { Trouble } from "./trouble.js";

/** Samples in a second of the sound that is given. */
export const rate = 16000;

/** What a browser calls its refusals. */
const names = { NotAllowedError: "denied", SecurityError: "denied", NotFoundError: "noMicrophone", OverconstrainedError: "noMicrophone", NotReadableError: "micBusy", AbortError: "micBusy" };

/**
 * Opens the microphone. Throws a `Trouble` if there is none.
 *
 * @param onSound gets samples of 16 bits, ten times a second, and how loud they are (0 to 1)
 * @param onLost is called if it is unplugged, or taken away
 * @returns what closes it, once all sound was given
 */
export async function openMicrophone(onSound, onLost) {
  if (!isSecureContext || !navigator.mediaDevices?.getUserMedia) throw new Trouble("insecure");
  const audio = { channelCount: 1, echoCancellation: false, noiseSuppression: true, autoGainControl: true };
  const stream = await navigator.mediaDevices.getUserMedia({ audio }).catch((error) => {
    throw new Trouble(names[error.name] ?? "noMicrophone");
  });
  const tracks = stream.getTracks();
  const context = new AudioContext();
  try {
    await context.audioWorklet.addModule("page/transcribing/capture.js");
  } catch {
    tracks.forEach((track) => track.stop());
    context.close();
    throw new Trouble("gone");
  }
  const node = new AudioWorkletNode(context, "capture", { channelCount: 1, channelCountMode: "explicit" });
  let close = () => {};
  const closed = new Promise((resolve) => (close = resolve));
  node.port.onmessage = ({ data }) => (data ? onSound(new Int16Array(data.sound), data.level) : close());
  context.createMediaStreamSource(stream).connect(node);
  // It is silent; some browsers work for what can be heard only.
  node.connect(context.destination);
  context.resume();
  tracks.forEach((track) => (track.onended = onLost));
  return async () => {
    tracks.forEach((track) => (track.onended = null));
    node.port.postMessage("end");
    await Promise.race([closed, pause(500)]);
    tracks.forEach((track) => track.stop());
    context.close();
  };
}
