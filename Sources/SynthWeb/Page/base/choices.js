import { make } from "./dom.js";

/**
 * Puts a choice of a few into a `fieldset`: one of them holds.
 *
 * @param values pairs of a value and its name
 */
export function showChoices(fieldset, values, chosen, onChoice) {
  fieldset.querySelectorAll("label").forEach((label) => label.remove());
  for (const [value, name] of values) {
    const input = make("input", { type: "radio", name: `${fieldset.id}-choice`, value, checked: value === chosen });
    input.addEventListener("change", () => onChoice(value));
    fieldset.append(make("label", {}, input, make("span", { textContent: name })));
  }
}

/** The value that holds. */
export const choice = (fieldset) => fieldset.querySelector("input:checked")?.value;

/** Lets another value hold, without a word to who listens. */
export function choose(fieldset, value) {
  for (const input of fieldset.querySelectorAll("input")) input.checked = input.value === String(value);
}
