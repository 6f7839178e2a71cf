import { make } from "./dom.js";

/**
 * Adds radio buttons to a `fieldset`.
 *
 * @param values pairs of a value and its label
 */
export function showChoices(fieldset, values, chosen, onChoice) {
  fieldset.querySelectorAll("label").forEach((label) => label.remove());
  for (const [value, name] of values) {
    const input = make("input", { type: "radio", name: `${fieldset.id}-choice`, value, checked: value === chosen });
    input.addEventListener("change", () => onChoice(value));
    fieldset.append(make("label", {}, input, make("span", { textContent: name })));
  }
}

export const choice = (fieldset) => fieldset.querySelector("input:checked")?.value;

/** Selects a value without calling `onChoice`. */
export function choose(fieldset, value) {
  for (const input of fieldset.querySelectorAll("input")) input.checked = input.value === String(value);
}
