/** The table that somebody wants to make: its form's initial values, the values it takes over, and its request. */

export const NO_CLOCK = { bank: 0, label: "No clock", seconds: 0 };
export const CLOCKS = [
  NO_CLOCK,
  { bank: 60, label: "Quick: 15 s", seconds: 15 },
  { bank: 120, label: "Normal: 30 s", seconds: 30 },
  { bank: 600, label: "Slow: 2 minutes", seconds: 120 },
];

/** The suffix of the name under which the form keeps an option's values for single players: stack.each is Ann=500. */
export const EACH = ".each";

/** @param {GameInfo} game */
const usualHouse = (game) => (game.houses.find((house) => house.usual) ?? game.houses[0])?.name ?? "";

/**
 * Return chairs: the person's own, then those of other people, then bots.
 * @param {GameInfo} game @param {string} mine one's own name @param {number} seats @param {number} people
 * @returns {Chair[]}
 */
function chairsFor(game, mine, seats, people) {
  return Array.from({ length: seats }, (_, at) => ({
    name: at === 0 ? mine : "",
    program: game.default_program,
    who: at === 0 ? "me" : at < people ? "open" : "program",
  }));
}

/**
 * Return the initial values of a form for a game: the person against bots, in the usual house.
 * @param {GameInfo} game @param {string} mine
 * @returns {WantedTable}
 */
export function usual(game, mine) {
  return {
    advice: true,
    bank: 0,
    chairs: chairsFor(game, mine, game.default_seats, 1),
    house: usualHouse(game),
    kind: game.kind,
    open: false,
    opens: false,
    options: {},
    rounds: null,
    seconds: 0,
    title: "",
    together: false,
  };
}

/**
 * Return a table for the person against a bot, in a house that the game has.
 * @param {GameInfo} game @param {Opponent} opponent @param {string} mine
 * @returns {WantedTable}
 */
export function opposite(game, { house, program, seats }, mine) {
  const begun = usual(game, mine);
  const known = game.programs.includes(program) ? program : game.default_program;
  return {
    ...begun,
    chairs: chairsFor(game, mine, Math.max(game.seats.least, Math.min(game.seats.most, seats)), 1).map((chair) => ({
      ...chair,
      program: known,
    })),
    house: game.houses.some((one) => one.name === house) ? house : begun.house,
  };
}

/**
 * Return the form's values for a ready-made table of the server, or for the last table made on this device.
 * @param {GameInfo} game @param {ReadyTable} ready @param {string} mine
 * @returns {WantedTable}
 */
export function readyMade(game, ready, mine) {
  const { rules, ...options } = ready.options;
  const settings = ready.settings;
  const chairs = ready.chairs?.map((chair) => ({
    name: chair.who === "me" ? mine : "",
    program: game.programs.includes(chair.program) ? chair.program : game.default_program,
    who: chair.who,
  }));
  return {
    ...usual(game, mine),
    advice: settings.advice ?? true,
    bank: settings.bank ?? 0,
    chairs: chairs ?? chairsFor(game, mine, ready.seats, ready.people),
    house: game.houses.some((house) => house.name === rules) ? rules : usualHouse(game),
    open: ready.public ?? false,
    opens: settings.opens_seeds ?? false,
    options,
    rounds: ready.rounds,
    seconds: settings.seconds ?? 0,
    together: settings.dealing === "together",
  };
}

/**
 * Return what this device keeps of an accepted table: nobody's name, and no stack that is somebody's own.
 * @param {GameInfo} game @param {WantedTable} wanted
 * @returns {ReadyTable}
 */
export function remembered(game, wanted) {
  const names = Object.keys(wanted.options).filter((name) => !name.endsWith(EACH));
  const {
    kind,
    options,
    rounds,
    public: open,
    settings,
  } = bodyOf(game, {
    ...wanted,
    options: Object.fromEntries(names.map((name) => [name, wanted.options[name]])),
  });
  const chairs = wanted.chairs.map(({ who, program }) => ({ program, who: who === "person" ? "open" : who }));
  return { chairs, kind, options, people: 0, public: open, rounds, seats: 0, settings, title: "The last table again" };
}

/**
 * Return `count` chairs: the first ones stay, and new ones are like the last one.
 * @param {Chair[]} chairs @param {number} count
 * @returns {Chair[]}
 */
export function resized(chairs, count) {
  const { program = "", who = "open" } = chairs.at(-1) ?? {};
  /** @type {Chair} */
  const more = { name: "", program, who: who === "program" ? who : "open" };
  return Array.from({ length: count }, (_, at) => chairs[at] ?? more);
}

/**
 * Return the chairs with `bots` bots on the last ones that are not the person's own; other former bots' chairs are
 * free.
 * @param {Chair[]} chairs @param {number} bots
 * @returns {Chair[]}
 */
export function withBots(chairs, bots) {
  let left = bots;
  /** @param {Chair} chair @returns {Chair} */
  const turned = (chair) => {
    if (chair.who === "me") return chair;
    left -= 1;
    if (left >= 0) return { ...chair, who: "program" };
    return { ...chair, who: chair.who === "program" ? "open" : chair.who };
  };
  return [...chairs].reverse().map(turned).reverse();
}

/** @param {OptionInfo} option */
export const isFlag = ({ type }) => type === "boolean";

/**
 * Return the options without those of the last house that the next one has no value for.
 * @param {GameInfo} game @param {Record<string, any>} options @param {string} house
 */
export function inHouse(game, options, house) {
  const values = game.houses.find((one) => one.name === house)?.values ?? {};
  const gone = game.options
    .filter((option) => option.first && !(option.name in values || isFlag(option)))
    .map((option) => option.name);
  return Object.fromEntries(Object.entries(options).filter(([name]) => !gone.includes(name)));
}

/**
 * Return the options that the form shows at once in a house; the others stand under "More".
 * @param {GameInfo} game @param {string} house
 */
export function firstOptions(game, house) {
  const values = game.houses.find((one) => one.name === house)?.values;
  return game.options.filter((option) => option.first && (!values || option.name in values || isFlag(option)));
}

/**
 * Return the request that makes the table.
 * @param {GameInfo} game @param {WantedTable} wanted
 * @returns {{kind: string, name: string, options: Record<string, any>, public: boolean, rounds: number | null, seats: ({name: string} | {program: string} | null)[], settings: Partial<TableSettings>}}
 */
export function bodyOf(game, wanted) {
  /** @type {Record<string, any>} */
  const options = game.houses.length ? { rules: wanted.house } : {};
  for (const { name } of game.options) {
    const values = [wanted.options[name], wanted.options[name + EACH]].filter((value) => value !== undefined);
    if (values.length > 0) options[name] = values.length > 1 ? values.join(", ") : values[0];
  }
  const { advice, bank, opens, seconds } = wanted;
  return {
    kind: wanted.kind,
    name: wanted.title.trim(),
    options,
    public: wanted.open,
    rounds: game.rounds ? wanted.rounds : null,
    seats: wanted.chairs.map(({ who, name, program }) =>
      who === "program" ? { program } : who === "open" ? null : { name: name.trim() },
    ),
    settings: {
      advice,
      bank,
      opens_seeds: opens,
      seconds,
      ...(wanted.together && game.shuffles && { dealing: "together" }),
    },
  };
}
