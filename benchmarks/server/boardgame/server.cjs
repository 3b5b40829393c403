// boardgame.io with a game of the market's size: `node server.cjs PORT [FOLDER]`, in memory or in files of the folder.
// Six hands of five cards, each for its seat's eyes alone, a deck that nobody sees, and moves that pass.
const { FlatFile, Origins, Server } = require("boardgame.io/server");
const { PlayerView } = require("boardgame.io/core");

const SEATS = 6;
const HAND = 5;
const DECK = [..."CDHS"].flatMap((suit) => [..."23456789TJQKA"].map((rank) => rank + suit));

const market = {
  name: "market",
  minPlayers: SEATS,
  maxPlayers: SEATS,
  disableUndo: true,
  setup: ({ random }) => {
    const deck = random.Shuffle(DECK);
    const players = {};
    for (let seat = 0; seat < SEATS; seat += 1) players[seat] = { hand: deck.splice(0, HAND) };
    return { players, secret: { deck }, passed: 0 };
  },
  playerView: PlayerView.STRIP_SECRETS,
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    pass: ({ G }) => {
      G.passed += 1;
    },
  },
};

const [port, folder] = process.argv.slice(2);
const db = folder === undefined ? undefined : new FlatFile({ dir: folder });
Server({ games: [market], db, origins: [Origins.LOCALHOST] }).run(Number(port), () => console.log("ready"));
