/** How this device shows and offers amounts, and whether characters are keys: kept on the device alone. */

import { keep, kept } from "../device/store.js";
import { amount, useEffect, useReducer } from "../html.js";

/** @typedef {{unit: "chips" | "blinds", presets: string[], letters: boolean}} BettingSettings */

/** @type {BettingSettings} */
const USUAL = { letters: true, presets: ["3 bb", "1/2 pot", "pot"], unit: "chips" };
const KEY = "betting";
/** The maximum number of presets that fit beside the minimum and the maximum on a phone. */
export const MOST_PRESETS = 4;

/** @type {Set<() => void>} */
const listeners = new Set();

/** @returns {BettingSettings} */
export const settings = () => ({ ...USUAL, ...kept("localStorage", KEY) });

/** @param {Partial<BettingSettings>} changed */
export function changeSettings(changed) {
  keep("localStorage", KEY, { ...settings(), ...changed });
  for (const listener of listeners) listener();
}

/** Return the settings, and draw again when they change. */
export function useSettings() {
  const [, redraw] = useReducer((count) => count + 1, 0);
  useEffect(() => {
    const listener = () => redraw(undefined);
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, []);
  return settings();
}

/** @typedef {{of: "pot" | "bb" | "chips", times: number}} Preset */

/**
 * Read a preset as people write it: 1/2 pot, 75%, pot, 3 bb, 40. Return null for anything else.
 * @param {string} text
 * @returns {Preset | null}
 */
export function readPreset(text) {
  const found = /^(?:(\d+)\/(\d+)|(\d+(?:\.\d+)?))?\s*(%|pots?|bb)?$/i.exec(text.trim());
  if (!found || text.trim() === "") return null;
  const [, over, under, number, unit = "chips"] = found;
  const times = over ? Number(over) / Number(under) : Number(number ?? 1);
  if (!Number.isFinite(times) || times <= 0) return null;
  if (unit === "%") return { of: "pot", times: times / 100 };
  if (unit === "chips") return number === undefined ? null : { of: "chips", times };
  return { of: unit.toLowerCase() === "bb" ? "bb" : "pot", times };
}

/** The big blind, if the game has blinds. @param {any} view @returns {number | null} */
export const bigBlind = (view) => view?.rules?.blinds?.big || null;

/**
 * Return a function that writes an amount: in chips, or in big blinds if the device prefers those and the game has
 * them.
 * @param {any} view
 * @param {"chips" | "blinds"} unit
 * @returns {(chips: number) => string}
 */
export function sayer(view, unit) {
  const big = bigBlind(view);
  if (unit === "chips" || !big) return amount;
  return (chips) => `${amount(Math.round((10 * chips) / big) / 10)} bb`;
}

/** Return an amount as it was said, with its unit. @param {string} said */
export const withUnit = (said) => (said.endsWith(" bb") ? said : `${said} chips`);

/**
 * Return the amounts to offer, smallest first: the minimum, the device's presets in between, and the maximum.
 * @param {{view: any, seat: any, legal: any, presets: string[]}} now
 * @returns {{label: string, value: number}[]}
 */
export function amountsOffered({ view, seat, legal, presets }) {
  const [least, most] = legal.bet ?? legal.raise_to;
  const pot = view.pot + (legal.call || 0);
  const base = legal.bet ? 0 : seat.put + (legal.call || 0);
  const big = bigBlind(view);
  const own = presets.flatMap((text) => {
    const preset = readPreset(text);
    if (preset === null || (preset.of === "bb" && !big)) return [];
    const { of, times } = preset;
    const value = Math.round(of === "pot" ? base + times * pot : times * (of === "bb" ? Number(big) : 1));
    return value > least && value < most ? [{ label: sayPreset(preset), value }] : [];
  });
  const between = own
    .sort((one, other) => one.value - other.value)
    .filter(({ value }, at, all) => value !== all[at - 1]?.value);
  return [{ label: "Least", value: least }, ...between, { label: "Most", value: most }];
}

/** @type {Record<string, string>} */
const FRACTIONS = { 0.25: "¼", 0.5: "½", 0.75: "¾" };

/** @param {Preset} preset */
function sayPreset({ of, times }) {
  const rounded = String(Number(times.toFixed(2)));
  if (of === "pot") return times === 1 ? "Pot" : `${FRACTIONS[rounded] ?? rounded} pot`;
  return of === "bb" ? `${rounded} bb` : amount(times);
}

/** The step by which a key or the wheel changes an amount. @param {any} view */
export const stepOf = (view) => bigBlind(view) ?? Math.max(1, view.rules.betting.minimum ?? 1);
