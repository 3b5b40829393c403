/**
 * Draw poker in all its houses: chips, turns and awards are checked as they come, and the cards that the viewer sees;
 * once the seeds are open, every deck is dealt again.
 */

import { strength } from "../../cards.js";
import { move, Problem, result } from "../../problem.js";
import { counted } from "../../verdict.js";
import { Cards } from "./cards.js";
import { cashHandlers } from "./cash.js";
import { discards, draws, forgoesDraw, mostDiscards, outOfPlay, reshuffled, standsPat } from "./draws.js";
import { posted } from "./posts.js";
import { potsOf, sharesOf } from "./pots.js";
import { next } from "./seats.js";
import { mayCome, standingOf } from "./standing.js";
import { anteSettled, dealt, nextBlind, postBlind, startRound, surrender } from "./start.js";
import { calls, checks, folds, forgoes, opened, openerChosen, raises, returned } from "./streets.js";
import { HAND, Table } from "./table.js";

/** @implements {Rulebook} */
export class DrawPoker {
  hasDecks = true;
  #checked;
  #table;
  #cards;

  /** @type {Readonly<Record<Phase, Handlers>>} Which events each phase can take. */
  #handlers = {
    between: {
      RoundStarted: (event) => startRound(this.#table, event),
      PlayerLeft: (event) => this.#left(event),
      ...cashHandlers(
        () => this.#table,
        (event, amount) => this.#moves(event, amount),
      ),
      PotAwarded: (event) => this.#leftInThePot(event),
      HandsRevealed: (event) => this.#reveal(event),
      GameClosed: () => this.#close(),
      GameEnded: (event) => this.#end(event),
    },
    antes: { AntePosted: (event) => this.#ante(event), PlayerLeft: (event) => this.#surrender(event) },
    blinds: { BlindPosted: (event) => this.#blind(event), Posted: (event) => this.#post(event) },
    shuffle: { DeckShuffled: (event) => this.#shuffle(event) },
    deal: { HandDealt: (event) => this.#deal(event) },
    opener: { OpenerChosen: (event) => this.#opener(event) },
    betting: {
      Checked: (event) => this.#check(event),
      Bet: (event) => this.#bet(event),
      Called: (event) => this.#call(event),
      Raised: (event) => this.#raise(event),
      Folded: (event) => this.#fold(event),
      Forfeited: (event) => this.#fold(event),
      RoundForgone: (event) => this.#forgo(event, forgoes),
    },
    return: { UncalledBetReturned: (event) => this.#uncalled(event) },
    draw: {
      CardsDiscarded: (event) => this.#discard(event),
      Forfeited: (event) => this.#standPat(event),
      RoundForgone: (event) => this.#forgo(event, forgoesDraw),
    },
    serve: { CardsDrawn: (event) => this.#draw(event), DeckReshuffled: (event) => this.#reshuffle(event) },
    open: { HandsOpened: (event) => this.#openHands(event) },
    showdown: { HandShown: (event) => this.#show(event), HandMucked: (event) => this.#muck(event) },
    rake: { RakeTaken: (event) => this.#rake(event) },
    award: { PotAwarded: (event) => this.#award(event) },
    carry: { RemainderCarried: (event) => this.#carry(event) },
    round_end: { RoundEnded: (event) => this.#endRound(event) },
    over: {},
  };
  #types = new Set(Object.values(this.#handlers).flatMap(Object.keys));

  /**
   * @param {GameEvent} started
   * @param {number | null} seat
   * @param {Checked} checked
   */
  constructor(started, seat, checked) {
    this.#checked = checked;
    this.#table = new Table(started);
    this.#cards = new Cards(seat, checked);
  }

  get standing() {
    return standingOf(this.#table);
  }

  /** @param {GameEvent} event */
  take(event) {
    if (!this.#types.has(event.type)) return false;
    const { phase } = this.#table;
    const handler = this.#handlers[phase][event.type];
    if (handler === undefined || (phase === "between" && !mayCome(this.#table, event))) {
      throw move(event, "something else is due");
    }
    handler(event);
    return true;
  }

  /** @param {ReadonlyMap<number, any>} opened */
  open(opened) {
    this.#cards.open(opened);
  }

  /** @param {number} seat */
  replaced(seat) {
    this.#cards.replaced(seat);
  }

  caughtUp() {
    this.#cards.caughtUp();
  }

  /** @param {Readonly<Checked>} checked */
  checks(checked) {
    const { chips, moves, results, hands, decks, decksInPart, cards } = checked;
    const checks = [];
    if (chips > 0)
      checks.push(
        `${counted(chips, "movement")} of chips: antes, blinds, bets and payouts, on stacks of the verifier's own.`,
      );
    if (moves > 0) checks.push(`${counted(moves, "choice")}, each in turn.`);
    if (hands > 0)
      checks.push(`${counted(hands, "hand")} in sight: five different cards, and the same whenever shown.`);
    if (results > 0) checks.push("Who won each pot, and how much, from the hands that were shown.");
    if (decks > 0)
      checks.push(`${counted(decks, "deck")} dealt again from the seeds: ${counted(cards, "card")} compared.`);
    if (decksInPart > 0) checks.push(`${counted(decksInPart, "deck")} of hidden discards, as far as they were shown.`);
    return checks;
  }

  unseen() {
    return ["Whether each bet kept to the limits of its house: `pokersvc verify` checks that."];
  }

  /**
   * Count a movement of chips; a `Problem` if it is not the one that the table asks for.
   * @param {GameEvent} event
   * @param {number} amount
   */
  #moves(event, amount) {
    if (event.payload.amount !== amount) {
      const { seq, payload } = event;
      throw new Problem("chips", seq, `Event ${seq} moves ${payload.amount} chips; it should move ${amount}.`);
    }
    this.#checked.chips += 1;
  }

  /**
   * @param {GameEvent} event
   * @param {number} seat
   */
  #isFor(event, seat) {
    if (event.payload.seat !== seat) throw move(event, `it is for seat ${seat}`);
  }

  /** @param {GameEvent} event */
  #inTurn(event) {
    this.#isFor(event, this.#table.actor);
    this.#checked.moves += 1;
  }

  /** @param {GameEvent} event */
  #ante(event) {
    const { seat } = event.payload;
    this.#isFor(event, next(this.#table.pending, this.#table.button));
    if (this.#surrenders(seat)) throw move(event, "that seat surrenders");
    const amount = Math.min(this.#table.stack(seat), this.#table.ante);
    this.#moves(event, amount);
    this.#table.pay(seat, amount);
    anteSettled(this.#table, seat);
  }

  /** @param {number} seat */
  #surrenders(seat) {
    const { ante, rules } = this.#table;
    return rules.ante.short === "surrender" && this.#table.stack(seat) < ante;
  }

  /** @param {GameEvent} event */
  #surrender(event) {
    this.#isFor(event, next(this.#table.pending, this.#table.button));
    if (!this.#surrenders(event.payload.seat) || event.payload.reason !== "short") throw move(event, "an ante is due");
    this.#moves(event, this.#table.stack(event.payload.seat));
    this.#table.leave(event.payload.seat, event.payload.amount);
    surrender(this.#table, event.payload.seat);
  }

  /** @param {GameEvent} event */
  #left(event) {
    if (!this.#table.seated.includes(event.payload.seat)) throw move(event, "that seat is not in the game");
    this.#moves(event, 0);
    this.#table.leave(event.payload.seat, 0);
  }

  /** @param {GameEvent} event */
  #post(event) {
    const { kind, seat, amount } = event.payload;
    const post = this.#table.posts[0];
    if (post === undefined || post.kind !== (kind ?? event.payload.blind)) throw move(event, "another post is due");
    this.#isFor(event, post.seat);
    this.#moves(event, Math.min(post.amount, this.#table.stack(seat)));
    posted(this.#table, post, amount);
  }

  /** @param {GameEvent} event */
  #rake(event) {
    const { pots, rakedPot, rakeDue } = this.#table;
    const amount = Math.min(rakeDue, rakedPot?.amount ?? 0);
    if (rakedPot === undefined || event.payload.pot !== pots.indexOf(rakedPot) + 1)
      throw move(event, "another pot pays");
    this.#moves(event, amount);
    this.#table.rake(amount);
  }

  /** @param {GameEvent} event */
  #blind(event) {
    if (this.#table.posts.length > 0) {
      this.#post(event);
      return;
    }
    const blind = nextBlind(this.#table);
    this.#isFor(event, blind.seat);
    if (event.payload.blind !== blind.blind) throw move(event, `the ${blind.blind} blind is due`);
    this.#moves(event, blind.amount);
    postBlind(this.#table, blind);
  }

  /** @param {GameEvent} event */
  #shuffle(event) {
    this.#cards.shuffle(event, this.#table.round);
    this.#table.shuffled();
  }

  /** @param {GameEvent} event */
  #deal(event) {
    const { seat, count } = event.payload;
    this.#isFor(event, next(this.#table.pending, this.#table.button));
    if (count !== HAND) throw move(event, "a hand has five cards");
    this.#cards.deal(event);
    dealt(this.#table, seat);
  }

  /** @param {GameEvent} event */
  #opener(event) {
    const { betting, seat } = event.payload;
    const { pending, street } = this.#table;
    if (betting !== street || !pending.includes(seat)) throw move(event, "that seat cannot open this betting round");
    this.#cards.chooseOpener(event, pending);
    openerChosen(this.#table, seat);
  }

  /** @param {GameEvent} event */
  #check(event) {
    this.#inTurn(event);
    if (this.#table.owes(event.payload.seat) > 0) throw move(event, "there is a bet to call");
    if (this.#table.price === 0 && !this.#table.mayCheck) throw move(event, "nobody checks in this betting round");
    checks(this.#table, event.payload.seat);
  }

  /** @param {GameEvent} event */
  #bet(event) {
    this.#inTurn(event);
    const { amount, seat } = event.payload;
    if (this.#table.price > 0) throw move(event, "there is a bet already");
    this.#raiseTo(event, amount, seat, amount);
  }

  /** @param {GameEvent} event */
  #raise(event) {
    this.#inTurn(event);
    const { amount, seat, to } = event.payload;
    if (to <= this.#table.price) throw move(event, `a raise must be above ${this.#table.price}`);
    this.#moves(event, to - Number(this.#table.put[seat]));
    this.#checked.chips -= 1;
    this.#raiseTo(event, amount, seat, to);
  }

  /** @type {(event: GameEvent, amount: number, seat: number, price: number) => void} */
  #raiseTo(event, amount, seat, price) {
    const stack = this.#table.stack(seat);
    if (amount < 1 || amount > stack) {
      throw new Problem("chips", event.seq, `Event ${event.seq} bets ${amount} chips; seat ${seat} has ${stack}.`);
    }
    this.#checked.chips += 1;
    raises(this.#table, seat, amount, price);
  }

  /** @param {GameEvent} event */
  #call(event) {
    this.#inTurn(event);
    const { amount, seat } = event.payload;
    this.#moves(event, Math.min(this.#table.owes(seat), this.#table.stack(seat)));
    calls(this.#table, seat, amount);
  }

  /** @param {GameEvent} event */
  #fold(event) {
    const isChosen = event.type === "Forfeited" || event.payload.reason === "chosen";
    if (isChosen !== this.#table.actor > 0) throw move(event, "it is chosen where the seat is to act, else short");
    if (isChosen) this.#inTurn(event);
    else this.#isFor(event, this.#table.short);
    const isFree = isChosen && event.type === "Folded" && this.#table.owes(event.payload.seat) <= 0;
    if (isFree && !this.#table.rules.betting.fold_free) throw move(event, "there is no bet to fold to");
    folds(this.#table, event.payload.seat);
  }

  /** @type {(event: GameEvent, forgo: (table: Table, seat: number) => void) => void} */
  #forgo(event, forgo) {
    const { seat } = event.payload;
    if (this.#table.actor === 0) throw move(event, "no seat is to choose");
    if (!this.#table.live.includes(seat)) throw move(event, `seat ${seat} is not in the round`);
    forgo(this.#table, seat);
  }

  /** @param {GameEvent} event */
  #uncalled(event) {
    const uncalled = this.#table.uncalled();
    if (uncalled === null) throw move(event, "every bet was called");
    this.#isFor(event, uncalled.seat);
    this.#moves(event, uncalled.amount);
    returned(this.#table, uncalled);
  }

  /** @param {GameEvent} event */
  #discard(event) {
    this.#inTurn(event);
    const { seat, count } = event.payload;
    const most = mostDiscards(this.#table);
    if (count > most) throw move(event, `${most} may be discarded`);
    this.#cards.discard(event);
    discards(this.#table, seat, count);
  }

  /** @param {GameEvent} event */
  #standPat(event) {
    this.#inTurn(event);
    standsPat(this.#table, event.payload.seat);
  }

  /** @param {GameEvent} event */
  #draw(event) {
    const { seat, count } = event.payload;
    const { cursor, need, deckLeft } = this.#table;
    this.#isFor(event, cursor);
    if (count !== Math.min(need, deckLeft) || count < 1) throw move(event, `${need} cards are due from ${deckLeft}`);
    this.#cards.draw(event);
    draws(this.#table, seat, count);
  }

  /** @param {GameEvent} event */
  #reshuffle(event) {
    const { count, number } = event.payload;
    const from = outOfPlay(this.#table);
    if (this.#table.deckLeft > 0) throw move(event, "the deck has cards left");
    this.#cards.reshuffle(event, from);
    reshuffled(this.#table, from);
    if (count !== this.#table.deckLeft || number !== this.#table.reshuffles) {
      throw move(event, `${this.#table.deckLeft} cards are out of play`);
    }
  }

  /** @param {GameEvent} event */
  #openHands(event) {
    const { hands } = event.payload;
    const seats = hands.map((/** @type {{ seat: number }} */ hand) => hand.seat);
    if (seats.join() !== this.#table.live.join()) throw move(event, "the hands of all who are still in are due");
    for (const { seat, cards } of hands) this.#cards.show(event.seq, seat, cards);
    this.#table.shown = seats;
    opened(this.#table);
  }

  /** @param {GameEvent} event */
  #show(event) {
    const { seat, cards } = event.payload;
    this.#isFor(event, this.#table.toShow);
    this.#cards.show(event.seq, seat, cards);
    if (!this.#isUnbeaten(seat)) throw move(event, "that hand is beaten");
    this.#table.shown = [...this.#table.shown, seat];
    this.#table.settles(seat);
  }

  /** @param {GameEvent} event */
  #muck(event) {
    const { seat } = event.payload;
    this.#isFor(event, this.#table.toShow);
    if (this.#isUnbeaten(seat)) throw move(event, "that hand is not beaten, or every hand is shown");
    this.#table.settles(seat);
  }

  /**
   * Tell whether a seat has to show its hand: no hand shown so far beats it in some pot, or a player is all in. A hand
   * that is not known is beaten by any.
   * @param {number} seat
   */
  #isUnbeaten(seat) {
    const { allIn, rules, pot, staked, live, shown } = this.#table;
    if (allIn.length > 0 && !rules.muck_all_in) return true;
    const pots = allIn.length > 0 ? potsOf(pot, staked, live) : [{ amount: pot, eligible: live }];
    return pots.some(({ eligible }) => {
      const others = shown.filter((other) => eligible.includes(other));
      return eligible.includes(seat) && others.every((other) => this.#worth(other) <= this.#worth(seat));
    });
  }

  /** @param {number} seat */
  #worth(seat) {
    const hand = this.#cards.handOf(seat);
    return hand === undefined ? 0 : strength(hand);
  }

  /** @param {GameEvent} event */
  #award(event) {
    const { pot: number, reason } = event.payload;
    const { pots, onlyOneLeft, shown, rules, button } = this.#table;
    const pot = pots.at(-1);
    const eligible = pot?.eligible ?? [];
    const best = Math.max(...eligible.filter((seat) => shown.includes(seat)).map((seat) => this.#worth(seat)));
    const winners = onlyOneLeft
      ? eligible
      : eligible.filter((seat) => shown.includes(seat) && this.#worth(seat) === best);
    if (number !== pots.length || reason !== (onlyOneLeft ? "last_in" : "showdown")) {
      throw result(event, `pot ${pots.length} is due`);
    }
    this.#payOut(event, sharesOf(pot?.amount ?? 0, winners, { oddChips: rules.remainder === "odd_chips", button }));
    this.#table.awarded();
  }

  /** @param {GameEvent} event */
  #leftInThePot(event) {
    const { pot, leaders } = this.#table;
    if (event.payload.reason !== "game_end" || pot === 0) throw move(event, "no round is on");
    this.#payOut(event, [{ amount: pot, seat: Number(leaders[0]) }]);
  }

  /** @type {(event: GameEvent, shares: Share[]) => void} */
  #payOut(event, shares) {
    const written = (/** @type {Share[]} */ list) =>
      list.map(({ amount, seat }) => `${amount} to seat ${seat}`).join(", ");
    if (written(event.payload.shares) !== written(shares)) throw result(event, `it pays ${written(shares)}`);
    this.#table.payOut(shares);
    this.#checked.chips += shares.length;
    this.#checked.results += 1;
  }

  /** @param {GameEvent} event */
  #carry(event) {
    this.#moves(event, this.#table.pot);
    this.#table.phase = "round_end";
  }

  /** @param {GameEvent} event */
  #endRound(event) {
    const { holds, past, round, rules, seats, shown } = this.#table;
    if (event.payload.round !== round) throw move(event, `it is round ${round}`);
    const hidden = seats.filter((seat) => Number(holds[seat]) > 0 && !shown.includes(seat));
    if (rules.history === "all" && hidden.length > 0) past.push({ round, seats: hidden });
    this.#table.phase = "between";
  }

  /** @param {GameEvent} event */
  #reveal(event) {
    const { round, seats } = this.#table.past.shift() ?? { round: 0, seats: [] };
    const shown = event.payload.hands.map((/** @type {{ seat: number }} */ hand) => hand.seat);
    if (event.payload.round !== round || shown.join() !== seats.join()) {
      throw move(event, `the hands of the seats ${seats.join(", ")} in round ${round} are due`);
    }
    this.#cards.reveal(event);
  }

  #close() {
    this.#table.closed = true;
  }

  /** @param {GameEvent} event */
  #end(event) {
    const { stacks, winners } = event.payload;
    const own = this.#table.stacks.slice(1);
    if (this.#table.past.length > 0) throw move(event, "hands are to be revealed first");
    if (stacks.join() !== own.join()) throw result(event, `the stacks are ${own.join(", ")}`);
    if (winners.join() !== this.#table.leaders.join()) throw result(event, `the largest stacks are others`);
    this.#table.phase = "over";
    this.#checked.results += 1;
  }
}
