// Everybody at the tables of boardgame.io, as `client.py` and `load.py` are at those of pokersvc:
// `node clients.cjs PORT TABLES RATE SECONDS`. It opens every stream, says so, waits for a line, and then sends moves at
// the rate, whatever becomes of those before. What it says last is how long each took to the last stream, in
// milliseconds from the moment at which it was due, and how many were sent a second.
const { io } = require("socket.io-client");

const SEATS = 6;
const WATCHERS = 2;
const AT_ONCE = 16;
const [port, tables, rate, seconds] = process.argv.slice(2).map(Number);
const server = `http://127.0.0.1:${port}`;

async function ask(path, body) {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(`${server}/games/market/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

class Table {
  constructor() {
    this.turn = 0;
    this.state = 0; // the number of the state that the table is in
    this.before = Promise.resolve();
  }

  async open() {
    this.match = (await ask("create", { numPlayers: SEATS })).matchID;
    this.tokens = [];
    for (let seat = 0; seat < SEATS; seat += 1) {
      const joined = await ask(`${this.match}/join`, { playerID: String(seat), playerName: `P${seat}` });
      this.tokens.push(joined.playerCredentials);
    }
    this.sockets = [];
    for (let number = 0; number < SEATS + WATCHERS; number += 1) this.sockets.push(await this.stream(number));
  }

  // One stream, which tells when each state came.
  stream(number) {
    const seat = number < SEATS ? String(number) : null;
    const socket = io(`${server}/market`, { transports: ["websocket"], forceNew: true });
    socket.on("update", (_, state) => this.came(state._stateID));
    socket.on("connect_error", (error) => {
      throw error;
    });
    socket.on("connect", () => socket.emit("sync", this.match, seat, this.tokens[number], SEATS));
    return new Promise((resolve) => socket.on("sync", () => resolve(socket)));
  }

  came(state) {
    if (state !== this.state + 1) throw new Error(`state ${state} came where ${this.state + 1} was to come`);
    this.missing -= 1;
    if (this.missing === 0) this.last(performance.now());
  }

  // The next move; it waits for the one before. Resolves to when it came on the last stream.
  act() {
    const moment = this.before.then(() => this.sent());
    this.before = moment;
    return moment;
  }

  async sent() {
    const seat = this.turn % SEATS;
    this.turn += 1;
    this.missing = SEATS + WATCHERS;
    const arrived = new Promise((resolve) => {
      this.last = resolve;
    });
    const payload = { type: "pass", args: [], playerID: String(seat), credentials: this.tokens[seat] };
    this.sockets[seat].emit("update", { type: "MAKE_MOVE", payload }, this.state, this.match, String(seat));
    const moment = await arrived;
    this.state += 1; // a move, and with it the turn of the next seat
    return moment;
  }
}

const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function opened() {
  const made = [];
  const worker = async () => {
    while (made.length < tables) {
      const table = new Table();
      made.push(table);
      await table.open();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return made;
}

async function main() {
  const made = await opened();
  console.log("open");
  await new Promise((resolve) => process.stdin.once("data", resolve));
  const begin = performance.now();
  const sent = [];
  for (let number = 0; number < rate * seconds; number += 1) {
    const due = begin + (number / rate) * 1000;
    await wait(Math.max(0, due - performance.now()));
    sent.push(made[number % made.length].act().then((moment) => moment - due));
  }
  const delays = await Promise.all(sent);
  console.log(JSON.stringify({ delays, a_second: sent.length / ((performance.now() - begin) / 1000) }));
  process.exit();
}

main();
