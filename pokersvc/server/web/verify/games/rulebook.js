/**
 * What a game's module gives: a fold over the game's events that checks what their reader can see.
 *
 * `take` raises a `Problem` for an event that cannot be, and returns false for one of a type that it does not know.
 * `open` takes the secrets that were opened after the game, by the numbers of their events, each as its JSON says.
 *
 * @typedef {object} Rulebook
 * @property {boolean} hasDecks whether cards are dealt from decks that seeds shuffle
 * @property {(event: GameEvent) => boolean} take
 * @property {(opened: ReadonlyMap<number, any>) => void} open
 * @property {(seat: number) => void} replaced another person holds a seat from here on
 * @property {() => void} caughtUp all events that there are were taken
 * @property {(checked: Readonly<Checked>) => string[]} checks what was checked, a sentence each
 * @property {() => string[]} unseen what cannot be seen, a sentence each
 * @property {Standing} [standing] where the game stands, if its seats can shuffle together
 */

/**
 * Where a game stands, for a table that shuffles together.
 *
 * @typedef {object} Standing
 * @property {readonly number[]} awaited the seats that are to choose
 * @property {readonly number[]} dealt the seats that are in the round
 * @property {readonly number[] | null} dealsTo the seats that are dealt in, where a round begins next that needs a new
 *   shuffle; null elsewhere
 * @property {readonly number[]} [seated] the seats that are in the game, where people come and go
 * @property {(event: GameEvent) => boolean} chosen whether an event is somebody's choice, not the dealer's
 */

/**
 * An event as a game reads it. What its JSON holds is checked where it is used.
 *
 * @typedef {object} GameEvent
 * @property {number} seq
 * @property {string} type
 * @property {number} version
 * @property {string} at when it was recorded
 * @property {string} command
 * @property {number} n its number in the command, from 1
 * @property {string} hash
 * @property {any} payload
 * @property {any} secret null where there is none, or where it is withheld
 * @property {boolean} withheld whether there is a secret that is not here
 */

/** @typedef {import("../verdict.js").Checked} Checked */

export {};
