import { pause } from "../base/dom.js";
import { Trouble } from "./trouble.js";

/** The sample rate in hertz. */
export const rate = 16000;

/** Maps the browser's error names to the page's. */
const names = { NotAllowedError: "denied", SecurityError: "denied", NotFoundError: "noMicrophone", OverconstrainedError: "noMicrophone", NotReadableError: "micBusy", AbortError: "micBusy" };

/**
 * Opens the microphone. Throws a `Trouble` on failure.
 *
 * @param onSound receives 16-bit samples and their level from 0 to 1, ten times per second
 * @param onLost is called if the microphone is unplugged or becomes unavailable
 * @returns a function that closes the microphone after all audio has been passed on
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
  // The node outputs silence. Some browsers only run nodes that are connected to the output.
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
