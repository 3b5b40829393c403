/**
 * What the server sends, and what the parts of the page hand to each other. Types only.
 *
 * @typedef {object} Settings How a table is kept.
 * @property {number} seconds for a choice; 0: no clock
 * @property {number} bank seconds in reserve for each seat
 * @property {boolean} advice whether exact advice is given
 * @property {boolean} opens_seeds whether every deck is opened after the game
 * @property {"dealer" | "together"} [dealing] who shuffles
 * @property {number} [share_seconds] how long shares of a common shuffle are waited for
 *
 * @typedef {object} SeatInfo
 * @property {number} seat from 1
 * @property {string | null} name
 * @property {string} kind "human", "empty", or the name of a program
 * @property {boolean} came whether somebody has opened the link of the seat, or a bot sits there
 *
 * @typedef {object} TableInfo What everybody may know of a table.
 * @property {string} table its id
 * @property {string} name the table's own, or ""
 * @property {Record<string, any>} options the game's own
 * @property {number | null} rounds
 * @property {string} kind
 * @property {"waiting" | "playing" | "over"} status
 * @property {boolean} public
 * @property {Settings} settings
 * @property {SeatInfo[]} seats
 *
 * @typedef {object} StoredRecord One event, for one viewer, as it is stored.
 * @property {number} seq
 * @property {string} type
 * @property {number} version
 * @property {string} recorded_at
 * @property {string} command_id
 * @property {number} n
 * @property {string} payload
 * @property {string} [secret]
 * @property {string} [salt]
 * @property {string} [digest]
 * @property {string} hash
 *
 * @typedef {object} Happening An event as the page's games read it.
 * @property {number} seq
 * @property {string} type
 * @property {any} fields
 *
 * @typedef {object} ClockNow
 * @property {boolean} paused
 * @property {number} seconds
 * @property {Record<string, number>} bank milliseconds left in reserve, by seat
 * @property {Record<string, string>} deadline moments, by seat
 * @property {string} now
 *
 * @typedef {object} Snapshot Where a game stands, for one viewer.
 * @property {number} count
 * @property {string | null} head
 * @property {string} kind
 * @property {string} status
 * @property {boolean} pausing
 * @property {boolean} [ends_next] whether too few can be dealt in for a next round
 * @property {boolean} closable whether the host may close the game now
 * @property {number[]} awaited
 * @property {boolean} your_turn
 * @property {any} legal
 * @property {any} view
 * @property {string | null} [ask]
 * @property {string[]} [show]
 * @property {ClockNow | null} clock
 * @property {{deadline: string | null, waiting: number[], due: boolean} | null} [shares] how the table shuffles together
 * @property {boolean} [paused] for all
 * @property {number[]} sitting_out
 * @property {Line[]} lines
 * @property {string[]} [beforehand] what a seat should know before the next round
 * @property {string[]} [between] what a seat may type then
 * @property {{scores: number[], ranks: number[]} | null} outcome
 *
 * @typedef {{seq: number, text: string}} Line An event in words.
 *
 * @typedef {{type: string, [field: string]: any}} GameAction
 *
 * @typedef {object} Sent A choice on its way; it has not happened until its event comes.
 * @property {string} id
 * @property {string} label
 *
 * @typedef {object} Advice
 * @property {string[]} text
 * @property {GameAction | null} best
 * @property {string} [worth] of the best
 *
 * @typedef {object} GameProps What the screen of a game is given.
 * @property {any} view
 * @property {Snapshot} snapshot
 * @property {number | null} me the seat at which one sits
 * @property {any} legal null where one has nothing to choose
 * @property {Sent | null} sent
 * @property {(action: GameAction, label: string) => void} act
 * @property {Happening[]} happened what happened, oldest first
 * @property {boolean} still nothing moves: a replay that jumps
 * @property {Advice | null} advice
 * @property {boolean} asking whether advice was asked for and has not come
 * @property {(() => void) | null} ask asks for advice; null where the table gives none
 *
 * @typedef {object} GameScreen
 * @property {(props: GameProps) => import("../vendor/preact.js").VNode} Board
 * @property {(text: string, props: {view: any, legal: any, me: number | null}) => string} [typed]
 *   what a typed text is for the server, where the screen shows things in another order
 * @property {(legal: any) => string} [examples] what may be typed now
 * @property {(view: any, me: number) => boolean} [pressing] whether a seat has to heed what it is told before a round
 */
export {};
