/** Games in which no hand is hidden, so that opening the decks, or one's own cards, shows no more of the table. */
export const ALL_SEEN = new Set(["kalah", "market"]);
