/** The form of stored data: canonical JSON, which can be written in only one way, with a fixed set of fields for each
type. */

import { isHex } from "./bytes.js";
import { numberOf } from "./cards.js";

/** @type {(least: number, most?: number) => Form} */
export const whole =
  (least, most = 2 ** 53 - 1) =>
  (value) =>
    Number.isInteger(value) && least <= value && value <= most;

/** @type {(least?: number, most?: number, pattern?: RegExp) => Form} By default any text that UTF-8 can write. */
export const text =
  (least = 0, most = 1 << 20, pattern = /^\P{Surrogate}*$/u) =>
  (value) => {
    const length = typeof value === "string" ? [...value].length : -1;
    return least <= length && length <= most && pattern.test(value);
  };

/** Printable text, including letters newer than the browser. */
export const id = text(1, 1 << 20, /^(?:[^\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{NChar}\p{Z}]| )+$/u);

/** @type {(most: number) => Form} A player's name. */
export const name = (most) => text(1, most, /^(?! )(?:[^\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{NChar}\p{Z}]| )+(?<! )$/u);

/** @type {(name: string) => string} A name in the form in which names are compared. */
export const folded = (name) => name.toUpperCase().toLowerCase();

/** @type {(...values: unknown[]) => Form} */
export const one =
  (...values) =>
  (value) =>
    values.includes(value);

/** @type {(bytes: number) => Form} */
export const hex = (bytes) => (value) => isHex(value, bytes);

/** @type {Form} */
export const card = (value) => numberOf(value) >= 0;

/** @type {(of: Form, least?: number, most?: number) => Form} */
export const list =
  (of, least = 0, most = 1 << 20) =>
  (value) =>
    Array.isArray(value) && least <= value.length && value.length <= most && value.every((one) => fits(one, of));

/** @type {(...forms: Form[]) => Form} */
export const either =
  (...forms) =>
  (value) =>
    forms.some((form) => fits(value, form));

/** @type {(form: Form) => Form} */
export const maybe = (form) => either(one(null), form);

/** @type {(form: Form) => Form} A field that may be left out. */
export const optional = (form) => either(one(undefined), form);

/**
 * Return whether a value is of a form; an object has the fields of its form, in their order, and no others.
 * @type {(value: any, form: Form) => boolean}
 */
export function fits(value, form) {
  if (typeof form === "function") return form(value);
  return (
    value?.constructor === Object &&
    canonical(Object.keys(value)) === canonical(Object.keys(form).filter((field) => value[field] !== undefined)) &&
    Object.entries(form).every(([field, of]) => fits(value[field], of))
  );
}

/**
 * Return a value as the log writes it: no spaces, in ASCII. The order of fields is left as it is.
 * @param {unknown} value
 */
export const canonical = (value) =>
  JSON.stringify(value).replace(/[\x7f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

/**
 * Return the value of a text; undefined if it is not JSON, or not in canonical form.
 * @param {string} json
 */
export function parsed(json) {
  try {
    const value = JSON.parse(json);
    return canonical(value) === json ? value : undefined;
  } catch {
    return undefined;
  }
}
